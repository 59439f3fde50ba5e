// SPDX-License-Identifier: Apache-2.0
// rustc: -C opt-level=0
//
// A ring with free-running counters of one byte, which wrap as they should in a release build. A debug build checks
// them: the 256th push panics, which is a verdict with the panic's text and not the end of the process.
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

const SLOTS: usize = 8;

#[derive(Default)]
struct Ring {
    slots: [u32; SLOTS],
    pushed: u8,
    popped: u8,
}

impl Ring {
    fn len(&self) -> usize {
        (self.pushed - self.popped).into()
    }
    fn push(&mut self, v: u32) -> bool {
        let room = self.len() < SLOTS;
        if room {
            self.slots[usize::from(self.pushed) % SLOTS] = v;
            self.pushed += 1;
        }
        room
    }
    fn front(&self) -> &u32 {
        &self.slots[usize::from(self.popped) % SLOTS]
    }
    fn pop(&mut self) -> u32 {
        let v = *self.front();
        self.popped += 1;
        v
    }
}

ringspec::export_queue! {
    queue: Ring,
    value: u32,
    name: "trap-rust-overflow",
    oom: Never,
    claims: ["fifo", "inline", "bounded"],
    inline_capacity: SLOTS,
    max_size: SLOTS,
    new: Ring::default,
    push: Ring::push,
    pop: Ring::pop,
    len: Ring::len,
    front: Ring::front,
    capacity: |_| SLOTS,
}
