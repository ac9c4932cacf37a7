// Straight insertion: linear for lists that are nearly sorted, which the ends of boxes are from step to step
// (Schinner, appendix B). Used by sweep and prune.
#pragma once

#include <cstdint>
#include <span>

namespace impuls {

// Sorts by `comes_before`, keeping the order of equal values. on_pass(k, m) is called whenever k passes m on
// its way down. Returns the number of passes, that is of exchanges of neighbours.
template <class T, class Before, class OnPass>
std::uint64_t insertion_sort(std::span<T> list, Before&& comes_before, OnPass&& on_pass) {
    std::uint64_t passes = 0;
    for (std::size_t i = 1; i < list.size(); ++i) {
        if (!comes_before(list[i], list[i - 1])) continue;
        const T k = list[i];
        std::size_t j = i;
        do {
            on_pass(k, list[j - 1]);
            list[j] = list[j - 1];
            --j;
        } while (j > 0 && comes_before(k, list[j - 1]));
        list[j] = k;
        passes += i - j;
    }
    return passes;
}

}  // namespace impuls
