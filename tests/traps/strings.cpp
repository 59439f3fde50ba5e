// SPDX-License-Identifier: Apache-2.0
//
// A correct queue that keeps a text of what it did: of the old kind, whose memory the port's own code and the C++ library
// take and give back in turn.
#define _GLIBCXX_USE_CXX11_ABI 0
#include <deque>
#include <sstream>
#include <string>
#include "ringspec/queue/queue_port.hpp"

namespace {

template <class T>
struct talkative : std::deque<T> {
  void push_back(const T& value) {
    std::string more(40, 'x');
    more.insert(3, std::string(300, 'y'));
    std::ostringstream out;
    out << text << more;
    text = out.str();
    text += text.substr(0, 100);
    if (text.size() > 2000) text.clear();
    std::deque<T>::push_back(value);
  }
  std::string text;
};

}  // namespace

RINGSPEC_QUEUE_PORT("trap-strings", RS_OOM_STATUS, ("fifo", "fifo-interior"), talkative<T>)
