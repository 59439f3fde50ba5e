// SPDX-License-Identifier: Apache-2.0
#include "ringspec/run/runtime.hpp"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include "ringspec/alloc/definedness.hpp"

extern char** environ;

namespace ringspec {
namespace {

namespace fs = std::filesystem;

/// Bounds-checked looks into the file: it may be anything.
class elf_file {
 public:
  explicit elf_file(const std::string& path) {
    // Mapped: with debug information it may be large, and it is looked at for every child.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::error_code none;
    const std::uintmax_t size = fd < 0 ? 0 : fs::file_size(path, none);
    void* const memory = none || size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0) ::close(fd);
    if (memory == MAP_FAILED) return;
    bytes_ = {static_cast<const char*>(memory), size};
    const auto header = at<ElfW(Ehdr)>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shentsize != sizeof(ElfW(Shdr))) return;
    for (std::size_t i = 0; i < header.e_shnum; ++i)
      sections_.push_back(at<ElfW(Shdr)>(header.e_shoff + i * sizeof(ElfW(Shdr))));
  }
  elf_file(const elf_file&) = delete;
  elf_file& operator=(const elf_file&) = delete;
  ~elf_file() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }

  /// Values of the dynamic section's entries with this tag, as strings.
  [[nodiscard]] std::vector<std::string> dynamic_strings(ElfW(Sxword) tag) const {
    std::vector<std::string> result;
    each<ElfW(Dyn)>(SHT_DYNAMIC, [&](const ElfW(Dyn) & d, const ElfW(Shdr) & strings) {
      if (d.d_tag == tag) result.emplace_back(text(strings, d.d_un.d_val));
    });
    return result;
  }

  [[nodiscard]] bool imports(std::string_view prefix) const {
    bool found = false;
    each<ElfW(Sym)>(SHT_DYNSYM, [&](const ElfW(Sym) & s, const ElfW(Shdr) & strings) {
      found = found || (s.st_shndx == SHN_UNDEF && text(strings, s.st_name).starts_with(prefix));
    });
    return found;
  }

  [[nodiscard]] bool contains(std::string_view what) const { return bytes_.find(what) != std::string_view::npos; }

 private:
  template <class T>
  [[nodiscard]] T at(std::size_t offset) const {
    T result{};
    if (offset <= bytes_.size() && bytes_.size() - offset >= sizeof(T))
      std::memcpy(&result, bytes_.data() + offset, sizeof(T));
    return result;
  }
  template <class T, class F>
  void each(std::uint32_t type, F f) const {
    for (const auto& s : sections_) {
      if (s.sh_type != type || s.sh_link >= sections_.size()) continue;
      for (std::size_t i = 0; i < std::min(s.sh_size, bytes_.size()) / sizeof(T); ++i)
        f(at<T>(s.sh_offset + i * sizeof(T)), sections_[s.sh_link]);
    }
  }
  [[nodiscard]] std::string_view text(const ElfW(Shdr) & strings, std::size_t offset) const {
    constexpr std::size_t longest = 4096;
    const std::size_t start = strings.sh_offset + offset;
    const std::string_view rest = start < bytes_.size() ? bytes_.substr(start, longest) : "";
    return rest.substr(0, rest.find('\0'));
  }

  std::string_view bytes_;
  std::vector<ElfW(Shdr)> sections_;
};

struct sanitizer {
  std::string_view name, imports, flag;
  const char* entry;  // a function that every runtime of it has
  bool loadable;      // a runner that is not instrumented can load what it has instrumented
};
constexpr std::array<sanitizer, 4> sanitizers{
    {{"AddressSanitizer", "__asan_init", "-shared-libsan", "__asan_init", true},
     {"ThreadSanitizer", "__tsan_init", "-shared-libsan", "__tsan_init", true},
     {"MemorySanitizer", "__msan_init", "", "__msan_init", false},
     {"UndefinedBehaviorSanitizer", "__ubsan_handle", "-shared-libsan", "__ubsan_handle_type_mismatch_v1", true}}};

/// Of the libraries that have to be there first. (libubsan, of g++, is not one of them.)
bool is_runtime(std::string_view library) {
  constexpr std::array<std::string_view, 5> names{"libclang_rt.", "libasan.", "libtsan.", "liblsan.", "libhwasan."};
  return std::any_of(names.begin(), names.end(), [&](std::string_view n) { return library.starts_with(n); });
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> result;
  std::error_code none;
  for (const auto& e : fs::directory_iterator(folder, none)) result.push_back(e.path());
  std::sort(result.begin(), result.end());
  return result;
}

/// clang keeps its runtimes where no dynamic linker looks: lib/clang/VERSION/lib/TARGET below its own folder.
std::string find_clang_runtime(const elf_file& file, const std::string& library) {
  std::string found;
  for (const fs::path& root : {fs::path("/usr/lib"), fs::path("/usr/local/lib"), fs::path("/opt")}) {
    std::vector<fs::path> homes{root / "clang"};
    for (const fs::path& e : entries(root)) homes.push_back(e / "lib" / "clang");
    for (const fs::path& home : homes) {
      for (const fs::path& version : entries(home)) {
        const std::string number = version.filename().string();
        for (const fs::path& target : entries(version / "lib")) {
          const fs::path candidate = target / library;
          if (!fs::exists(candidate)) continue;
          // The compiler signs its files; another version's runtime is only better than none.
          if (file.contains("clang version " + number.substr(0, number.find('.')) + ".")) return candidate.string();
          found = candidate.string();
        }
      }
    }
  }
  return found;
}

/// Where the file says that its libraries are.
std::vector<fs::path> run_paths(const elf_file& file, const fs::path& path) {
  std::vector<fs::path> result;
  for (const auto tag : {DT_RUNPATH, DT_RPATH}) {
    for (const std::string& folders : file.dynamic_strings(tag)) {
      for (std::size_t from = 0; from <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', from), folders.size());
        std::string folder = folders.substr(from, end - from);
        for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"}) {
          if (const std::size_t at = folder.find(origin); at != std::string::npos)
            folder.replace(at, origin.size(), fs::absolute(path).parent_path().string());
        }
        result.emplace_back(folder);
        from = end + 1;
      }
    }
  }
  return result;
}

std::string find_runtime(const elf_file& file, const std::vector<fs::path>& folders, const std::string& library) {
  std::error_code none;
  for (const fs::path& folder : folders) {
    // LD_PRELOAD can say no path that holds one of these.
    const std::string candidate = (folder / library).string();
    if (fs::exists(candidate, none) && candidate.find_first_of(" :") == std::string::npos) return candidate;
  }
  if (library.starts_with("libclang_rt.")) {
    if (std::string found = find_clang_runtime(file, library); !found.empty()) return found;
  }
  return library;
}

/// A runtime of clang calls llvm-symbolizer, which lies in the bin folder of the same installation.
std::string symbolizer_near(const std::string& runtime) {
  for (fs::path p = fs::path(runtime).parent_path(); p.has_relative_path(); p = p.parent_path()) {
    if (fs::exists(p / "bin" / "llvm-symbolizer")) return (p / "bin" / "llvm-symbolizer").string();
  }
  return "";
}

bool is_loaded(const std::string& library) {
  void* const handle = ::dlopen(fs::path(library).filename().c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

runtime_needs needs_of(const std::string& module) {
  runtime_needs needs;
  bool has_runtime = false;
  // The libraries that it brings along may be the ones that are instrumented.
  std::vector<fs::path> files{module};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const elf_file file(files[i].string());
    const std::vector<fs::path> folders = run_paths(file, files[i]);
    for (const std::string& library : file.dynamic_strings(DT_NEEDED)) {
      has_runtime = has_runtime || is_runtime(library) || library.starts_with("libubsan.");
      if (is_runtime(library)) {
        const std::string found = find_runtime(file, folders, library);
        if (std::find(needs.preload.begin(), needs.preload.end(), found) == needs.preload.end())
          needs.preload.push_back(found);
        if (needs.symbolizer.empty()) needs.symbolizer = symbolizer_near(found);
        continue;
      }
      std::error_code none;
      for (const fs::path& folder : folders) {
        const fs::path candidate = (folder / library).lexically_normal();
        if (fs::is_regular_file(candidate, none) && std::find(files.begin(), files.end(), candidate) == files.end())
          files.push_back(candidate);
      }
    }
  }
  const elf_file file(module);
  for (const sanitizer& s : sanitizers) {
    if (!file.imports(s.imports)) continue;
    if (!s.loadable) {
      needs.problem = fmt::format(
          "it is built with {}, which finds nothing in a process that is not built with it as a whole; use {} instead",
          s.name, "`ringspec verify --under valgrind`");
    } else if (!has_runtime && ::dlsym(RTLD_DEFAULT, s.entry) == nullptr) {  // else this program brings it along
      needs.problem = fmt::format(
          "it is built with {}, but not linked to its runtime, which is left to the program: with clang add {} to the "
          "flags with which the module is linked, with g++ drop -static-libasan and the like",
          s.name, s.flag);
    }
    break;
  }
  return needs;
}

std::string lacks_runtime(const std::string& module) {
  const runtime_needs needs = needs_of(module);
  if (!needs.problem.empty()) return needs.problem;
  std::vector<std::string> missing;
  std::copy_if(needs.preload.begin(), needs.preload.end(), std::back_inserter(missing),
               [](const std::string& library) { return !is_loaded(library); });
  if (missing.empty()) return "";
  return fmt::format("it needs {}, which must be in the process from its start: put LD_PRELOAD={} before the command",
                     fmt::join(missing, " and "), fmt::join(missing, ":"));
}

std::vector<std::string> tool_command(const std::string& typed) {
  std::istringstream words(typed);
  std::vector<std::string> command{std::istream_iterator<std::string>(words), {}};
  if (command.empty() || fs::path(command[0]).filename() != "valgrind") return command;
  if (!alloc::speaks_to_memcheck()) {
    throw std::runtime_error(
        "--under valgrind: this program was built without valgrind/memcheck.h, so memcheck would not see the heap of a "
        "port; install Valgrind and build anew");
  }
  // First, so that options that were typed win. What is left at the end is mostly the gate's, which counts itself.
  const bool memcheck = std::none_of(command.begin(), command.end(), [](const std::string& word) {
    return word.starts_with("--tool=") && word != "--tool=memcheck";
  });
  if (memcheck) command.insert(command.begin() + 1, {"--show-leak-kinds=none", "--errors-for-leak-kinds=none"});
  command.insert(command.begin() + 1, {"-q", "--vgdb=no", "--error-exitcode=97", "--exit-on-first-error=yes"});
  return command;
}

std::vector<std::string> child_environment(const std::string& module) {
  const runtime_needs needs = needs_of(module);
  std::vector<std::pair<std::string, std::string>> ours;
  std::vector<std::string> preload;
  std::copy_if(needs.preload.begin(), needs.preload.end(), std::back_inserter(preload),
               [](const std::string& library) { return !is_loaded(library); });
  if (!preload.empty()) {
    const std::string theirs = variable("LD_PRELOAD");
    ours.emplace_back("LD_PRELOAD", fmt::format("{}{}{}", fmt::join(preload, ":"), theirs.empty() ? "" : ":", theirs));
  }
  // A finding ends the process, so that it belongs to the step in which it was made; and what the gate does on purpose (a
  // request that no memory can satisfy, a port that leaks) is not reported beside its own verdict. The user's own
  // options come after these and win, but not over where a finding is written: here it is read. An
  // abort() is no finding, but what a port may owe.
  const auto options = [&](const char* name, std::string_view always) {
    const std::string theirs = variable(name);
    ours.emplace_back(name, fmt::format("{}{}{}:log_path=stderr:color=never:handle_abort=0", always,
                                        theirs.empty() ? "" : ":", theirs));
  };
  options("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0:print_legend=0");
  options("TSAN_OPTIONS", "allocator_may_return_null=1:halt_on_error=1");
  options("UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1");
  if (!needs.symbolizer.empty()) {
    for (const char* name : {"ASAN_SYMBOLIZER_PATH", "TSAN_SYMBOLIZER_PATH", "UBSAN_SYMBOLIZER_PATH"}) {
      if (variable(name).empty()) ours.emplace_back(name, needs.symbolizer);
    }
  }
  std::vector<std::string> result;
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string_view entry = *e;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (std::none_of(ours.begin(), ours.end(), [&](const auto& o) { return o.first == name; }))
      result.emplace_back(entry);
  }
  for (const auto& [name, value] : ours) result.push_back(name + "=" + value);
  return result;
}

}  // namespace ringspec
