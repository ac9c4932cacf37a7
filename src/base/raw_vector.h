// A vector whose resize() does not set new items to anything: for large arrays that are filled by all threads
// right after, where one thread would write zeros to all of it first. Items without arguments are as they
// are: emplace_back() is to be given one. Called by the steps of a world.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace impuls {

template <class T>
struct RawAllocator : std::allocator<T> {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    template <class U>
    struct rebind {
        using other = RawAllocator<U>;
    };

    template <class U, class... Args>
    void construct(U* item, Args&&... args) {
        if constexpr (sizeof...(Args) > 0) std::construct_at(item, std::forward<Args>(args)...);
    }
};

template <class T>
using RawVector = std::vector<T, RawAllocator<T>>;

}  // namespace impuls
