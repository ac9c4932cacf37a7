// Numbers of bodies (columns.h). Islands: bodies that contacts with forces and joints connect, found by
// uniting sets; static bodies connect nothing. An outcome belongs to the island whose lowest place it names
// (outcome.h).
#include "studio/columns.h"

#include <map>
#include <numeric>

#include "impuls/scene.h"
#include "scene/frame_groups.h"

namespace impuls::studio {
namespace {

constexpr const char* kIsland = "island";
constexpr const char* kStepper = "stepper";
constexpr const char* kContactForce = "contact_force";

class Sets {
  public:
    explicit Sets(std::size_t count) : above_(count) {
        std::iota(above_.begin(), above_.end(), std::size_t{0});
    }
    std::size_t find(std::size_t k) {
        while (above_[k] != k) k = above_[k] = above_[above_[k]];
        return k;
    }
    // The lowest place stands for the set.
    void unite(std::size_t a, std::size_t b) {
        a = find(a), b = find(b);
        if (a < b)
            above_[b] = a;
        else
            above_[a] = b;
    }

  private:
    std::vector<std::size_t> above_;
};

std::vector<std::size_t> islands_of(const Frame& frame) {
    const Scene& scene = *frame.structure;
    const std::size_t count = frame.positions.size();
    Sets sets(count);
    const auto moves = [&](std::size_t k) { return k < count && scene.bodies[k].kind == BodyKind::Dynamic; };
    for (const Contact& contact : frame.contacts)
        if (moves(contact.a) && moves(contact.b)) sets.unite(contact.a, contact.b);
    std::map<std::string, std::size_t> places;
    for (std::size_t k = 0; k < count; ++k) places[scene.bodies[k].name] = k;
    const auto connect = [&](const auto& things) {
        for (const auto& thing : things) {
            const auto a = places.find(thing.a), b = places.find(thing.b);
            if (a != places.end() && b != places.end() && moves(a->second) && moves(b->second))
                sets.unite(a->second, b->second);
        }
    };
    connect(scene.joints);
    connect(scene.forces);
    std::vector<std::size_t> islands(count, count);
    for (std::size_t k = 0; k < count; ++k)
        if (moves(k)) islands[k] = sets.find(k);
    return islands;
}

const FrameGroup& bodies_group() {
    return *find_frame_group("bodies");
}

std::size_t engine_columns() {
    return bodies_group().columns.size();
}

}  // namespace

const std::vector<BodyColumn>& body_columns() {
    static const std::vector<BodyColumn> all = [] {
        std::vector<BodyColumn> columns;
        for (const FrameColumn& column : bodies_group().columns)
            columns.push_back(
                {column.desc.name, column.desc.unit, column.desc.about, static_cast<int>(column.desc.size)});
        columns.push_back({kIsland, "", "bodies that contacts, joints and forces connect", 1});
        columns.push_back({kStepper, "", "who advanced its island", 1});
        columns.push_back({kContactForce, "N", "of all contacts together", 3});
        return columns;
    }();
    return all;
}

int find_body_column(const std::string& name) {
    for (std::size_t k = 0; k < body_columns().size(); ++k)
        if (body_columns()[k].name == name) return static_cast<int>(k);
    return -1;
}

void read_body_column(const Frame& frame, int column, std::vector<float>& out) {
    const std::size_t count = frame.positions.size(), c = static_cast<std::size_t>(column);
    if (c < engine_columns()) {
        const ColumnView view = bodies_group().view(frame, c);
        const auto parts = static_cast<std::uint32_t>(body_columns()[c].parts);
        for (std::size_t k = 0; k < count; ++k)
            for (std::uint32_t part = 0; part < parts; ++part)
                out.push_back(static_cast<float>(view.data ? view.number(k, part) : 0));
        return;
    }
    if (body_columns()[c].name == kContactForce) {
        std::vector<Vec3> forces(count);
        for (const Contact& contact : frame.contacts) {
            if (contact.b < count) forces[contact.b] = forces[contact.b] + contact.force;
            if (contact.a < count) forces[contact.a] = forces[contact.a] - contact.force;
        }
        for (const Vec3& f : forces)
            for (const double part : {f.x, f.y, f.z}) out.push_back(static_cast<float>(part));
        return;
    }
    const std::vector<std::size_t> islands = islands_of(frame);
    std::map<std::size_t, int> steppers;
    for (const Outcome& outcome : frame.outcomes)
        steppers[outcome.first_body] = static_cast<int>(outcome.stepper);
    const bool wants_stepper = body_columns()[c].name == kStepper;
    for (const std::size_t island : islands) {
        const auto stepper = steppers.find(island);
        out.push_back(island == count             ? -1.0f
                      : !wants_stepper            ? static_cast<float>(island)
                      : stepper == steppers.end() ? -1.0f
                                                  : static_cast<float>(stepper->second));
    }
}

}  // namespace impuls::studio
