// SPDX-License-Identifier: Apache-2.0
// rustc: -C panic=abort
//
// As rust_panics, but built so that a panic ends the process: what it wrote to stderr belongs into the verdict.
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

ringspec::export_queue! {
    queue: VecDeque<T>,
    T: [u32],
    name: "trap-rust-abort",
    oom: Aborts,
    claims: ["fifo", "fifo-interior", "growth"],
    new: VecDeque::new,
    push: |q, v| {
        assert!(q.len() != 3, "trap: no room for a fourth value");
        q.push_back(v)
    },
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
    at: |q, i| q.get(i),
}
