// SPDX-License-Identifier: Apache-2.0
//
// Loading a module of ports, and saying in a sentence why it is refused. Runs in the watched child only: the gate's own
// process never loads anybody's code.
#pragma once
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#include "ringspec/trace/subject.hpp"

namespace ringspec {

/// A module or port that is not usable; what() is one sentence for the user (exit status 2).
class load_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Opens the module with the taps in place, checks what the boundary promises, initialises the ports and returns them.
std::vector<const rs_port*> load_ports(const std::string& module);
/// True if the ledger sees an allocation and a release made inside a module of our own (probe.so).
bool ledger_sees_the_probe();

/// What the gate has to know of a port to plan and to judge, without loading it itself. Throws load_error if the port
/// claims what it cannot back.
nlohmann::json describe(const rs_port& port, std::string_view module);
/// By requirement of the specification: may a difference be charged to it? What is claimed and applies; with `survey`
/// (of a job), every class that the port's functions allow. `about` is what describe() said.
std::vector<bool> judged_requirements(const nlohmann::json& about, std::string_view survey);
/// Is the name in a JSON list of strings?
bool contains(const nlohmann::json& list, std::string_view name);
/// The port as this job judges it: the second look of a survey has other numbers.
const rs_port& judged_port(const rs_port& port, std::string_view survey);

}  // namespace ringspec
