// Readers of single particles (particle_quantity.h).
#include "scene/particle_quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "geometry/particle_net.h"
#include "impuls/scene.h"

namespace impuls {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<const char*, 5> kParts{"", ".x", ".y", ".z", ".magnitude"};

// Finds the body again when the structure has changed.
struct ParticleReader {
    std::string body;
    std::size_t particle = 0;
    bool is_velocity = false;
    std::size_t part = 0;  // among kParts
    mutable std::shared_ptr<const Scene> structure{};
    mutable std::size_t index = 0;

    void operator()(const Frame& frame, double* out) const {
        if (frame.structure != structure) {
            structure = frame.structure;
            index = structure ? place_of(*structure) : 0;
        }
        std::fill(out, out + (part == 0 ? 3 : 1), kNothing);
        for (const ParticleBody& of : frame.particle_bodies) {
            if (of.body != index || particle >= of.count || of.first + particle >= frame.particles.size())
                continue;
            const ParticleState& p = frame.particles[of.first + particle];
            const Vec3& v = is_velocity ? p.velocity : p.position;
            if (part == 0)
                out[0] = v.x, out[1] = v.y, out[2] = v.z;
            else
                *out = part == 4 ? length(v) : v[static_cast<int>(part) - 1];
        }
    }
    std::size_t place_of(const Scene& scene) const {
        const auto is_it = [&](const BodyDesc& b) { return b.name == body; };
        return static_cast<std::size_t>(std::find_if(scene.bodies.begin(), scene.bodies.end(), is_it) -
                                        scene.bodies.begin());
    }
};

}  // namespace

std::optional<Quantity> find_of_particle(const std::string& name, const Scene& structure) {
    const std::string before = "bodies.", middle = ".particle[";
    const std::size_t at = name.rfind(middle), close = name.find(']', at == std::string::npos ? 0 : at);
    if (!name.starts_with(before) || at == std::string::npos || close == std::string::npos) return {};
    ParticleReader reader;
    reader.body = name.substr(before.size(), at - before.size());
    const char *const from = name.data() + at + middle.size(), *const end = name.data() + close;
    const auto [stop, error] = std::from_chars(from, end, reader.particle);
    if (error != std::errc() || stop != end) return {};
    const std::size_t body = reader.place_of(structure);
    if (body == structure.bodies.size()) return {};
    const auto shape = particles_of(structure.bodies[body].shape);
    if (!shape || reader.particle >= shape->points.size()) return {};
    const std::string rest = name.substr(close + 1);
    for (const bool is_velocity : {false, true})
        for (std::size_t part = 0; part < kParts.size(); ++part) {
            if (rest != std::string(is_velocity ? ".velocity" : ".position") + kParts[part]) continue;
            reader.is_velocity = is_velocity;
            reader.part = part;
            Quantity quantity;
            quantity.name = name;
            quantity.unit = is_velocity ? "m/s" : "m";
            quantity.columns = part == 0 ? std::vector<std::string>{name + ".x", name + ".y", name + ".z"}
                                         : std::vector<std::string>{name};
            quantity.read = std::move(reader);
            return quantity;
        }
    return {};
}

double of_particles(const Frame& frame, std::size_t k, double ParticleBody::*value) {
    for (const ParticleBody& body : frame.particle_bodies)
        if (body.body == k) return body.*value;
    return kNothing;
}

}  // namespace impuls
