// SPDX-License-Identifier: Apache-2.0
// expect: ringspec: `String` is no value type that the gate knows how to fill
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

ringspec::export_queue! {
    queue: VecDeque<String>,
    value: String,
    name: "refused",
    oom: Never,
    claims: ["fifo"],
    new: VecDeque::new,
    push: |q, v| q.push_back(v),
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
}
