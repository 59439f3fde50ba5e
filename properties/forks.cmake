# SPDX-License-Identifier: Apache-2.0
# Programs of the typed properties with a forked reference, each with a fault that the property of its name is there to
# find: typed_fork_NAME. checks.sh runs them.
include(fork_reference)

# ringspec_property_fork(PROPERTY FIND text REPLACE text [MODEL_FIND text MODEL_REPLACE text])
#
# Two closed forms are to be seen to find what the model would not: there the model has the queue's fault.
function(ringspec_property_fork property)
  cmake_parse_arguments(PARSE_ARGV 1 fork "" "FIND;REPLACE;MODEL_FIND;MODEL_REPLACE" "")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/fork/${property}")
  set(name typed_fork_${property})
  add_executable(${name} typed.cpp $<TARGET_OBJECTS:ringspec_check> $<TARGET_OBJECTS:ringspec_typed>)
  target_include_directories(${name} BEFORE PRIVATE "${folder}")
  target_compile_definitions(${name} PRIVATE RINGSPEC_FEW_INSTANCES)
  ringspec_property_target(${name})
  set(queue "${PROJECT_SOURCE_DIR}/src/ringspec/queue")
  ringspec_fork_reference(SOURCE "${queue}/inline_ring_queue.hpp" OUTPUT "${folder}/ringspec/queue/inline_ring_queue.hpp"
                          FIND "${fork_FIND}" REPLACE "${fork_REPLACE}")
  if(fork_MODEL_FIND)
    ringspec_fork_reference(SOURCE "${queue}/model.hpp" OUTPUT "${folder}/ringspec/queue/model.hpp"
                            FIND "${fork_MODEL_FIND}" REPLACE "${fork_MODEL_REPLACE}")
  endif()
endfunction()

# The same fault as the port trap_fork has, on which checks.sh replays the trace.
ringspec_property_fork(any_steps FIND "capacity == inline_capacity ? first_heap_capacity : 2 * capacity"
                       REPLACE "capacity == inline_capacity ? first_heap_capacity : 4 * capacity")
# The count is lost with a move.
ringspec_property_fork(moves FIND "low_water_count_ = other.low_water_count_;" REPLACE "low_water_count_ = 0;")
# The argument is read after the block that it lies in has gone.
ringspec_property_fork(
  aliasing
  FIND "::new (static_cast<void*>(block + size_)) T(value);\n    move_into_block(block, capacity);"
  REPLACE "move_into_block(block, capacity);\n    ::new (static_cast<void*>(block + size_)) T(value);")
# What wrapped around is copied from the wrong place.
ringspec_property_fork(wrapped_resizing FIND "(destination + first), from, (size_ - first)"
                       REPLACE "(destination + first), from + 1, (size_ - first)")
# The head stays where it was.
ringspec_property_fork(back_to_inline FIND "capacity_ = inline_capacity;\n    head_ = 0;\n    deallocate(block, capacity);"
                       REPLACE "capacity_ = inline_capacity;\n    head_ = index_of(0);\n    deallocate(block, capacity);")
# A failed halving is tried again at the next low pop.
ringspec_property_fork(
  failures
  FIND "} else if (T* const block = try_allocate(capacity)) {\n      move_into_block(block, capacity);\n    }"
  REPLACE "} else if (T* const block = try_allocate(capacity)) {\n      move_into_block(block, capacity);\n    } else {\n      low_water_count_ = capacity_ - 1;\n    }"
)
# Half the threshold, and the model agrees.
ringspec_property_fork(
  drain
  FIND "return capacity / 4;" REPLACE "return capacity / 8;"
  MODEL_FIND "return std::min(capacity / low_divisor, previous(capacity));"
  MODEL_REPLACE "return capacity == first_heap && inline_capacity == 1 ? 1 : capacity / 8;")
# Three low pops are enough, and the model agrees.
ringspec_property_fork(
  few_allocations
  FIND "if (low_water_count_ == capacity_)" REPLACE "if (low_water_count_ == 3)"
  MODEL_FIND "low + 1 == capacity;" MODEL_REPLACE "low + 1 == 3;")
