// SPDX-License-Identifier: Apache-2.0
//
// push panics on the fourth value. The text of the panic, formatted and longer than a line, belongs into the verdict.
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

ringspec::export_queue! {
    queue: VecDeque<T>,
    T: [u32],
    name: "trap-rust-panic",
    oom: Aborts,
    claims: ["fifo", "fifo-interior", "growth", "failure-abort"],
    new: VecDeque::new,
    push: |q, v| {
        if q.len() == 3 {
            panic!("trap: no room behind {:?}", q.back().unwrap());
        }
        q.push_back(v)
    },
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
    at: |q, i| q.get(i),
}
