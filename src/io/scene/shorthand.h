// Structs that may be written as a plain string: the one member the string stands for.
// Called by reader, writer and schema. A method's string may also hold changes: "accurate+substeps=16".
#pragma once

#include <string>

#include "impuls/scene.h"

namespace impuls {

template <class T>
struct Shorthand;
template <>
struct Shorthand<IncludeDesc> {
    static constexpr const char* name = "file";
    static constexpr auto member = &IncludeDesc::file;
};
template <>
struct Shorthand<MeasureDesc> {
    static constexpr const char* name = "quantity";
    static constexpr auto member = &MeasureDesc::quantity;
};
template <>
struct Shorthand<MethodDesc> {
    static constexpr const char* name = "preset";
    static constexpr auto member = &MethodDesc::preset;
};

template <class T>
concept HasShorthand = requires {
    Shorthand<T>::name;
};

}  // namespace impuls
