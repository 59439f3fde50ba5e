// SPDX-License-Identifier: Apache-2.0
// expect: the trait bound `bool: Plain` is not satisfied
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

#[derive(Clone, Copy, Default, Debug, PartialEq)]
struct Flag {
    up: bool,
}

ringspec::value! { Flag, "flag": up }

ringspec::export_queue! {
    queue: VecDeque<Flag>,
    value: Flag,
    name: "refused",
    oom: Never,
    claims: ["fifo"],
    new: VecDeque::new,
    push: |q, v| q.push_back(v),
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
}
