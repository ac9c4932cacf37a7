// operator new that counts (counting_new.h). In a file of its own: seen together with its callers, g++ takes
// malloc and delete in one function for a mistake.
#include "support/counting_new.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

std::atomic<long> allocations{0}, allocated_bytes{0}, live_bytes{0};

namespace {

void* counted(void* p, std::size_t size) {
    ++allocations, allocated_bytes += static_cast<long>(size);
    live_bytes += static_cast<long>(malloc_usable_size(p));
    return p;
}

void give_back(void* p) {
    live_bytes -= static_cast<long>(malloc_usable_size(p));
    std::free(p);
}

}  // namespace

void* operator new(std::size_t size) {
    if (void* p = std::malloc(size ? size : 1)) return counted(p, size);
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted(std::malloc(size ? size : 1), size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto a = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return counted(p, size);
    throw std::bad_alloc();
}
void* operator new[](std::size_t size) {
    return operator new(size);
}
void operator delete(void* p) noexcept {
    give_back(p);
}
void operator delete[](void* p) noexcept {
    give_back(p);
}
void operator delete(void* p, std::size_t) noexcept {
    give_back(p);
}
void operator delete[](void* p, std::size_t) noexcept {
    give_back(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    give_back(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    give_back(p);
}
