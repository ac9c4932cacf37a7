// What the steps of a formula's program do: shared by its parser (formula.cpp) and by what runs it
// (formula_run.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace impuls::formula {

inline constexpr std::size_t kDeepest = 64;  // of the stack

enum Code : std::uint8_t {
    kNumber,
    kVariable,
    kOr,
    kAnd,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,  //
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kModulo,
    kPower,
    kNegate,
    kNot,
    kChoose,  //
    kSin,
    kCos,
    kTan,
    kAsin,
    kAcos,
    kAtan,
    kAtan2,
    kSinh,
    kCosh,
    kTanh,
    kExp,
    kLog,
    kLog10,
    kSqrt,  //
    kAbs,
    kSign,
    kFloor,
    kCeil,
    kRound,
    kMin,
    kMax,
    kHypot,
    kStep
};

}  // namespace impuls::formula
