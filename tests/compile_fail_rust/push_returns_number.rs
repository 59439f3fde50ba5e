// SPDX-License-Identifier: Apache-2.0
// expect: ringspec: it is not known what `usize` says about success
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

ringspec::export_queue! {
    queue: VecDeque<T>,
    name: "refused",
    oom: Never,
    claims: ["fifo"],
    new: VecDeque::new,
    push: |q, v| { q.push_back(v); q.len() },
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
}
