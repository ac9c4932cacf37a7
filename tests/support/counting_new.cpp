// operator new that counts (counting_new.h). In a file of its own: seen together with its callers, g++ takes
// malloc and delete in one function for a mistake.
#include "support/counting_new.h"

#include <cstdlib>
#include <new>

std::atomic<long> allocations{0}, allocated_bytes{0};

void* operator new(std::size_t size) {
    ++allocations, allocated_bytes += static_cast<long>(size);
    if (void* p = std::malloc(size ? size : 1)) return p;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations, allocated_bytes += static_cast<long>(size);
    return std::malloc(size ? size : 1);
}
void* operator new[](std::size_t size) {
    return operator new(size);
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete[](void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
    std::free(p);
}
