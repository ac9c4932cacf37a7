// Collision detection without dynamics: distances, contacts, times of impact, overlaps, rays and casts of
// shapes that you place yourself. SI units; a pose is X_WB of the shape's frame.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "impuls/executor.h"
#include "impuls/ids.h"
#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls {

/// A shape made ready once (hulls, trees) and shared by copies. Throws InputError for a shape that is not
/// valid. Meshes and height fields are surfaces for distances and contacts, solids for rays and points.
class Solid {
  public:
    Solid(const Shape& shape);
    struct Parts;
    const Parts& parts() const { return *parts_; }

  private:
    std::shared_ptr<const Parts> parts_;
};

/// A solid at a pose.
struct Placed {
    Solid solid;
    Pose pose{};
};

/// Closest points in world coordinates, b moved by -distance * normal just touches a.
struct Distance {
    double distance = std::numeric_limits<double>::infinity();  ///< m, negative: penetration depth
    Vec3 normal{};                                              ///< unit, from a to b
    Vec3 point_a{}, point_b{};                                  ///< on the two surfaces
};

struct TouchPoint {
    Vec3 position{};            ///< midway between the surfaces
    Vec3 normal{};              ///< unit, from a to b
    double separation = 0;      ///< m along the normal, negative when penetrating
    std::uint32_t feature = 0;  ///< the same from call to call while the same features touch
};

/// Steady motion: x(t) = position + velocity t, turning about the shape's origin.
struct Sweep {
    Pose start{};
    Vec3 velocity{};          ///< m/s
    Vec3 angular_velocity{};  ///< rad/s, world frame
};

struct ImpactTime {
    bool hit = false;
    bool initial = false;  ///< touching or overlapping from the beginning
    double t = 0;          ///< s: free of contact up to here (the end when nothing is hit)
    Distance at{};         ///< closest points at t when hit
};

/// The intersection of two convex polyhedra, in world coordinates.
struct SharedVolume {
    double volume = 0;  ///< m^3; zero when the two only touch
    Vec3 center{};      ///< its centroid
    Vec3 area_a{};      ///< m^2, integral of the outward normal over a's part of its surface; b's is -area_a
    Vec3 moment_a{};    ///< m^3, the same of (r - center) x normal
    double line_length = 0;  ///< m, of the line where the two surfaces meet
};

/// The exact closest points; penetration depth where the two overlap.
Distance distance(const Placed& a, const Placed& b);
/// All points closer than `margin` (m).
std::vector<TouchPoint> contacts(const Placed& a, const Placed& b, double margin = 0);
/// First time in [0, duration] at which the two are closer than `tolerance` times the smaller size. Never
/// later than the true contact, however fast the motion.
ImpactTime time_of_impact(const Solid& a, const Sweep& sweep_a, const Solid& b, const Sweep& sweep_b,
                          double duration, double tolerance = 1e-3);
/// For boxes and convex hulls; throws InputError for others.
SharedVolume shared_volume(const Placed& a, const Placed& b);
/// True when the point is inside or on the surface.
bool contains(const Placed& solid, const Vec3& point);

struct RayQuery {
    Vec3 origin{}, direction{};  ///< the direction has any length but zero
    double t_max = std::numeric_limits<double>::infinity();
    std::uint32_t mask = 0xffffffffu;  ///< layers that can be hit
};

/// Layers are bits: two things meet when each one's layer is in the other's mask.
struct Filter {
    std::uint32_t layer = 1, mask = 0xffffffffu;
};

using ProxyId = Id<struct ProxyTag>;

struct RayResult {
    bool hit = false;
    ProxyId proxy{};
    double t = 0;         ///< the point is origin + t direction
    Vec3 normal{};        ///< unit, outward; against the ray when it starts inside
    bool inside = false;  ///< the ray starts inside; t = 0
};

struct CastResult {
    ProxyId proxy{};
    ImpactTime impact{};
};

struct NearResult {
    ProxyId proxy{};
    Distance distance{};  ///< a is the query's solid
};

struct PairContacts {
    ProxyId a{}, b{};
    bool sensor = false;  ///< one of them only watches
    std::vector<TouchPoint> points{};
};

/// Placed solids to ask about. Results come in order of the ids' slots and do not depend on threads. Queries
/// see the state of the last update(); they may run side by side. A sensor appears in contacts, overlaps and
/// at_point; rays, casts and closest pass it by.
class CollisionScene {
  public:
    CollisionScene();
    ~CollisionScene();
    CollisionScene(CollisionScene&&) noexcept;
    CollisionScene& operator=(CollisionScene&&) noexcept;

    ProxyId add(const Solid& solid, const Pose& pose, const Filter& filter = {}, bool sensor = false);
    /// These throw InputError for an id that is no longer valid.
    void remove(ProxyId id);
    void set_pose(ProxyId id, const Pose& pose);
    Pose pose(ProxyId id) const;
    std::size_t size() const;

    /// Takes over all changes since the last one.
    void update(Executor& executor);

    /// All pairs that pass the filters and are closer than `margin` (m).
    std::vector<PairContacts> contacts(double margin, Executor& executor) const;
    RayResult ray(const RayQuery& query) const;
    /// All hits, nearest first, one a proxy.
    std::vector<RayResult> ray_all(const RayQuery& query) const;
    /// `results` has as many entries as `queries`.
    void rays(std::span<const RayQuery> queries, std::span<RayResult> results, Executor& executor) const;
    /// The first proxy that the moving solid touches.
    std::optional<CastResult> cast(const Solid& solid, const Sweep& sweep, double duration,
                                   std::uint32_t mask = 0xffffffffu) const;
    /// Proxies that overlap or touch the solid.
    std::vector<ProxyId> overlaps(const Placed& query, std::uint32_t mask = 0xffffffffu) const;
    /// Proxies that hold the point.
    std::vector<ProxyId> at_point(const Vec3& point, std::uint32_t mask = 0xffffffffu) const;
    /// The nearest proxy within `max_distance` (m).
    std::optional<NearResult> closest(const Placed& query, double max_distance,
                                      std::uint32_t mask = 0xffffffffu) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace impuls
