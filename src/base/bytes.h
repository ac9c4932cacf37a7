// Visitors of plain values: to bytes, to a hash, and from bytes, of which none is trusted. Each is called
// with one value after the other; `sizes` tells how many entries follow in lists, which are no part of a
// hash. Called by world/visit_state.h and what it visits.
#pragma once

#define XXH_STATIC_LINKING_ONLY  // the hash state on the stack
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "impuls/errors.h"
#include "impuls/vec.h"

namespace impuls {

// Appends plain values to a byte array.
struct ByteWriter {
    std::vector<std::byte> bytes{};
    template <class T>
    void operator()(const T& value) {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        const auto* p = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), p, p + sizeof value);
    }
    void operator()(const Vec3& a) {
        for (const double x : {a.x, a.y, a.z}) (*this)(x);
    }
    void operator()(const Quat& q) {
        for (const double x : {q.w, q.x, q.y, q.z}) (*this)(x);
    }
    template <class... Sizes>
    void sizes(const Sizes&... n) {
        ((*this)(n), ...);
    }
    void operator()(const std::string& s) {
        (*this)(static_cast<std::uint64_t>(s.size()));
        const auto* p = reinterpret_cast<const std::byte*>(s.data());
        bytes.insert(bytes.end(), p, p + s.size());
    }
};

// Feeds the same values to a hash.
struct Hasher {
    XXH64_state_t state;
    Hasher() { XXH64_reset(&state, 0); }
    template <class T>
    void operator()(const T& value) {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        XXH64_update(&state, &value, sizeof value);
    }
    template <class... Sizes>
    void sizes(const Sizes&...) {}
    void operator()(const Vec3& a) { XXH64_update(&state, &a, sizeof a); }
    void operator()(const Quat& q) { XXH64_update(&state, &q, sizeof q); }
    void operator()(const std::string& s) { XXH64_update(&state, s.data(), s.size()); }
    std::uint64_t digest() const { return XXH64_digest(&state); }
};

struct ByteReader {
    std::span<const std::byte> bytes;
    template <class T>
    void operator()(T& value) {
        if (bytes.size() < sizeof value) throw InputError("checkpoint is too short");
        std::memcpy(&value, bytes.data(), sizeof value);
        bytes = bytes.subspan(sizeof value);
    }
    void operator()(Vec3& a) {
        for (double* x : {&a.x, &a.y, &a.z}) (*this)(*x);
    }
    void operator()(Quat& q) {
        for (double* x : {&q.w, &q.x, &q.y, &q.z}) (*this)(*x);
    }
    void operator()(std::string& s) {
        const auto size = count();
        s.assign(reinterpret_cast<const char*>(bytes.data()), size);
        bytes = bytes.subspan(size);
    }
    template <class... Sizes>
    void sizes(Sizes&... n) {
        ((*this)(n), ...);
    }
    // A count of things that take at least one byte each.
    std::uint64_t count() {
        std::uint64_t n = 0;
        (*this)(n);
        if (n > bytes.size()) throw InputError("checkpoint is damaged: impossible count");
        return n;
    }
};

}  // namespace impuls
