// SPDX-License-Identifier: Apache-2.0
#include "ringspec/alloc/patch.hpp"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>
#include "ringspec/alloc/ledger.hpp"
#include "ringspec/alloc/taps.hpp"

namespace ringspec::alloc {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t jump_slot = R_X86_64_JUMP_SLOT, glob_dat = R_X86_64_GLOB_DAT, absolute = R_X86_64_64;
#elif defined(__aarch64__)
constexpr std::uint32_t jump_slot = R_AARCH64_JUMP_SLOT, glob_dat = R_AARCH64_GLOB_DAT, absolute = R_AARCH64_ABS64;
#elif defined(__s390x__)
constexpr std::uint32_t jump_slot = R_390_JMP_SLOT, glob_dat = R_390_GLOB_DAT, absolute = R_390_64;
#else
#error "ringspec: the relocation types of this architecture are not known to src/ringspec/alloc/patch.cpp"
#endif

// glibc stores relocated addresses in the dynamic section, other loaders offsets.
const char* located(const link_map& object, ElfW(Addr) value) {
  return reinterpret_cast<const char*>(value < object.l_addr ? object.l_addr + value : value);
}

void overwrite(void** slot, void* value) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(slot) & ~(page - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(slot + 1) + page - 1) & ~(page - 1);
  ::mprotect(reinterpret_cast<void*>(start), end - start, PROT_READ | PROT_WRITE);  // full RELRO made it read-only
  *slot = value;
}

struct patched_slot {
  void** slot;
  void* original;
};
std::vector<patched_slot> patched_in_library;

std::size_t patch(const link_map& object, void* (*tap_of)(std::string_view)) {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  struct list {
    const ElfW(Rela) * first{};
    std::size_t bytes{};
  } plt, rela;
  for (const ElfW(Dyn)* d = object.l_ld; d->d_tag != DT_NULL; ++d) {
    switch (d->d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(located(object, d->d_un.d_ptr)); break;
      case DT_STRTAB: names = located(object, d->d_un.d_ptr); break;
      case DT_JMPREL: plt.first = reinterpret_cast<const ElfW(Rela)*>(located(object, d->d_un.d_ptr)); break;
      case DT_PLTRELSZ: plt.bytes = d->d_un.d_val; break;
      case DT_RELA: rela.first = reinterpret_cast<const ElfW(Rela)*>(located(object, d->d_un.d_ptr)); break;
      case DT_RELASZ: rela.bytes = d->d_un.d_val; break;
      default: break;
    }
  }
  if (symbols == nullptr || names == nullptr) return 0;
  std::size_t patched = 0;
  for (const list& l : {plt, rela}) {
    if (l.first == nullptr) continue;
    for (std::size_t i = 0; i < l.bytes / sizeof(ElfW(Rela)); ++i) {
      const ElfW(Rela)& r = l.first[i];
      const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(r.r_info));
      if (type != jump_slot && type != glob_dat && type != absolute) continue;
      void* const tap = tap_of(names + symbols[ELF64_R_SYM(r.r_info)].st_name);
      if (tap == nullptr) continue;
      auto* const slot = reinterpret_cast<void**>(object.l_addr + r.r_offset);
      if (tap_of == library_tap_for && *slot != tap) patched_in_library.push_back({slot, *slot});
      overwrite(slot, tap);
      ++patched;
    }
  }
  return patched;
}

std::set<const link_map*> loaded_now() {
  std::set<const link_map*> result;
  void* const self = ::dlopen(nullptr, RTLD_NOW);
  link_map* map = nullptr;
  if (self != nullptr && ::dlinfo(self, RTLD_DI_LINKMAP, &map) == 0) {
    for (; map != nullptr; map = map->l_next) result.insert(map);
  }
  return result;
}

}  // namespace

void untap_library() {
  for (const patched_slot& p : patched_in_library) *p.slot = p.original;
  patched_in_library.clear();
}

opened open_with_taps(const std::string& path) {
  static_cast<void>(ledger::instance());  // made before a tap can ask for it
  const std::set<const link_map*> before = loaded_now();
  opened result;
  result.handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (result.handle == nullptr) {
    const char* const why = ::dlerror();
    result.error = why != nullptr ? why : "dlopen failed without a reason";
    return result;
  }
  for (const link_map* object : loaded_now()) {
    if (!before.contains(object)) {
      result.patched += patch(*object, tap_for);
    } else if (std::string_view(object->l_name).find("/libstdc++.so") != std::string_view::npos) {
      patch(*object, library_tap_for);
    }
  }
  return result;
}

}  // namespace ringspec::alloc
