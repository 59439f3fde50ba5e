// SPDX-License-Identifier: Apache-2.0
//
// ringspec/queue/inline_ring_queue.hpp: the reference queue of the subject `queue`.
//
// `inline_ring_queue<T, N>` is a first-in first-out queue, in place of `std::queue<T>` and of the parts of
// `std::deque<T>` that a queue needs. It keeps the first N values inside the object itself. Only a queue that overflows
// them takes a heap block, which doubles when it is full and is given back, step by step, after the load has gone.
//
// Choose it when there are many queues (one per connection, say), when most of them hold no more than a few small
// values most of the time, and when a burst must neither fail nor keep its memory for ever. A queue whose depth never
// passes N costs no allocation and no memory beyond the object: 32 bytes for N = 1 and values of 12 or 16 bytes. Choose
// `std::deque` when values own something, or when references must survive a push at the end. Choose a fixed ring when
// the depth has a hard bound anyway.
//
// Surprises, in the order in which people meet them:
//   - A pop may allocate: sustained low occupancy halves the block. That attempt never fails visibly, and it never
//     happens to a queue that stayed inline. The policy `keep_storage` switches it off.
//   - References and pointers to values die on every push, every pop, every move and every swap. A heap block does keep
//     its address when it changes hands, but whether there is a block depends on the past of the queue.
//   - Values must be trivially copyable. The queue copies them with memcpy and never runs a destructor; what a value
//     refers to (a buffer, a file) is its user's to give back.
//   - pop leaves the bytes of the value where they were, as does clear: do not keep secrets here.
//   - Slots without a value are never written and hold indeterminate bytes.
//
// Thread safety: none; a const queue may be read from several threads at once.
//
// Preconditions (pop and front on an empty queue, an index beyond the size) are checked where the standard library
// checks its own, that is with _GLIBCXX_ASSERTIONS; else breaking one is undefined. Always checking would make a push,
// front and pop a fifth longer.
//
// Without exceptions (-fno-exceptions) the header compiles too. A push that finds no memory, or no capacity that is large
// enough, then calls std::abort(); a contraction that finds no memory stays silent there as well.
#ifndef RINGSPEC_QUEUE_INLINE_RING_QUEUE_HPP
#define RINGSPEC_QUEUE_INLINE_RING_QUEUE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace ringspec {

/// Contraction policy, the default: after as many consecutive low-water pops as the queue has capacity, the storage goes
/// one step down. A pop is low-water if the size after it is at most `low_water_threshold(capacity())`.
struct low_water {
  static constexpr bool contracts = true;
};

/// Contraction policy: push and pop never give storage back. release, move and destruction still do. For a queue whose
/// block has to stay where it is as long as the queue is in use.
struct keep_storage {
  static constexpr bool contracts = false;
};

namespace queue_detail {

[[noreturn, gnu::noinline, gnu::cold]] inline void throw_too_long() {
#if defined(__cpp_exceptions)
  throw std::length_error("inline_ring_queue: the next capacity would pass 2^31 slots or PTRDIFF_MAX bytes");
#else
  std::abort();
#endif
}

[[noreturn, gnu::noinline, gnu::cold]] inline void precondition_broken(const char* what) noexcept {
  std::fprintf(stderr, "inline_ring_queue: %s\n", what);
  std::abort();
}

inline void expect([[maybe_unused]] bool held, [[maybe_unused]] const char* what) noexcept {
#if defined(_GLIBCXX_ASSERTIONS)
  if (!held) precondition_broken(what);
#endif
}

}  // namespace queue_detail

/// A FIFO queue with InlineCapacity values in the object and a heap ring beyond them.
///
/// | operation              | invalidates                   | may throw                   | allocates                     |
/// | ---------------------- | ----------------------------- | --------------------------- | ----------------------------- |
/// | construct, move, swap  | everything in the queues      | never                       | never                         |
/// | push, emplace          | every reference               | bad_alloc, length_error (*) | once, if the queue was full   |
/// | pop                    | every reference               | never                       | at most once, see `low_water` |
/// | clear, release         | every reference               | never                       | never                         |
/// | front, back, [], sizes | nothing                       | never                       | never                         |
///
/// (*) Strong guarantee: a push that throws has changed nothing, not even the capacity. emplace also passes on what the
/// constructor of T throws, with the same guarantee.
///
/// Every operation is O(1), but for those that change the block, which copy the live values once (push and pop are
/// amortised O(1)), and for moves of inline contents, O(InlineCapacity).
template <class T, std::size_t InlineCapacity, class Contraction = low_water>
class inline_ring_queue {
  // The class `queue.constraints`: what breaks a rule does not compile, and the message says which rule it was. The
  // narrower rule comes first, because clang reports no more than one.
  static_assert(std::is_object_v<T> && std::is_same_v<T, std::remove_cv_t<T>>,
                "inline_ring_queue<T, N>: T must be an object type without const or volatile");
  static_assert(std::is_trivially_destructible_v<T>,
                "inline_ring_queue<T, N>: T must be trivially destructible (queue.constraints.trivially-destructible)");
  static_assert(std::is_trivially_copyable_v<T>,
                "inline_ring_queue<T, N>: T must be trivially copyable (queue.constraints.trivially-copyable)");
  static_assert(
      std::is_nothrow_copy_constructible_v<T>,
      "inline_ring_queue<T, N>: T must be copy constructible without exceptions (queue.constraints.nothrow-copy)");
  static_assert(InlineCapacity >= 1 && InlineCapacity <= (std::size_t{1} << 29) &&
                    (InlineCapacity & (InlineCapacity - 1)) == 0,
                "inline_ring_queue<T, N>: N must be a power of two from 1 to 2^29 (queue.constraints.power-of-two)");
  static_assert(std::is_same_v<Contraction, low_water> || std::is_same_v<Contraction, keep_storage>,
                "inline_ring_queue<T, N, P>: the contraction policy P must be low_water or keep_storage");

 public:
  using value_type = T;
  using size_type = std::size_t;

  /// Values that fit into the object itself.
  static constexpr size_type inline_capacity = InlineCapacity;
  /// Capacity of the first heap block (queue.growth-policy.first-heap-capacity).
  static constexpr size_type first_heap_capacity = 2 * InlineCapacity > 8 ? 2 * InlineCapacity : 8;
  /// The largest capacity there is (queue.growth-policy.last-capacity).
  static constexpr size_type max_capacity = size_type{1} << 31;

  /// The capacity that follows a full queue of `capacity`, itself a capacity of this queue: first_heap_capacity from
  /// inline, else the double. Throws std::length_error if that is more than max_capacity slots or PTRDIFF_MAX bytes.
  /// Serves queue.growth-policy.next-capacity, .doubles-when-full and .last-capacity.
  [[nodiscard]] static constexpr size_type next_capacity(size_type capacity) {
    if (capacity >= max_capacity) queue_detail::throw_too_long();
    const size_type next = capacity == inline_capacity ? first_heap_capacity : 2 * capacity;
    if (next > static_cast<size_type>(PTRDIFF_MAX) / sizeof(T)) queue_detail::throw_too_long();
    return next;
  }

  /// Where a contraction of a heap block of `capacity` leads: back to inline_capacity from the first heap capacity, else
  /// to the half. Serves queue.shrink-policy.one-step and .ends-inline.
  [[nodiscard]] static constexpr size_type previous_capacity(size_type capacity) noexcept {
    return capacity == first_heap_capacity ? inline_capacity : capacity / 2;
  }

  /// The largest size after a pop that makes it a low-water pop, at a heap block of `capacity`
  /// (queue.shrink-policy.threshold): a quarter of it, or what the previous storage holds if that is less, as at N = 1,
  /// where 8 slots contract to a single one.
  [[nodiscard]] static constexpr size_type low_water_threshold(size_type capacity) noexcept {
    if constexpr (first_heap_capacity / 4 > inline_capacity)
      if (capacity == first_heap_capacity) return inline_capacity;
    return capacity / 4;
  }

  // ---- construction, move, destruction -----------------------------------------------------------------------------

  /// An empty queue, inline; allocates nothing and writes no slot.
  /// Serves queue.fifo.starts-empty, queue.inline.construction and queue.slots.construction.
  inline_ring_queue() noexcept = default;

  /// Takes over the contents of `other`, which is empty, inline and usable at once. A heap block changes hands as it is,
  /// with its low-water count, so values keep their addresses; inline values are copied in order, from slot 0 on.
  /// Serves the class queue.move, queue.slots-move.live-only and .source-untouched.
  inline_ring_queue(inline_ring_queue&& other) noexcept { take(other); }

  /// As move construction; the block that this queue had is released first. Assigning a queue to itself changes nothing.
  /// Serves queue.move.assign-replaces, .assign-releases-old and .self-move-keeps.
  inline_ring_queue& operator=(inline_ring_queue&& other) noexcept {
    if (this != &other) {
      deallocate_block();
      take(other);
    }
    return *this;
  }

  inline_ring_queue(const inline_ring_queue&) = delete;
  inline_ring_queue& operator=(const inline_ring_queue&) = delete;

  /// Releases the block, if there is one (queue.storage.no-leak and .released-once).
  ~inline_ring_queue() { deallocate_block(); }

  /// Exchanges contents, blocks and low-water counts, for every pair of sizes and storage modes
  /// (queue.move.swap-exchanges, .self-swap-keeps).
  void swap(inline_ring_queue& other) noexcept {
    if (this == &other) return;
    inline_ring_queue held(std::move(other));
    other.take(*this);  // both are without a block of their own here: there is nothing to release
    take(held);
  }
  friend void swap(inline_ring_queue& a, inline_ring_queue& b) noexcept { a.swap(b); }

  // ---- the queue ---------------------------------------------------------------------------------------------------

  /// Appends a copy of `value`, which may be an element of this queue (class queue.alias).
  /// A full queue grows first: one allocation, then one release of the old block (class queue.growth-policy).
  /// Throws std::bad_alloc or std::length_error, and has then changed nothing (class queue.failure).
  void push(const T& value) {
    if (size_ == capacity_) [[unlikely]] {
      push_growing(value);
      return;
    }
    const counter size = size_;  // read once: for all the compiler knows, making the value may write a counter
    ::new (static_cast<void*>(slots() + index_of(size))) T(value);
    size_ = size + 1;
  }

  /// Appends a T made from `args`, which may refer to elements of this queue or to parts of them (class
  /// queue.alias-emplace), and returns it. Throws what push throws and what that constructor throws.
  template <class... Args>
  requires std::is_constructible_v<T, Args...> T& emplace(Args&&... args) {
    if (size_ == capacity_) [[unlikely]] {
      push_growing(T(std::forward<Args>(args)...));
      return back();
    }
    const counter size = size_;
    T* const made = ::new (static_cast<void*>(slots() + index_of(size))) T(std::forward<Args>(args)...);
    size_ = size + 1;
    return *made;
  }

  /// Removes the oldest value and writes nothing into its slot (queue.slots.pop). Precondition: !empty().
  /// The capacity()-th consecutive low-water pop contracts the storage by one step, before it returns (class
  /// queue.shrink-policy); if there is no memory for that, all stays as it is (queue.failure.halving-silent).
  void pop() noexcept {
    queue_detail::expect(size_ != 0, "pop() on an empty queue");
    head_ = index_of(1);
    --size_;
    if constexpr (Contraction::contracts) {
      if (!is_inline() && size_ <= low_water_threshold(capacity_)) count_low_water_pop();
    }
  }

  /// The oldest value. Precondition: !empty().
  [[nodiscard]] T& front() noexcept {
    queue_detail::expect(size_ != 0, "front() of an empty queue");
    return slots()[head_];
  }
  [[nodiscard]] const T& front() const noexcept {
    queue_detail::expect(size_ != 0, "front() of an empty queue");
    return slots()[head_];
  }

  /// The newest value. Precondition: !empty().
  [[nodiscard]] T& back() noexcept { return (*this)[size() - 1]; }
  [[nodiscard]] const T& back() const noexcept { return (*this)[size() - 1]; }

  /// The value that i pops would bring to the front (queue.fifo-interior.read). Precondition: i < size().
  [[nodiscard]] T& operator[](size_type i) noexcept {
    queue_detail::expect(i < size_, "an index beyond the size");
    return slots()[index_of(static_cast<counter>(i))];
  }
  [[nodiscard]] const T& operator[](size_type i) const noexcept {
    queue_detail::expect(i < size_, "an index beyond the size");
    return slots()[index_of(static_cast<counter>(i))];
  }

  /// Empties the queue and keeps its storage: no allocation, no release, no contraction, no write to a slot. The
  /// low-water count starts again. Serves queue.fifo.clear, queue.storage.clear-keeps-capacity and .clear-resets-count.
  void clear() noexcept {
    head_ = 0;
    size_ = 0;
    low_water_count_ = 0;
  }

  /// Empties the queue and goes back to inline storage; a block is given back (queue.storage.release-to-inline).
  void release() noexcept {
    deallocate_block();
    become_empty_inline();
  }

  [[nodiscard]] size_type size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Values that fit without growth. At least inline_capacity, and always a power of two.
  [[nodiscard]] size_type capacity() const noexcept { return capacity_; }
  /// Whether the values are in the object itself, so that there is no block. Heap capacities are all larger than N.
  [[nodiscard]] bool is_inline() const noexcept { return capacity_ == inline_capacity; }

  // ---- the storage, read-only, for tests and audits ----------------------------------------------------------------

  /// Address of slot 0; element i is in slot (head() + i) mod capacity(). Slots without a value are indeterminate.
  [[nodiscard]] const T* data() const noexcept { return slots(); }
  /// Slot of the oldest value; less than capacity() also in an empty queue.
  [[nodiscard]] size_type head() const noexcept { return head_; }
  /// The low-water count as it is stored. It means something only on the heap at a size of at most the threshold: see
  /// count_low_water_pop. Serves the audit of queue.inline.low-water-untouched.
  [[nodiscard]] size_type low_water_count() const noexcept { return low_water_count_; }
  /// Bytes from the start of the object to the first counter (queue.layout.counters-offset).
  [[nodiscard]] static constexpr size_type counters_offset() noexcept { return offsetof(inline_ring_queue, capacity_); }

 private:
  // 32 bits, so that with a 12-byte or 16-byte value the whole object is 32 bytes: half a cache line.
  using counter = std::uint32_t;

  // The active member is told by the capacity: `inline_bytes` if it is inline_capacity, else `block`. An array of bytes
  // provides storage for the values and needs no T to be made; making one by default-initialisation writes nothing.
  union storage {
    storage() noexcept { start_inline(); }
    void start_inline() noexcept { ::new (static_cast<void*>(inline_bytes)) std::byte[sizeof inline_bytes]; }

    alignas(T) std::byte inline_bytes[InlineCapacity * sizeof(T)];
    T* block;
  };

  // Small values travel to the outlined growth in registers: if push had to pass an address, callers would build every
  // value in memory first, for a path that they hardly ever take.
  using growth_argument = std::conditional_t<sizeof(T) <= 2 * sizeof(void*), const T, const T&>;

  // g++ 12 does not follow that the capacity tells which member is active: with sanitizers it warns of a block that was
  // never set, in the code of whoever uses an inline queue.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  [[nodiscard]] T* inline_slots() noexcept { return reinterpret_cast<T*>(storage_.inline_bytes); }
  [[nodiscard]] T* slots() noexcept { return is_inline() ? inline_slots() : storage_.block; }
  [[nodiscard]] const T* slots() const noexcept {
    return is_inline() ? reinterpret_cast<const T*>(storage_.inline_bytes) : storage_.block;
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  // Slot of element i. head_ + i stays below 2^32, since both are below or at 2^31.
  [[nodiscard]] counter index_of(counter i) const noexcept { return (head_ + i) & (capacity_ - 1); }

  // ---- the two ways to change the storage in use, both out of line -------------------------------------------------

  // The order is what makes push safe. Everything that can throw comes before anything is touched; the new value is made
  // before the block that its argument may lie in goes away.
  [[gnu::noinline, gnu::cold]] void push_growing(growth_argument value) {
    const size_type capacity = next_capacity(capacity_);
    T* const block = allocate(capacity);
    ::new (static_cast<void*>(block + size_)) T(value);
    move_into_block(block, capacity);
    ++size_;
  }

  // One step down. The count starts again whether there was memory or not, so that attempts that fail are as rare as
  // attempts that succeed (queue.failure.halving-restarts-count).
  [[gnu::noinline, gnu::cold]] void contract() noexcept {
    low_water_count_ = 0;
    const size_type capacity = previous_capacity(capacity_);
    if (capacity == inline_capacity) {
      return_to_inline();
    } else if (T* const block = try_allocate(capacity)) {
      move_into_block(block, capacity);
    }
  }

  // Called by a pop that left a size of at most the threshold. The count is kept here alone: push never touches it.
  // A pop that lands on the threshold itself came from above it. Whatever brought the queue above it was a push, which
  // ended the series of low pops, so this pop is the first of a new one. A pop that lands lower continues a series.
  // (A series that starts lower, after a contraction or a clear, starts from the 0 that those write. Growth needs no
  // write: it leaves the size above the new threshold.)
  void count_low_water_pop() noexcept {
    low_water_count_ = size_ == low_water_threshold(capacity_) ? 1 : low_water_count_ + 1;
    if (low_water_count_ == capacity_) [[unlikely]]
      contract();
  }

  // ---- storage -----------------------------------------------------------------------------------------------------

  // The live values, oldest first, from where they are to `destination`; nothing else is read or written.
  // memcpy because it keeps every byte, and because it starts the lifetime of what it writes.
  void copy_live_values(const T* from, T* destination) const noexcept {
    const size_type until_end = capacity_ - head_;
    const size_type first = size_ < until_end ? size_ : until_end;
    std::memcpy(static_cast<void*>(destination), from + head_, first * sizeof(T));
    std::memcpy(static_cast<void*>(destination + first), from, (size_ - first) * sizeof(T));
  }

  void move_into_block(T* block, size_type capacity) noexcept {
    copy_live_values(slots(), block);
    deallocate_block();
    storage_.block = block;
    capacity_ = static_cast<counter>(capacity);
    head_ = 0;
  }

  // The block's address is saved first: the values are about to be written over it.
  void return_to_inline() noexcept {
    T* const block = storage_.block;
    const size_type capacity = capacity_;
    storage_.start_inline();
    copy_live_values(block, inline_slots());
    capacity_ = inline_capacity;
    head_ = 0;
    deallocate(block, capacity);
  }

  // Precondition: this queue owns no block (any more), and `other` is another queue.
  void take(inline_ring_queue& other) noexcept {
    if (other.is_inline()) {
      become_empty_inline();
      other.copy_live_values(other.inline_slots(), inline_slots());
    } else {
      storage_.block = other.storage_.block;
      capacity_ = other.capacity_;
      head_ = other.head_;
      low_water_count_ = other.low_water_count_;
    }
    size_ = other.size_;
    other.become_empty_inline();
  }

  // Forgets values and block. Writes no slot.
  void become_empty_inline() noexcept {
    if (!is_inline()) storage_.start_inline();
    capacity_ = inline_capacity;
    clear();
  }

  void deallocate_block() noexcept {
    if (!is_inline()) deallocate(storage_.block, capacity_);
  }

  // Memory comes from the operator new that fits the alignment of T and goes back to its counterpart, with the very same
  // size (queue.growth.aligned-slots, queue.growth-bytes.exact, queue.storage.release-size, .release-alignment).
  static constexpr bool over_aligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;

  [[nodiscard]] static T* allocate(size_type capacity) {
#if defined(__cpp_exceptions)
    if constexpr (over_aligned)
      return static_cast<T*>(::operator new (capacity * sizeof(T), std::align_val_t{alignof(T)}));
    else
      return static_cast<T*>(::operator new(capacity * sizeof(T)));
#else
    T* const block = try_allocate(capacity);
    if (block == nullptr) std::abort();
    return block;
#endif
  }

  // Null if there is no memory. The nothrow form, so that a contraction survives also where nobody can catch.
  [[nodiscard]] static T* try_allocate(size_type capacity) noexcept {
    if constexpr (over_aligned)
      return static_cast<T*>(::operator new (capacity * sizeof(T), std::align_val_t{alignof(T)}, std::nothrow));
    else
      return static_cast<T*>(::operator new(capacity * sizeof(T), std::nothrow));
  }

  static void deallocate(T* block, size_type capacity) noexcept {
    if constexpr (over_aligned)
      ::operator delete (block, capacity * sizeof(T), std::align_val_t{alignof(T)});
    else
      ::operator delete(block, capacity * sizeof(T));
  }

  storage storage_;
  counter capacity_ = inline_capacity;
  counter head_ = 0;
  counter size_ = 0;
  counter low_water_count_ = 0;
};

}  // namespace ringspec

#endif
