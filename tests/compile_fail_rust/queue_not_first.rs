// SPDX-License-Identifier: Apache-2.0
// expect: ringspec: export_queue! begins with `queue: TYPE,`
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

ringspec::export_queue! {
    name: "refused",
    queue: VecDeque<T>,
    oom: Never,
    claims: ["fifo"],
    new: VecDeque::new,
    push: |q, v| q.push_back(v),
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
}
