// SPDX-License-Identifier: Apache-2.0
//
// push takes memory for granted and panics without it, where it should have reported the failure.
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

ringspec::export_queue! {
    queue: VecDeque<T>,
    T: [u32],
    name: "trap-rust-expect",
    oom: Status,
    claims: ["fifo", "fifo-interior", "growth", "failure"],
    new: VecDeque::new,
    push: |q, v| {
        q.try_reserve(1).expect("no memory");
        q.push_back(v)
    },
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
    at: |q, i| q.get(i),
}
