// Checks of what must hold inside, for indices, capacities and ends of ranges that nothing else looks at:
//     IMPULS_ASSERT(condition)               e.g. that two columns are equally long
//     IMPULS_ASSERT_INDEX(index, size)       0 <= index < size; says both values
// Where one does not hold, file, line and condition are printed and the program aborts. They are there in
// Debug and with sanitizers (option IMPULS_ASSERTS, which also checks the indices of standard containers);
// elsewhere nothing is evaluated. Wrong input is no case for them: it gives an InputError (impuls/errors.h).
#pragma once

#include <utility>

namespace impuls {

[[noreturn]] void assertion_failed(const char* file, int line, const char* condition);
[[noreturn]] void index_assertion_failed(const char* file, int line, const char* index_text, long long index,
                                         const char* size_text, long long size);

template <class Index, class Size>
constexpr void assert_index(const char* file, int line, const char* index_text, Index index,
                            const char* size_text, Size size) {
    if (std::cmp_less(index, 0) || !std::cmp_less(index, size))
        index_assertion_failed(file, line, index_text, static_cast<long long>(index), size_text,
                               static_cast<long long>(size));
}

}  // namespace impuls

#ifdef IMPULS_ASSERTS
#define IMPULS_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::impuls::assertion_failed(__FILE__, __LINE__, #condition))
#define IMPULS_ASSERT_INDEX(index, size) \
    ::impuls::assert_index(__FILE__, __LINE__, #index, (index), #size, (size))
#else
#define IMPULS_ASSERT(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#define IMPULS_ASSERT_INDEX(index, size) static_cast<void>(sizeof(index) + sizeof(size))
#endif
