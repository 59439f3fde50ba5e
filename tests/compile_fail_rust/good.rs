// SPDX-License-Identifier: Apache-2.0
//
// Uses what the other ports do not: this must compile without a warning.
#[path = "../../src/ringspec/rust/ringspec.rs"]
mod ringspec;

#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Event {
    id: u64,
    kind: u16,
    data: [u8; 3],
}

ringspec::value! { Event, "event": id, kind, data }

#[derive(Debug)]
pub enum Wrong {
    Closed,
}

impl ringspec::Refusal for Wrong {
    fn failure(self) -> ringspec::Failure {
        ringspec::Failure::Other("closed")
    }
}

pub struct Ring<T, const SLOTS: usize>([Option<T>; SLOTS], usize, usize);

impl<T: Copy, const SLOTS: usize> Ring<T, SLOTS> {
    fn make() -> Result<Self, Wrong> {
        Ok(Ring([None; SLOTS], 0, 0))
    }
    fn put(&mut self, v: T) -> Result<usize, T> {
        if self.2 == SLOTS {
            return Err(v);
        }
        self.0[(self.1 + self.2) % SLOTS] = Some(v);
        self.2 += 1;
        Ok(self.2)
    }
    fn take(&mut self) -> Result<T, &'static str> {
        let v = self.0[self.1].ok_or("empty");
        self.1 = (self.1 + 1) % SLOTS;
        self.2 -= 1;
        v
    }
    fn wipe(&mut self) -> Result<(), Wrong> {
        self.2 = 0;
        Ok(())
    }
}

ringspec::export_queue! {
    queue: Ring<T, N>,
    T: [Event, u8, i64,],
    N: [1, 2 + 2,],
    oom: Never,
    deviations: [
        ("queue.fifo.order", "it is shown here"),
        ("queue.bounded.full-at-max", "here as well", "version 2"),
    ],
    clear: |q| q.wipe(),
    release: Ring::wipe,
    version: env!("PATH"),
    spec: "1.0",
    claims: ["fifo",],
    low_divisor: 8,
    shrink: Own,
    growth_num: 3,
    growth_den: 2,
    max_size: N,
    inline_capacity: N,
    slots: |q| ringspec::Slots { base: q.0.as_ptr().cast(), slots: N, head: q.1 },
    capacity: |_| 4u32,
    len: |q| q.2,
    front: |q| q.0[q.1].as_ref(),
    at: |q, i| q.0[(q.1 + i) % N].as_ref().unwrap(),
    pop: Ring::take,
    push: |q, v| q.put(v),
    new: Ring::make,
    name: "good"
}
