// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a trace, through the same bench that `ringspec verify` judges with. The first difference is printed with its
// requirement and its trace, and ends the program.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include "fuzz/chosen_port.hpp"
#include "fuzz/decode.hpp"
#include "ringspec/trace/text.hpp"

namespace {

using namespace ringspec;

/// One bench for each instance, open for the life of the process. Its allocations are not those of an execution.
struct benches {
  evidence counts;
  position at;
  std::vector<std::unique_ptr<bench>> of;

  explicit benches(const fuzz::chosen_port& c) {
    for (std::size_t i = 0; i < c.instances.size(); ++i)
      of.push_back(c.about->open({c.port, i, &c.judged, &counts, &at}));
  }
};

/// Never destroyed: an object that showed a difference is abandoned as it is.
benches& opened() {
  static benches& all = *new benches(fuzz::the_port());
  return all;
}

[[noreturn]] void tell(const fuzz::decoded& d, failure f) {
  const fuzz::chosen_port& c = fuzz::the_port();
  trace t;
  t.subject = c.about->name();
  t.instance = c.instances[d.instance];
  t.port = c.shown_as;
  t.about = "From bytes of a fuzzer.";
  // Again, with everything read back after each step, so that the difference falls on its cause.
  std::vector<step> done;
  const auto again = opened().of[d.instance]->run(d.steps, {true, [&](const observation& o) {
                                                              if (o.applied) done.push_back(o.done);
                                                            }});
  if (again) {
    f = *again;
    t.steps = done;
  } else {
    t.steps.assign(d.steps.begin(),
                   d.steps.begin() + static_cast<std::ptrdiff_t>(std::min(f.step + 1, d.steps.size())));
  }
  const requirement& r = c.about->text().requirements[f.requirement];
  t.requirement = r.name;
  fmt::print(stderr, "FAILED {} ({})\n  {}\n  expected  {}: {}\n  seen      {}: {}\n\n{}\n", r.name, r.level, r.rule,
             f.what, f.expected, f.what, f.seen, to_text(t, c.about->operations()));
  std::abort();
}

/// A trace that nobody judges. Returns why the ledger does not see this port's memory, or "".
std::string warm_up() {
  const fuzz::chosen_port& c = fuzz::the_port();
  const std::vector<bool> nobody(c.judged.size(), false);
  evidence unused;
  position at;
  const auto warm = c.about->open({c.port, 0, &nobody, &unused, &at});
  std::vector<step> steps;
  std::uint64_t seed = 0;
  do {
    warm->random_trace(++seed, steps);
    steps.resize(std::min<std::size_t>(steps.size(), 200));
  } while (c.about->plans_faults(steps));
  static_cast<void>(warm->run(steps, {}));
  return warm->blind();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const fuzz::chosen_port& c = fuzz::the_port();
  fmt::print(stderr, "fuzz: port {}, {} instances\n", c.port->name, c.instances.size());
  // What a port does once is to be behind it. One that dies of that shall do so in an input.
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
    static_cast<void>(warm_up());
    ::_exit(0);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) return 0;
  if (const std::string blind = warm_up(); !blind.empty()) fmt::print(stderr, "fuzz: {}\n", blind);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::chosen_port& c = fuzz::the_port();
  static fuzz::decoder decoder;
  const fuzz::decoded d = decoder.decode({data, size}, c.about->operations(), c.instances.size());
  // A port that aborts without memory would end the fuzzer by doing what it owes.
  if (c.port->oom == RS_OOM_ABORTS && c.about->plans_faults(d.steps)) return 0;
  if (auto f = opened().of[d.instance]->run(d.steps, {d.closely, {}})) tell(d, std::move(*f));
  return 0;
}
