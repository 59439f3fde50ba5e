# SPDX-License-Identifier: Apache-2.0
#
#   find_package(ringspec 0.1 CONFIG)
#
#   ringspec::ringspec     the command
#   ringspec::port         include path of ringspec/port.h and of the C++ adapter
#   ringspec::queue        include path of the reference queue, ringspec/queue/inline_ring_queue.hpp
#   ringspec_add_port()    builds a port and lets the gate judge it; described in ringspec_add_port.cmake
cmake_policy(VERSION 3.19...3.25)
include("${CMAKE_CURRENT_LIST_DIR}/ringspecTargets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ringspec_add_port.cmake")
