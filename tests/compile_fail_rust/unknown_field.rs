// SPDX-License-Identifier: Apache-2.0
// expect: ringspec: export_queue! does not know this: `size: ...`
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

ringspec::export_queue! {
    queue: VecDeque<T>,
    name: "refused",
    oom: Never,
    claims: ["fifo"],
    new: VecDeque::new,
    push: |q, v| q.push_back(v),
    pop: |q| q.pop_front(),
    size: |q| q.len(),
    front: |q| q.front(),
}
