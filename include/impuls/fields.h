// One description of every field: name, meaning, unit, allowed range. Scene files, JSON Schema, validation,
// recordings, help and (later) studio panels and Python all walk `T::visit_fields(visitor)`.
//
//     struct Sphere {
//         static constexpr const char* kType = "sphere";
//         double radius = 0.5;
//         template <class V>
//         static void visit_fields(V&& visit) {
//             visit("radius", &Sphere::radius, Field("radius", "m").positive());
//         }
//     };
//
// A visitor is called as visit(name, pointer_to_member, Field). Field types: bool, std::int64_t, double,
// std::string, Vec3, Quat, enums with EnumNames, described structs, std::optional, std::vector of these, and
// std::variant of described structs with a kType (written as an object with "type"). An empty name inlines
// the member's fields into its owner: {"name": "pivot", "type": "ball", "anchor": [0, 1, 0]}.
#pragma once

#include <limits>

namespace impuls {

/// Meaning and allowed range of one field. Bounds apply to each number in the field.
struct Field {
    const char* doc;
    const char* unit;
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool exclusive_min = false;
    bool is_required = false;

    constexpr explicit Field(const char* doc_, const char* unit_ = "") : doc(doc_), unit(unit_) {}
    constexpr Field positive() const { return bounded(0, max, true); }
    constexpr Field at_least(double lo) const { return bounded(lo, max, false); }
    constexpr Field between(double lo, double hi) const { return bounded(lo, hi, false); }
    constexpr Field required() const {
        Field f = *this;
        f.is_required = true;
        return f;
    }

  private:
    constexpr Field bounded(double lo, double hi, bool open) const {
        Field f = *this;
        f.min = lo, f.max = hi, f.exclusive_min = open;
        return f;
    }
};

/// Specialise with `static constexpr std::array<const char*, N> names` in enumerator order.
template <class E>
struct EnumNames;

}  // namespace impuls
