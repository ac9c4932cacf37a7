// An array of fixed size whose items are not set to anything: for buffers of Vec3 and the like in code that
// runs for every pair, where writing zeros to room that is mostly unused would cost more than the work. Items
// are written before they are read. Called by the narrow phase.
#pragma once

#include <cstddef>
#include <type_traits>

#include "base/assert.h"

namespace impuls {

template <class T, std::size_t N>
union RawArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

    RawArray() {}
    T& operator[](std::size_t k) {
        IMPULS_ASSERT_INDEX(k, N);
        return items[k];
    }
    const T& operator[](std::size_t k) const {
        IMPULS_ASSERT_INDEX(k, N);
        return items[k];
    }
    T* data() { return items; }
    static constexpr std::size_t size() { return N; }

    T items[N];
};

}  // namespace impuls
