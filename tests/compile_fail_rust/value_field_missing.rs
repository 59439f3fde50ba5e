// SPDX-License-Identifier: Apache-2.0
// expect: pattern requires `..`
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::VecDeque;

#[derive(Clone, Copy, Default, Debug, PartialEq)]
struct Pair {
    id: u32,
    length: u32,
}

ringspec::value! { Pair, "pair": id }

ringspec::export_queue! {
    queue: VecDeque<Pair>,
    value: Pair,
    name: "refused",
    oom: Never,
    claims: ["fifo"],
    new: VecDeque::new,
    push: |q, v| q.push_back(v),
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
}
