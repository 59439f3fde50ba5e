// SPDX-License-Identifier: Apache-2.0
//
// The Rust adapter: one file, std only. Copy it beside a file of your own that says how your queue is called:
//
//     mod ringspec;
//     use my_ring::Ring;
//
//     ringspec::export_queue! {
//         queue: Ring<T, N>,
//         N: [1, 2, 4],
//         name: "my-ring",
//         oom: Status,
//         claims: ["fifo", "fifo-interior", "growth", "failure"],
//         new: Ring::new,
//         push: |q, v| q.push_back(v),
//         pop: |q| q.pop_front(),
//         len: |q| q.len(),
//         front: |q| q.front(),
//         at: |q, i| q.get(i),
//     }
//
// The first lines say what is judged, in this order:
//
//     queue: Ring<T, N>    T and N stand for the value type and the inline capacity; a queue may use both, one or none
//     T: [u8, u32]         optional: the value types; left out, six that differ in size and alignment
//     N: [1, 2, 4]         only for a queue with an N: its values, of type usize
//     value: Event         instead of T and N: a queue of one value type; ringspec::value! is for types of your own
//
// All others may stand in any order. What is marked * is needed; what is left out of the others is not judged. Each
// operation is a closure or a path; T and N may be used in it.
//
//     name      *  "my-ring"
//     oom       *  Status (push says so), Aborts (as Vec and Box do) or Never (it does not allocate)
//     claims    *  ["fifo", ...]; `ringspec list classes` shows them
//     new       *  || -> Q, Option<Q> or Result<Q, E>: an empty queue
//     push      *  |q, v| -> nothing, bool (false: full) or Result<_, E>
//     pop       *  |q| -> Option<T>, T, Result<T, E>; or nothing or bool, if there is a front
//     len       *  |q| -> usize or another unsigned integer
//     front        |q| -> Option<&T> or &T, inside the queue
//     at           |q, i| -> Option<&T> or &T; i is a usize, 0 is the oldest
//     capacity     |q| -> usize: how many values fit without a new block
//     clear        |q|: empties, keeps the storage; it may return what push may
//     release      |q|: empties, gives the storage back; it may return what push may
//     slots        |q| -> ringspec::Slots: where the slots are, if they are never in the object, which Rust copies whole
//     deviations   [("queue.move.self-move-keeps", "why it is accepted"), ("queue...", "why", "until 2.0")]
//     version, spec   text; "" and "1.0" if left out
//
// E is TryReserveError, T (the value handed back: full) or ringspec::Failure; of any other, say what it means:
// `.map_err(|_| ringspec::Failure::Full)`. Moves, swaps and drops are those of the language.
//
// The policy numbers of rs_queue_policy, of type u64, where yours differ (size_of::<T>() and N may be used in them):
// inline_capacity (N, or 0), first_heap (the larger of 8 and twice the inline capacity), growth_num and growth_den
// (2 and 1), max_size (0, unbounded), shrink (Never, Counted or Own; Never), low_divisor (4).
//
// A panic is caught and told with its message. Needs rustc 1.82 and edition 2021 or later:
//
//     rustc -O --crate-type=cdylib --edition=2021 my_port.rs        or, with cargo: [lib] crate-type = ["cdylib"]
//     ringspec verify --port ./libmy_port.so
#![allow(dead_code, non_camel_case_types, unused_imports, unused_macros)]

use std::collections::TryReserveError;
use std::ffi::{c_char, c_void};
use std::fmt::{self, Debug, Write as _};
use std::io::Write as _;
use std::marker::PhantomData;
use std::mem::{align_of, offset_of, size_of};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null;
use std::sync::{Mutex, MutexGuard};

// ---- port.h ---------------------------------------------------------------------------------------------------------
// Each struct with its size and each field with its offset, as a C compiler lays them out with pointers of 64 bits.

pub type rs_status = i32;
pub const RS_OK: rs_status = 0;
pub const RS_NOMEM: rs_status = 1;
pub const RS_FULL: rs_status = 2;
pub const RS_TOO_LONG: rs_status = 3;
pub const RS_THREW: rs_status = 4;

pub const RS_OOM_STATUS: u32 = 1;
pub const RS_OOM_ABORTS: u32 = 2;
pub const RS_OOM_NEVER: u32 = 3;

pub const RS_SHRINK_NEVER: u32 = 0;
pub const RS_SHRINK_COUNTED: u32 = 1;
pub const RS_SHRINK_OWN: u32 = 2;

pub const RS_NOT_OFFERED: u64 = u64::MAX;

pub const RS_Q_NOTHROW_MOVE: u64 = 1 << 0;
pub const RS_Q_NOTHROW_ASSIGN: u64 = 1 << 1;
pub const RS_Q_NOTHROW_SWAP: u64 = 1 << 2;
pub const RS_Q_MOVE_IS_MEMCPY: u64 = 1 << 3;
pub const RS_Q_COPIES_ARG: u64 = 1 << 4;

macro_rules! mirrors {
    ($($name:ident, $bytes:literal: { $($field:ident @ $offset:literal: $type:ty,)+ })+) => {$(
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name { $(pub $field: $type),+ }

        #[cfg(target_pointer_width = "64")]
        const _: () = {
            assert!(size_of::<$name>() == $bytes, concat!("the size of ", stringify!($name)));
            $(assert!(offset_of!($name, $field) == $offset, concat!("the offset of ", stringify!($field)));)+
        };
    )+};
}

type Queue = *mut c_void;
type Seen = *const c_void;

mirrors! {
    rs_deviation, 32: {
        size @ 0: usize,
        requirement @ 8: *const c_char,
        reason @ 16: *const c_char,
        until @ 24: *const c_char,
    }
    rs_port, 88: {
        size @ 0: usize,
        subject @ 8: *const c_char,
        name @ 16: *const c_char,
        version @ 24: *const c_char,
        language @ 32: *const c_char,
        spec @ 40: *const c_char,
        oom @ 48: u32,
        reserved @ 52: u32,
        claims @ 56: *const *const c_char,
        deviations @ 64: *const *const rs_deviation,
        init @ 72: Option<unsafe extern "C" fn(*const c_void) -> rs_status>,
        instances @ 80: *const *const c_void,
    }
    rs_value, 40: {
        size @ 0: usize,
        value_size @ 8: usize,
        value_align @ 16: usize,
        mask @ 24: *const u8,
        kind @ 32: *const c_char,
    }
    rs_queue_policy, 56: {
        size @ 0: usize,
        inline_capacity @ 8: u64,
        first_heap @ 16: u64,
        growth_num @ 24: u64,
        growth_den @ 32: u64,
        max_size @ 40: u64,
        shrink @ 48: u32,
        low_divisor @ 52: u32,
    }
    rs_queue_seen, 32: {
        size @ 0: usize,
        count @ 8: u64,
        capacity @ 16: u64,
        front @ 24: *const c_void,
    }
    rs_slots, 40: {
        size @ 0: usize,
        base @ 8: *const c_void,
        stride @ 16: usize,
        slots @ 24: u64,
        head @ 32: u64,
    }
    rs_queue, 192: {
        size @ 0: usize,
        value @ 8: *const rs_value,
        policy @ 16: *const rs_queue_policy,
        object_size @ 24: usize,
        object_align @ 32: usize,
        facts @ 40: u64,
        construct @ 48: unsafe extern "C" fn(Queue) -> rs_status,
        destroy @ 56: unsafe extern "C" fn(Queue),
        push @ 64: unsafe extern "C" fn(Queue, *const c_void) -> rs_status,
        pop @ 72: unsafe extern "C" fn(Queue) -> rs_status,
        observe @ 80: unsafe extern "C" fn(Seen, *mut rs_queue_seen),
        pop_into @ 88: Option<unsafe extern "C" fn(Queue, *mut c_void) -> rs_status>,
        at @ 96: Option<unsafe extern "C" fn(Seen, u64) -> *const c_void>,
        push_element @ 104: Option<unsafe extern "C" fn(Queue, u64) -> rs_status>,
        emplace_element @ 112: Option<unsafe extern "C" fn(Queue, u64) -> rs_status>,
        clear @ 120: Option<unsafe extern "C" fn(Queue) -> rs_status>,
        release @ 128: Option<unsafe extern "C" fn(Queue) -> rs_status>,
        move_construct @ 136: Option<unsafe extern "C" fn(Queue, Queue) -> rs_status>,
        move_assign @ 144: Option<unsafe extern "C" fn(Queue, Queue) -> rs_status>,
        self_move @ 152: Option<unsafe extern "C" fn(Queue) -> rs_status>,
        swap @ 160: Option<unsafe extern "C" fn(Queue, Queue) -> rs_status>,
        self_swap @ 168: Option<unsafe extern "C" fn(Queue) -> rs_status>,
        slots @ 176: Option<unsafe extern "C" fn(Seen, *mut rs_slots)>,
        last_error @ 184: Option<unsafe extern "C" fn() -> *const c_char>,
    }
}

// ---- values ---------------------------------------------------------------------------------------------------------

/// A type that queues are exercised with.
///
/// # Safety
/// The gate writes any bytes into a value, so each pattern of bytes must be a valid one, and `KIND` ends in a zero.
/// ringspec::value! sees to both.
#[diagnostic::on_unimplemented(
    message = "ringspec: `{Self}` is no value type that the gate knows how to fill",
    note = "an unsigned or signed integer is one; describe a struct of your own with ringspec::value!"
)]
pub unsafe trait Value: Refusal + Copy + Default + Debug + PartialEq + Send + Sync + 'static {
    const KIND: &'static str;
    /// 0xFF for each byte that counts, 0 for padding; null: all count.
    const MASK: *const u8 = null();
}

/// A part of a value: any bytes are valid, and there is no padding in it.
///
/// # Safety
/// See there.
pub unsafe trait Plain: Copy {}
unsafe impl<F: Plain, const LENGTH: usize> Plain for [F; LENGTH] {}

macro_rules! integers {
    ($($type:ty: $kind:literal,)+) => {$(
        unsafe impl Plain for $type {}
        unsafe impl Value for $type {
            const KIND: &'static str = concat!($kind, "\0");
        }
        impl Refusal for $type {
            fn failure(self) -> Failure {
                Failure::Full
            }
        }
    )+};
}
integers! {
    u8: "byte", u16: "u16", u32: "int", u64: "u64", usize: "usize",
    i8: "i8", i16: "i16", i32: "i32", i64: "i64", isize: "isize",
}
unsafe impl Plain for f32 {}
unsafe impl Plain for f64 {}

/// Makes a struct a value type: `ringspec::value! { Event, "event": id, length, offset }` with all of its fields, which
/// are numbers or arrays of numbers. The struct derives Clone, Copy, Default, Debug and PartialEq.
macro_rules! value {
    ($type:ident, $kind:literal: $($field:ident),+ $(,)?) => {
        const _: () = {
            const MASK: [u8; std::mem::size_of::<$type>()] = {
                let mask = [0; std::mem::size_of::<$type>()];
                $(let mask = ringspec::covered(mask, std::mem::offset_of!($type, $field), |v: &$type| &v.$field);)+
                mask
            };
            // Does not compile if a field is missing above.
            fn _all_fields($type { $($field: _),+ }: $type) {}
            unsafe impl ringspec::Value for $type {
                const KIND: &'static str = concat!($kind, "\0");
                const MASK: *const u8 = ringspec::mask(&MASK);
            }
            impl ringspec::Refusal for $type {
                fn failure(self) -> ringspec::Failure {
                    ringspec::Failure::Full
                }
            }
        };
    };
}
pub(crate) use value;

pub const fn covered<S, F: Plain, const SIZE: usize>(
    mut mask: [u8; SIZE],
    offset: usize,
    _: fn(&S) -> &F,
) -> [u8; SIZE] {
    let mut i = 0;
    while i < size_of::<F>() {
        mask[offset + i] = 0xFF;
        i += 1;
    }
    mask
}

pub const fn mask<const SIZE: usize>(mask: &'static [u8; SIZE]) -> *const u8 {
    let mut i = 0;
    while i < SIZE && mask[i] == 0xFF {
        i += 1;
    }
    if i == SIZE {
        null()
    } else {
        mask.as_ptr()
    }
}

#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Received {
    pub id: u32,
    pub length: u32,
    pub offset: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Descriptor {
    pub id: u32,
    pub length: u32,
    pub offset: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Checked {
    pub id: u64,
    pub length: u32,
    pub flags: u32,
    pub checksum: u64,
}

#[repr(C, align(64))]
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Overaligned {
    pub words: [u64; 8],
}

mod kinds {
    use super as ringspec;
    use ringspec::{value, Checked, Descriptor, Overaligned, Received};
    value! { Received, "received": id, length, offset }
    value! { Descriptor, "descriptor": id, length, offset }
    value! { Checked, "checked": id, length, flags, checksum }
    value! { Overaligned, "overaligned": words }
}

// ---- what the closures may return -----------------------------------------------------------------------------------

/// Why an operation did nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    NoMemory,
    Full,
    TooLong,
    Other(&'static str),
}

/// An error, or a value that is handed back (the queue is full).
#[diagnostic::on_unimplemented(
    message = "ringspec: it is not known what the error `{Self}` means",
    note = "say it in the closure: `.map_err(|_| ringspec::Failure::Full)`, or NoMemory, TooLong, Other(\"...\")"
)]
pub trait Refusal {
    fn failure(self) -> Failure;
}
impl Refusal for Failure {
    fn failure(self) -> Failure {
        self
    }
}
impl Refusal for TryReserveError {
    fn failure(self) -> Failure {
        // Its kind is not public, but equality is.
        match Vec::<u8>::new().try_reserve(usize::MAX) {
            Err(too_long) if too_long == self => Failure::TooLong,
            _ => Failure::NoMemory,
        }
    }
}

/// What push, clear and release may return.
#[diagnostic::on_unimplemented(
    message = "ringspec: it is not known what `{Self}` says about success",
    note = "return nothing, a bool (false: full) or a Result"
)]
pub trait Answer {
    fn answer(self) -> Result<(), Failure>;
}
impl Answer for () {
    fn answer(self) -> Result<(), Failure> {
        Ok(())
    }
}
impl Answer for bool {
    fn answer(self) -> Result<(), Failure> {
        self.then_some(()).ok_or(Failure::Full)
    }
}
impl<R, E: Refusal> Answer for Result<R, E> {
    fn answer(self) -> Result<(), Failure> {
        self.map(drop).map_err(Refusal::failure)
    }
}

/// What new may return.
#[diagnostic::on_unimplemented(
    message = "ringspec: `new` returns `{Self}`, which is no `{Q}`",
    note = "return the queue, an Option or a Result of it"
)]
pub trait Made<Q> {
    fn made(self) -> Result<Q, Failure>;
}
impl<Q> Made<Q> for Q {
    fn made(self) -> Result<Q, Failure> {
        Ok(self)
    }
}
impl<Q> Made<Q> for Option<Q> {
    fn made(self) -> Result<Q, Failure> {
        self.ok_or(Failure::NoMemory)
    }
}
impl<Q, E: Refusal> Made<Q> for Result<Q, E> {
    fn made(self) -> Result<Q, Failure> {
        self.map_err(Refusal::failure)
    }
}

/// What pop may return. The gate pops only what is there. Ok(None): popped, but not handed out.
#[diagnostic::on_unimplemented(
    message = "ringspec: `pop` returns `{Self}`",
    note = "return the value (`{T}`), an Option or a Result of it, nothing, or a bool (false: nothing was popped)"
)]
pub trait Popped<T> {
    fn popped(self) -> Result<Option<T>, Failure>;
}
const NOTHING_POPPED: Failure = Failure::Other("pop gave nothing, but the queue is not empty");
impl<T: Value> Popped<T> for T {
    fn popped(self) -> Result<Option<T>, Failure> {
        Ok(Some(self))
    }
}
impl<T: Value> Popped<T> for Option<T> {
    fn popped(self) -> Result<Option<T>, Failure> {
        self.map(Some).ok_or(NOTHING_POPPED)
    }
}
impl<T: Value, E> Popped<T> for Result<T, E> {
    fn popped(self) -> Result<Option<T>, Failure> {
        self.map(Some).map_err(|_| NOTHING_POPPED)
    }
}
impl<T: Value> Popped<T> for () {
    fn popped(self) -> Result<Option<T>, Failure> {
        Ok(None)
    }
}
impl<T: Value> Popped<T> for bool {
    fn popped(self) -> Result<Option<T>, Failure> {
        self.then_some(None).ok_or(NOTHING_POPPED)
    }
}

/// What front and at may return.
#[diagnostic::on_unimplemented(
    message = "ringspec: `front` or `at` returns `{Self}`, which is no reference into the queue",
    note = "return &{T} or Option<&{T}>; a queue that gives none is judged without `front` by what `pop` returns"
)]
pub trait Address<T> {
    fn address(self) -> *const T;
}
impl<T> Address<T> for &T {
    fn address(self) -> *const T {
        self
    }
}
impl<T> Address<T> for &mut T {
    fn address(self) -> *const T {
        self
    }
}
impl<T> Address<T> for Option<&T> {
    fn address(self) -> *const T {
        self.map_or(null(), |v| v)
    }
}

/// What len and capacity may return.
pub trait Count {
    fn count(self) -> u64;
}
macro_rules! counts {
    ($($type:ty)+) => {$(
        impl Count for $type {
            fn count(self) -> u64 {
                self as u64
            }
        }
    )+};
}
counts! { u8 u16 u32 u64 usize }

/// Where the slots are: the address of slot 0, how many there are, and the index of the oldest value's.
pub struct Slots<T> {
    pub base: *const T,
    pub slots: usize,
    pub head: usize,
}

#[derive(Clone, Copy)]
pub enum Oom {
    Status = RS_OOM_STATUS as isize,
    Aborts = RS_OOM_ABORTS as isize,
    Never = RS_OOM_NEVER as isize,
}

#[derive(Clone, Copy)]
pub enum Shrink {
    Never = RS_SHRINK_NEVER as isize,
    Counted = RS_SHRINK_COUNTED as isize,
    Own = RS_SHRINK_OWN as isize,
}

// ---- a port ---------------------------------------------------------------------------------------------------------

pub type Look<Q, R> = Option<fn(&Q) -> R>;
pub type LookAt<Q, R> = Option<fn(&Q, usize) -> R>;
pub type Change<Q> = Option<fn(&mut Q) -> Result<(), Failure>>;

/// What export_queue! writes. An optional operation is a constant, so that leaving it out can be seen.
pub trait Port: 'static {
    type Value: Value;
    type Queue: 'static;

    const NAME: &'static str;
    const VERSION: &'static str = "\0";
    const SPEC: &'static str = "1.0\0";
    const OOM: Oom;
    const CLAIMS: &'static [*const c_char];
    const DEVIATIONS: &'static [*const rs_deviation] = &[null()];

    const SIZE: usize;
    const INLINE_CAPACITY: u64 = Self::SIZE as u64;
    const FIRST_HEAP: u64 = if Self::INLINE_CAPACITY > 4 { 2 * Self::INLINE_CAPACITY } else { 8 };
    const GROWTH_NUM: u64 = 2;
    const GROWTH_DEN: u64 = 1;
    const MAX_SIZE: u64 = 0;
    const SHRINK: Shrink = Shrink::Never;
    const LOW_DIVISOR: u32 = 4;

    fn new() -> Result<Self::Queue, Failure>;
    fn push(q: &mut Self::Queue, v: Self::Value) -> Result<(), Failure>;
    fn pop(q: &mut Self::Queue) -> Result<Option<Self::Value>, Failure>;
    fn len(q: &Self::Queue) -> u64;
    const FRONT: Look<Self::Queue, *const Self::Value> = None;
    const AT: LookAt<Self::Queue, *const Self::Value> = None;
    const CAPACITY: Look<Self::Queue, u64> = None;
    const CLEAR: Change<Self::Queue> = None;
    const RELEASE: Change<Self::Queue> = None;
    const SLOTS: Look<Self::Queue, Slots<Self::Value>> = None;
}

// These tell a closure the types of its arguments, and what it may return.
pub fn made<Q, R: Made<Q>>(f: impl FnOnce() -> R) -> Result<Q, Failure> {
    f().made()
}
pub fn pushed<'a, Q, T, R: Answer>(q: &'a mut Q, v: T, f: impl FnOnce(&'a mut Q, T) -> R) -> Result<(), Failure> {
    f(q, v).answer()
}
pub fn changed<'a, Q, R: Answer>(q: &'a mut Q, f: impl FnOnce(&'a mut Q) -> R) -> Result<(), Failure> {
    f(q).answer()
}
pub fn popped<'a, Q, T, R: Popped<T>>(q: &'a mut Q, f: impl FnOnce(&'a mut Q) -> R) -> Result<Option<T>, Failure> {
    f(q).popped()
}
pub fn counted<'a, Q, R: Count>(q: &'a Q, f: impl FnOnce(&'a Q) -> R) -> u64 {
    f(q).count()
}
pub fn front_of<'a, Q, T, R: Address<T>>(q: &'a Q, f: impl FnOnce(&'a Q) -> R) -> *const T {
    f(q).address()
}
pub fn element_of<'a, Q, T, R: Address<T>>(q: &'a Q, i: usize, f: impl FnOnce(&'a Q, usize) -> R) -> *const T {
    f(q, i).address()
}
pub fn slots_of<'a, Q, T>(q: &'a Q, f: impl FnOnce(&'a Q) -> Slots<T>) -> Slots<T> {
    f(q)
}

macro_rules! export_queue {
    (queue: $queue:ty, value: $value:ty, $($fields:tt)*) => {
        ringspec::export_queue! { @list [0] [$value] }
        impl ringspec::Port for RingspecPort<$value, 0> {
            type Value = $value;
            type Queue = $queue;
            const SIZE: usize = 0;
            ringspec::port_fields! { $($fields)* }
        }
    };
    (queue: $queue:ty, T: [$($t:ty),+ $(,)?], N: [$($n:expr),+ $(,)?], $($fields:tt)*) => {
        ringspec::export_queue! { @list [$($n),+] [$($t),+] }
        impl<T: ringspec::Value, const N: usize> ringspec::Port for RingspecPort<T, N> {
            type Value = T;
            type Queue = $queue;
            const SIZE: usize = N;
            ringspec::port_fields! { $($fields)* }
        }
    };
    (queue: $queue:ty, T: [$($t:ty),+ $(,)?], $($fields:tt)*) => {
        ringspec::export_queue! { queue: $queue, T: [$($t),+], N: [0], $($fields)* }
    };
    (queue: $queue:ty, N: [$($n:expr),+ $(,)?], $($fields:tt)*) => {
        ringspec::export_queue! {
            queue: $queue,
            T: [u8, u32, ringspec::Received, ringspec::Descriptor, ringspec::Checked, ringspec::Overaligned],
            N: [$($n),+], $($fields)*
        }
    };
    (@list $ns:tt [$($t:ty),+]) => {
        struct RingspecPort<T, const N: usize>(std::marker::PhantomData<T>);

        #[unsafe(no_mangle)]
        pub extern "C" fn ringspec_ports_v1() -> *const *const ringspec::rs_port {
            const ROWS: usize = [$(stringify!($t)),+].len();
            const COLUMNS: usize = ringspec::columns!($ns);
            static INSTANCES: ringspec::List<[[*const ringspec::rs_queue; COLUMNS]; ROWS]> =
                ringspec::List::new([$(ringspec::row!($t, $ns)),+]);
            static PORT: ringspec::Shared<ringspec::rs_port> =
                ringspec::Shared(ringspec::port(ringspec::first!($ns $($t),+), INSTANCES.address()));
            static PORTS: ringspec::List<*const ringspec::rs_port> = ringspec::List::new(&PORT.0);
            ringspec::record_panics();
            PORTS.address().cast()
        }
    };
    (queue: $queue:ty, $field:ident: $($fields:tt)*) => {
        ringspec::export_queue! { queue: $queue, N: [0], $field: $($fields)* }
    };
    ($($other:tt)*) => {
        compile_error!("ringspec: export_queue! begins with `queue: TYPE,`; then come `T: [...],` and `N: [...],`, \
                        if they are there, and all others");
    };
}
pub(crate) use export_queue;

macro_rules! columns {
    ([$($n:expr),+]) => { [$($n),+].len() };
}
macro_rules! row {
    ($t:ty, [$($n:expr),+]) => { [$(<RingspecPort<$t, { $n }> as ringspec::Table>::TABLE),+] };
}
macro_rules! first {
    ([$n:expr $(, $more:expr)*] $t:ty $(, $others:ty)*) => {
        std::marker::PhantomData::<RingspecPort<$t, { $n }>>
    };
}
pub(crate) use {columns, first, row};

/// The fields of export_queue!, as items of trait Port.
macro_rules! port_fields {
    () => {};
    (name: $e:literal $(, $($rest:tt)*)?) => {
        const NAME: &'static str = concat!($e, "\0");
        ringspec::port_fields! { $($($rest)*)? }
    };
    (version: $e:expr $(, $($rest:tt)*)?) => {
        const VERSION: &'static str = concat!($e, "\0");
        ringspec::port_fields! { $($($rest)*)? }
    };
    (spec: $e:literal $(, $($rest:tt)*)?) => {
        const SPEC: &'static str = concat!($e, "\0");
        ringspec::port_fields! { $($($rest)*)? }
    };
    (oom: $e:ident $(, $($rest:tt)*)?) => {
        const OOM: ringspec::Oom = ringspec::Oom::$e;
        ringspec::port_fields! { $($($rest)*)? }
    };
    (claims: [$($e:literal),* $(,)?] $(, $($rest:tt)*)?) => {
        const CLAIMS: &'static [*const std::ffi::c_char] =
            &[$(concat!($e, "\0").as_ptr().cast(),)* std::ptr::null()];
        ringspec::port_fields! { $($($rest)*)? }
    };
    (deviations: [$(($e:literal, $why:literal $(, $until:literal)? $(,)?)),* $(,)?] $(, $($rest:tt)*)?) => {
        const DEVIATIONS: &'static [*const ringspec::rs_deviation] = &[
            $(&ringspec::rs_deviation {
                size: std::mem::size_of::<ringspec::rs_deviation>(),
                requirement: concat!($e, "\0").as_ptr().cast(),
                reason: concat!($why, "\0").as_ptr().cast(),
                until: [$(concat!($until, "\0").as_ptr().cast(),)? std::ptr::null()][0],
            },)*
            std::ptr::null(),
        ];
        ringspec::port_fields! { $($($rest)*)? }
    };
    (inline_capacity: $e:expr $(, $($rest:tt)*)?) => {
        const INLINE_CAPACITY: u64 = $e as u64;
        ringspec::port_fields! { $($($rest)*)? }
    };
    (first_heap: $e:expr $(, $($rest:tt)*)?) => {
        const FIRST_HEAP: u64 = $e as u64;
        ringspec::port_fields! { $($($rest)*)? }
    };
    (growth_num: $e:expr $(, $($rest:tt)*)?) => {
        const GROWTH_NUM: u64 = $e as u64;
        ringspec::port_fields! { $($($rest)*)? }
    };
    (growth_den: $e:expr $(, $($rest:tt)*)?) => {
        const GROWTH_DEN: u64 = $e as u64;
        ringspec::port_fields! { $($($rest)*)? }
    };
    (max_size: $e:expr $(, $($rest:tt)*)?) => {
        const MAX_SIZE: u64 = $e as u64;
        ringspec::port_fields! { $($($rest)*)? }
    };
    (shrink: $e:ident $(, $($rest:tt)*)?) => {
        const SHRINK: ringspec::Shrink = ringspec::Shrink::$e;
        ringspec::port_fields! { $($($rest)*)? }
    };
    (low_divisor: $e:expr $(, $($rest:tt)*)?) => {
        const LOW_DIVISOR: u32 = $e;
        ringspec::port_fields! { $($($rest)*)? }
    };
    (new: $e:expr $(, $($rest:tt)*)?) => {
        fn new() -> Result<Self::Queue, ringspec::Failure> {
            ringspec::made::<Self::Queue, _>($e)
        }
        ringspec::port_fields! { $($($rest)*)? }
    };
    (push: $e:expr $(, $($rest:tt)*)?) => {
        fn push(q: &mut Self::Queue, v: Self::Value) -> Result<(), ringspec::Failure> {
            ringspec::pushed(q, v, $e)
        }
        ringspec::port_fields! { $($($rest)*)? }
    };
    (pop: $e:expr $(, $($rest:tt)*)?) => {
        fn pop(q: &mut Self::Queue) -> Result<Option<Self::Value>, ringspec::Failure> {
            ringspec::popped::<_, Self::Value, _>(q, $e)
        }
        ringspec::port_fields! { $($($rest)*)? }
    };
    (len: $e:expr $(, $($rest:tt)*)?) => {
        fn len(q: &Self::Queue) -> u64 {
            ringspec::counted(q, $e)
        }
        ringspec::port_fields! { $($($rest)*)? }
    };
    (front: $e:expr $(, $($rest:tt)*)?) => {
        const FRONT: ringspec::Look<Self::Queue, *const Self::Value> =
            Some(|q| ringspec::front_of::<_, Self::Value, _>(q, $e));
        ringspec::port_fields! { $($($rest)*)? }
    };
    (at: $e:expr $(, $($rest:tt)*)?) => {
        const AT: ringspec::LookAt<Self::Queue, *const Self::Value> =
            Some(|q, i| ringspec::element_of::<_, Self::Value, _>(q, i, $e));
        ringspec::port_fields! { $($($rest)*)? }
    };
    (capacity: $e:expr $(, $($rest:tt)*)?) => {
        const CAPACITY: ringspec::Look<Self::Queue, u64> = Some(|q| ringspec::counted(q, $e));
        ringspec::port_fields! { $($($rest)*)? }
    };
    (clear: $e:expr $(, $($rest:tt)*)?) => {
        const CLEAR: ringspec::Change<Self::Queue> =
            Some(|q| ringspec::changed(q, $e));
        ringspec::port_fields! { $($($rest)*)? }
    };
    (release: $e:expr $(, $($rest:tt)*)?) => {
        const RELEASE: ringspec::Change<Self::Queue> =
            Some(|q| ringspec::changed(q, $e));
        ringspec::port_fields! { $($($rest)*)? }
    };
    (slots: $e:expr $(, $($rest:tt)*)?) => {
        const SLOTS: ringspec::Look<Self::Queue, ringspec::Slots<Self::Value>> = Some(|q| ringspec::slots_of(q, $e));
        ringspec::port_fields! { $($($rest)*)? }
    };
    ($other:ident: $($rest:tt)*) => {
        compile_error!(concat!("ringspec: export_queue! does not know this: `", stringify!($other),
                               ": ...`; the head of ringspec.rs lists what there is (T, N and value stand right behind \
                               queue)"));
    };
    ($($other:tt)+) => {
        compile_error!(concat!("ringspec: in export_queue! `name: value,` is expected here: ", stringify!($($other)+)));
    };
}
pub(crate) use port_fields;

// ---- from a port to the tables of port.h ----------------------------------------------------------------------------

/// What a static holds: all of it is constant.
pub struct Shared<T>(pub T);
unsafe impl<T> Sync for Shared<T> {}

/// Pointers, and the null that ends the list.
#[repr(C)]
pub struct List<T> {
    pointers: T,
    end: *const c_void,
}
unsafe impl<T> Sync for List<T> {}
impl<T> List<T> {
    pub const fn new(pointers: T) -> Self {
        List { pointers, end: null() }
    }
    pub const fn address(&'static self) -> *const *const c_void {
        (self as *const Self).cast()
    }
}

pub const fn port<P: Port>(_: PhantomData<P>, instances: *const *const c_void) -> rs_port {
    rs_port {
        size: size_of::<rs_port>(),
        subject: c"queue".as_ptr(),
        name: P::NAME.as_ptr().cast(),
        version: P::VERSION.as_ptr().cast(),
        language: c"rust".as_ptr(),
        spec: P::SPEC.as_ptr().cast(),
        oom: P::OOM as u32,
        reserved: 0,
        claims: P::CLAIMS.as_ptr(),
        deviations: P::DEVIATIONS.as_ptr(),
        init: None,
        instances,
    }
}

/// The functions of a port, one instance each.
pub trait Table {
    const VALUE: rs_value;
    const POLICY: rs_queue_policy;
    const TABLE: *const rs_queue;
}
impl<P: Port> Table for P {
    const VALUE: rs_value = rs_value {
        size: size_of::<rs_value>(),
        value_size: size_of::<P::Value>(),
        value_align: align_of::<P::Value>(),
        mask: P::Value::MASK,
        kind: P::Value::KIND.as_ptr().cast(),
    };
    const POLICY: rs_queue_policy = rs_queue_policy {
        size: size_of::<rs_queue_policy>(),
        inline_capacity: P::INLINE_CAPACITY,
        first_heap: P::FIRST_HEAP,
        growth_num: P::GROWTH_NUM,
        growth_den: P::GROWTH_DEN,
        max_size: P::MAX_SIZE,
        shrink: P::SHRINK as u32,
        low_divisor: P::LOW_DIVISOR,
    };
    const TABLE: *const rs_queue = &rs_queue {
        size: size_of::<rs_queue>(),
        value: &Self::VALUE,
        policy: &Self::POLICY,
        object_size: size_of::<P::Queue>(),
        object_align: align_of::<P::Queue>(),
        facts: RS_Q_NOTHROW_MOVE | RS_Q_NOTHROW_ASSIGN | RS_Q_NOTHROW_SWAP | RS_Q_MOVE_IS_MEMCPY | RS_Q_COPIES_ARG,
        construct: construct::<P>,
        destroy: destroy::<P>,
        push: push::<P>,
        pop: pop::<P>,
        observe: observe::<P>,
        pop_into: Some(pop_into::<P>),
        at: if P::AT.is_some() { Some(at::<P>) } else { None },
        push_element: None, // push copies its argument before it borrows the queue
        emplace_element: None,
        clear: if P::CLEAR.is_some() { Some(clear::<P>) } else { None },
        release: if P::RELEASE.is_some() { Some(release::<P>) } else { None },
        move_construct: Some(move_construct::<P>),
        move_assign: Some(move_assign::<P>),
        self_move: Some(self_move::<P>),
        swap: Some(swap::<P>),
        self_swap: Some(self_swap::<P>),
        slots: if P::SLOTS.is_some() { Some(slots::<P>) } else { None },
        last_error: Some(last_error),
    };
}

/// Calls a function that may fail. No panic crosses the boundary.
fn status(call: impl FnOnce() -> Result<(), Failure>) -> rs_status {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => RS_OK,
        Ok(Err(Failure::NoMemory)) => RS_NOMEM,
        Ok(Err(Failure::Full)) => RS_FULL,
        Ok(Err(Failure::TooLong)) => RS_TOO_LONG,
        Ok(Err(Failure::Other(why))) => {
            error_text().set(format_args!("{why}"));
            RS_THREW
        }
        Err(_) => RS_THREW, // the hook has kept its message
    }
}

/// Calls a function that cannot report a failure. The gate tells what the panic wrote to stderr.
fn never_fails<R>(call: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| std::process::abort())
}

unsafe extern "C" fn construct<P: Port>(raw: Queue) -> rs_status {
    status(|| P::new().map(|q| unsafe { raw.cast::<P::Queue>().write(q) }))
}
unsafe extern "C" fn destroy<P: Port>(q: Queue) {
    never_fails(|| unsafe { q.cast::<P::Queue>().drop_in_place() })
}
unsafe extern "C" fn push<P: Port>(q: Queue, value: *const c_void) -> rs_status {
    status(|| {
        let v = unsafe { value.cast::<P::Value>().read() }; // first: it may lie inside the queue
        P::push(unsafe { &mut *q.cast() }, v)
    })
}
unsafe extern "C" fn pop<P: Port>(q: Queue) -> rs_status {
    status(|| P::pop(unsafe { &mut *q.cast() }).map(drop))
}
unsafe extern "C" fn pop_into<P: Port>(q: Queue, out: *mut c_void) -> rs_status {
    status(|| match P::pop(unsafe { &mut *q.cast() })? {
        Some(v) => {
            unsafe { out.cast::<P::Value>().write(v) };
            Ok(())
        }
        None => Err(Failure::Other("neither front nor pop gives the value")),
    })
}
unsafe extern "C" fn observe<P: Port>(q: Seen, seen: *mut rs_queue_seen) {
    never_fails(|| {
        let (q, seen) = unsafe { (&*q.cast::<P::Queue>(), &mut *seen) };
        seen.count = P::len(q);
        seen.capacity = P::CAPACITY.map_or(RS_NOT_OFFERED, |capacity| capacity(q));
        seen.front = match P::FRONT {
            Some(front) if seen.count != 0 => front(q).cast(),
            _ => null(),
        };
    })
}
unsafe extern "C" fn at<P: Port>(q: Seen, i: u64) -> *const c_void {
    never_fails(|| P::AT.map_or(null(), |at| at(unsafe { &*q.cast() }, i as usize).cast()))
}
unsafe extern "C" fn clear<P: Port>(q: Queue) -> rs_status {
    status(|| P::CLEAR.map_or(Ok(()), |clear| clear(unsafe { &mut *q.cast() })))
}
unsafe extern "C" fn release<P: Port>(q: Queue) -> rs_status {
    status(|| P::RELEASE.map_or(Ok(()), |release| release(unsafe { &mut *q.cast() })))
}

/// What a program writes that goes on using what it moved from, as std::mem::take does.
fn take<P: Port>(q: Queue) -> Result<P::Queue, Failure> {
    P::new().map(|fresh| std::mem::replace(unsafe { &mut *q.cast() }, fresh))
}
unsafe extern "C" fn move_construct<P: Port>(raw: Queue, from: Queue) -> rs_status {
    status(|| take::<P>(from).map(|q| unsafe { raw.cast::<P::Queue>().write(q) }))
}
unsafe extern "C" fn move_assign<P: Port>(to: Queue, from: Queue) -> rs_status {
    status(|| take::<P>(from).map(|q| unsafe { *to.cast::<P::Queue>() = q }))
}
unsafe extern "C" fn self_move<P: Port>(q: Queue) -> rs_status {
    unsafe { move_assign::<P>(q, q) }
}
unsafe extern "C" fn swap<P: Port>(a: Queue, b: Queue) -> rs_status {
    status(|| {
        let (a, b) = unsafe { (&mut *a.cast::<P::Queue>(), &mut *b.cast::<P::Queue>()) };
        std::mem::swap(a, b);
        Ok(())
    })
}
unsafe extern "C" fn self_swap<P: Port>(q: Queue) -> rs_status {
    status(|| {
        // The one way to swap a place with itself.
        std::slice::from_mut(unsafe { &mut *q.cast::<P::Queue>() }).swap(0, 0);
        Ok(())
    })
}
unsafe extern "C" fn slots<P: Port>(q: Seen, out: *mut rs_slots) {
    never_fails(|| {
        let out = unsafe { &mut *out };
        if let Some(slots) = P::SLOTS {
            let seen = slots(unsafe { &*q.cast() });
            out.base = seen.base.cast();
            out.stride = size_of::<P::Value>();
            out.slots = seen.slots as u64;
            out.head = seen.head as u64;
        }
    })
}

// ---- the text behind RS_THREW ---------------------------------------------------------------------------------------

/// Zero-terminated. In a buffer, since the ledger counts what a port allocates.
struct Text {
    bytes: [u8; 512],
    used: usize,
}
impl Text {
    fn set(&mut self, text: fmt::Arguments) {
        self.used = 0;
        let _ = self.write_fmt(text);
        self.bytes[self.used] = 0;
    }
}
impl fmt::Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let mut end = s.len().min(self.bytes.len() - 1 - self.used);
        while !s.is_char_boundary(end) {
            end -= 1;
        }
        self.bytes[self.used..self.used + end].copy_from_slice(&s.as_bytes()[..end]);
        self.used += end;
        Ok(())
    }
}

fn error_text() -> MutexGuard<'static, Text> {
    static TEXT: Mutex<Text> = Mutex::new(Text { bytes: [0; 512], used: 0 });
    TEXT.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

unsafe extern "C" fn last_error() -> *const c_char {
    error_text().bytes.as_ptr().cast()
}

/// Keeps the message of a panic for last_error, and writes it to stderr, which the gate tells of a process that dies
/// (panic=abort). The hook of std would allocate more than it must.
pub fn record_panics() {
    // Without memory std would follow its one line with a backtrace, whose end is all that the gate could tell.
    #[allow(unused_unsafe)] // it is unsafe from edition 2024 on
    unsafe {
        std::env::set_var("RUST_BACKTRACE", "0")
    };
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => text,
            (_, Some(text)) => text.as_str(),
            _ => "a value that is no text",
        };
        let mut text = error_text();
        match info.location() {
            Some(at) => text.set(format_args!("panic: {message}, at {}:{}", at.file(), at.line())),
            None => text.set(format_args!("panic: {message}")),
        }
        let _ = std::io::stderr().write_all(&text.bytes[..text.used]);
        let _ = std::io::stderr().write_all(b"\n");
    }));
}
