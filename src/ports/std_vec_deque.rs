// SPDX-License-Identifier: Apache-2.0
//
// std::collections::VecDeque as a port, as a model to copy: put your queue where VecDeque is. For a file of your own,
// copy ringspec.rs beside it and leave out the #[path].
//
//   rustc -O --crate-type=cdylib --edition=2021 src/ports/std_vec_deque.rs
//   ringspec verify --port ./libstd_vec_deque.so

#[path = "../ringspec/rust/ringspec.rs"]
mod ringspec;

use std::collections::{TryReserveError, VecDeque};

// push_back alone would abort without memory (oom: Aborts).
fn push<T>(q: &mut VecDeque<T>, v: T) -> Result<(), TryReserveError> {
    q.try_reserve(1)?;
    q.push_back(v);
    Ok(())
}

ringspec::export_queue! {
    queue: VecDeque<T>,
    name: "std-vec-deque",
    oom: Status,
    claims: [
        "fifo", "fifo-interior", "growth", "growth-policy", "growth-bytes", "failure", "move", "storage",
    ],
    new: VecDeque::new,
    push: push,
    pop: |q| q.pop_front(),
    len: |q| q.len(),
    front: |q| q.front(),
    at: |q, i| q.get(i),
    capacity: |q| q.capacity(),
    clear: |q| q.clear(),
    release: |q| *q = VecDeque::new(),
    // What the blocks of std start with: not documented, but since Rust 1.49.
    first_heap: if size_of::<T>() == 1 { 8 } else { 4 },
}
