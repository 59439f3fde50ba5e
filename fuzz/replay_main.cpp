// SPDX-License-Identifier: Apache-2.0
//
// A plain main for a fuzz target: runs it on each file that is named, and on each file in the folders that are. For
// compilers without libFuzzer, and for every test run.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "fuzz/replay.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

namespace fs = std::filesystem;

std::vector<char> contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file.string() + ": it cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> files_of(const fs::path& argument) {
  if (!fs::is_directory(argument)) return {argument};
  std::vector<fs::path> result;
  for (const auto& e : fs::recursive_directory_iterator(argument)) {
    if (e.is_regular_file()) result.push_back(e.path());
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) try {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  std::size_t inputs = 0, traces = 0;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& file : files_of(argv[i])) {
      // The last line is for who looks for what ended the program.
      std::fprintf(stderr, "%s\n", file.c_str());
      const std::vector<char> bytes = contents(file);
      if (ringspec_fuzz_replay != nullptr && file.extension() == ".trace") {
        ringspec_fuzz_replay({bytes.data(), bytes.size()}, file.string());
        ++traces;
      } else {
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        ++inputs;
      }
    }
  }
  std::printf("%zu inputs and %zu traces replayed\n", inputs, traces);
  if (inputs + traces != 0) return 0;
  std::fprintf(stderr, "replay: nothing was replayed; name files, or folders of files.\n");
  return 2;
} catch (const std::exception& e) {
  std::fprintf(stderr, "replay: %s\n", e.what());
  return 2;
}
