// One generator made into its copies, one at a time: the same working copy is changed and handed out, so a
// million copies need no memory. Values spelt with i, ix, iy, iz are compiled once and evaluated per copy.
// Called by validation (which throws the copies away) and expansion (which keeps them).
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "scene/leaf.h"

namespace impuls {

// What went wrong in one copy.
struct CopyProblem {
    std::string path;  // of the value in the scene
    std::string message;
};

template <Repeatable T>
class Unroller {
  public:
    // `element_path` is /bodies/3 or /joints/0. The scope holds the scene's variables and the index names.
    Unroller(const Scene& scene, const std::string& element_path, const T& generator, Scope& scope);

    Unroller(const Unroller&) = delete;
    Unroller& operator=(const Unroller&) = delete;

    // The values that differ from copy to copy by expression.
    bool varies(const std::string& below) const;
    bool varies() const { return !varying_.empty(); }
    // The value at this path, or all it lies in, is given by expression.
    bool varies_at(const std::string& below) const;
    // Other places and orientations drawn at random; 0 leaves those of the generator's own seed.
    void draw_anew(std::int64_t seed) { seed_ = static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15u; }
    // Copies can be counted without visiting them.
    bool is_plain() const { return varying_.empty() && !where_ && !bad_where_; }

    // visit(copy, index, number among those kept) -> go on? Stops at the first problem.
    template <class Visit>
    std::optional<CopyProblem> each(Visit&& visit);
    // Of a scene that is valid: the copy of this number among those kept.
    T copy(std::int64_t number);

  private:
    struct Varying {
        std::string path;
        LeafRef leaf;
        Spelling spelling;
    };
    void collect_varying(const Scene& scene);
    std::optional<CopyProblem> evaluate(const GridIndex& index, bool& keep);
    void reset();
    void place(const GridIndex& index);

    std::string path_;
    T generator_;
    T copy_;
    Scope& scope_;
    std::uint64_t seed_ = 0;
    std::optional<Expression> where_{};
    std::optional<CopyProblem> bad_where_{};
    std::vector<Varying> varying_{};
};

template <Repeatable T>
Unroller<T>::Unroller(const Scene& scene, const std::string& element_path, const T& generator, Scope& scope)
    : path_(element_path), generator_(generator), copy_(generator), scope_(scope) {
    copy_.repeat.reset();
    scope_.set_index({});
    collect_varying(scene);
    if (generator_.repeat->where.empty()) return;
    try {
        where_.emplace(generator_.repeat->where, scope_);
    } catch (const ExpressionError& error) {
        bad_where_ = CopyProblem{path_ + "/repeat/where", error.what()};
    }
}

template <Repeatable T>
void Unroller<T>::collect_varying(const Scene& scene) {
    const std::string prefix = path_ + "/";
    const std::size_t skip = path_parts(path_).size();
    for (auto it = scene.spellings.lower_bound(prefix); it != scene.spellings.end(); ++it) {
        if (it->first.compare(0, prefix.size(), prefix) != 0) break;
        const LeafRef leaf = find_leaf(copy_, path_parts(it->first), skip);
        if (leaf.index() == 0) continue;
        try {
            // A spelling that no longer gives the value was overtaken by an edit; the value counts.
            Spelling spelling(it->second, leaf, scope_);
            if (spelling.uses_index() && holds(leaf, spelling.value())) {
                varying_.push_back({it->first, leaf, std::move(spelling)});
            }
        } catch (const ExpressionError&) {
            continue;
        }
    }
}

template <Repeatable T>
bool Unroller<T>::varies(const std::string& below) const {
    for (const Varying& v : varying_) {
        if (v.path.compare(0, path_.size() + below.size(), path_ + below) == 0) return true;
    }
    return false;
}

template <Repeatable T>
bool Unroller<T>::varies_at(const std::string& below) const {
    const std::string path = path_ + below;
    for (const Varying& v : varying_) {
        if (path == v.path || path.compare(0, v.path.size() + 1, v.path + "/") == 0) return true;
    }
    return false;
}

template <Repeatable T>
std::optional<CopyProblem> Unroller<T>::evaluate(const GridIndex& index, bool& keep) {
    scope_.set_index(index);
    std::string path = path_ + "/repeat/where";
    try {
        keep = !where_ || (*where_)() != 0;
        if (!keep) return {};
        for (const Varying& v : varying_) {
            path = v.path;
            assign(v.leaf, v.spelling.value());
        }
    } catch (const ExpressionError& error) {
        return CopyProblem{path, "with i = " + json_text(index.i) + ": " + error.what()};
    }
    return {};
}

template <>
inline void Unroller<BodyDesc>::reset() {
    copy_.position = generator_.position;
    copy_.orientation = generator_.orientation;
}

template <>
inline void Unroller<JointDesc>::reset() {}

template <>
inline void Unroller<ForceDesc>::reset() {}

// Grid place, jitter and random turn of a body's copy; what is drawn depends on the seeds and i alone.
template <>
inline void Unroller<BodyDesc>::place(const GridIndex& index) {
    const Repeat& repeat = *generator_.repeat;
    copy_.position += scale(repeat.spacing, {index.ix, index.iy, index.iz});
    if (repeat.jitter == 0 && !repeat.random_orientation) return;
    Rng rng(seed_ + static_cast<std::uint64_t>(repeat.seed), static_cast<std::uint64_t>(index.i));
    const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1), z = rng.uniform(-1, 1);
    copy_.position += repeat.jitter * Vec3{x, y, z};
    if (repeat.random_orientation) copy_.orientation = normalized(rng.rotation() * copy_.orientation);
}

template <>
inline void Unroller<JointDesc>::place(const GridIndex&) {}

template <>
inline void Unroller<ForceDesc>::place(const GridIndex&) {}

template <Repeatable T>
template <class Visit>
std::optional<CopyProblem> Unroller<T>::each(Visit&& visit) {
    if (bad_where_) return bad_where_;
    const Vec3 count = generator_.repeat->count;
    std::int64_t kept = 0;
    GridIndex index;
    for (index.iz = 0; index.iz < count.z; ++index.iz) {
        for (index.iy = 0; index.iy < count.y; ++index.iy) {
            for (index.ix = 0; index.ix < count.x; ++index.ix, ++index.i) {
                bool keep = true;
                reset();
                if (auto problem = evaluate(index, keep)) return problem;
                if (!keep) continue;
                place(index);
                if (!visit(copy_, index, kept++)) return {};
            }
        }
    }
    return {};
}

// Without `where` the number says where in the grid it is.
template <Repeatable T>
T Unroller<T>::copy(std::int64_t number) {
    if (where_) {
        T found{};
        each([&](const T& one, const GridIndex&, std::int64_t k) {
            if (k == number) found = one;
            return k != number;
        });
        return found;
    }
    const Vec3 count = generator_.repeat->count;
    const auto width = static_cast<std::int64_t>(std::ceil(count.x)),
               height = static_cast<std::int64_t>(std::ceil(count.y));
    GridIndex index;
    index.i = static_cast<double>(number);
    index.ix = static_cast<double>(number % width);
    index.iy = static_cast<double>(number / width % height);
    index.iz = static_cast<double>(number / width / height);
    bool keep = true;
    reset();
    evaluate(index, keep);
    place(index);
    return copy_;
}

}  // namespace impuls
