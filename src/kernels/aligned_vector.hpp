// Values that begin with a cache line: a vector register's load never touches two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace cavity {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

}  // namespace cavity
