// SPDX-License-Identifier: Apache-2.0
//
// A ring with N slots in the object itself and then a block that doubles, in Rust, as a port: const generics, an error
// type of its own, and a value type with padding. For a file of your own, copy ringspec.rs beside it and leave out the
// #[path].

#[path = "../ringspec/rust/ringspec.rs"]
mod ringspec;

use std::mem::MaybeUninit;

// ---- the queue ------------------------------------------------------------------------------------------------------

struct Ring<T, const N: usize> {
    inside: [MaybeUninit<T>; N],
    block: Vec<MaybeUninit<T>>, // empty as long as the values are inside
    head: usize,
    len: usize,
}

struct OutOfMemory;

impl<T: Copy, const N: usize> Ring<T, N> {
    const fn new() -> Self {
        Ring { inside: [MaybeUninit::uninit(); N], block: Vec::new(), head: 0, len: 0 }
    }

    fn slots(&self) -> &[MaybeUninit<T>] {
        if self.block.is_empty() {
            &self.inside
        } else {
            &self.block
        }
    }
    fn slots_mut(&mut self) -> &mut [MaybeUninit<T>] {
        if self.block.is_empty() {
            &mut self.inside
        } else {
            &mut self.block
        }
    }
    fn index(&self, i: usize) -> usize {
        (self.head + i) % self.capacity()
    }

    fn capacity(&self) -> usize {
        self.slots().len()
    }
    fn len(&self) -> usize {
        self.len
    }
    fn get(&self, i: usize) -> Option<&T> {
        // SAFETY: the slots of the first len values are initialised.
        (i < self.len).then(|| unsafe { self.slots()[self.index(i)].assume_init_ref() })
    }

    fn enqueue(&mut self, value: T) -> Result<(), OutOfMemory> {
        if self.len == self.capacity() {
            self.grow()?;
        }
        let slot = self.index(self.len);
        self.slots_mut()[slot] = MaybeUninit::new(value);
        self.len += 1;
        Ok(())
    }
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        let capacity = if self.block.is_empty() { (2 * N).max(8) } else { 2 * self.block.len() };
        let mut block = Vec::new();
        block.try_reserve_exact(capacity).map_err(|_| OutOfMemory)?;
        block.extend_from_slice(&self.slots()[self.head..]);
        block.extend_from_slice(&self.slots()[..self.head]);
        block.resize(capacity, MaybeUninit::uninit());
        self.block = block;
        self.head = 0;
        Ok(())
    }

    fn dequeue(&mut self) -> Option<T> {
        let value = *self.get(0)?;
        self.head = self.index(1);
        self.len -= 1;
        Some(value)
    }
    fn clear(&mut self) {
        self.head = 0;
        self.len = 0;
    }
}

// ---- the port -------------------------------------------------------------------------------------------------------

// Seven bytes of padding, which may be anything in the queue.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq)]
struct Event {
    time: u64,
    kind: u8,
}

ringspec::value! { Event, "event": time, kind }

ringspec::export_queue! {
    queue: Ring<T, N>,
    T: [u8, u32, Event, ringspec::Overaligned],
    N: [1, 2, 4],
    name: "rust-ring",
    oom: Status,
    claims: [
        "fifo", "fifo-interior", "inline", "growth", "growth-policy", "growth-bytes", "failure", "move", "storage",
    ],
    new: Ring::new,
    push: |q, v| q.enqueue(v).map_err(|_| ringspec::Failure::NoMemory),
    pop: |q| q.dequeue(),
    len: |q| q.len(),
    front: |q| q.get(0),
    at: |q, i| q.get(i),
    capacity: |q| q.capacity(),
    clear: |q| q.clear(),
    release: |q| *q = Ring::new(),
}
