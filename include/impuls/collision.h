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
/// valid. Closed meshes and height fields (below) are solid; their contacts are those of the surface.
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

/// Closest points in world coordinates, b moved by -distance * normal just touches a. Of something wholly
/// inside a mesh or under a height field, the depth is taken to the plane that touches the surface at the
/// point nearest to it.
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
    bool limit = false;    ///< no answer: free of contact up to t, not known beyond (too many steps)
    double t = 0;          ///< s: free of contact up to here (the end when nothing is hit)
    Distance at{};         ///< closest points at t when hit or limit
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
};

/// A solid that moves past others at rest.
struct CastQuery {
    Solid solid;
    Sweep sweep{};
    double duration = 1;  ///< s
};

struct NearQuery {
    Placed placed;
    double max_distance = std::numeric_limits<double>::infinity();  ///< m
};

/// Layers are bits: two things meet when each one's layer is in the other's mask.
struct Filter {
    std::uint32_t layer = 1, mask = 0xffffffffu;
};

using ProxyId = Id<struct ProxyTag>;

/// What a query may find.
struct ProxyFilter {
    std::uint32_t mask = 0xffffffffu;  ///< layers
    bool sensors = false;              ///< sensors too
    ProxyId ignore{};
};

/// How near things are in contact: distance + part * (size of the smaller one).
struct Margin {
    double distance = 0;  ///< m
    double part = 0;      ///< of the smallest half extent
};

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
/// see the state of the last update(), may run side by side, and write into buffers of the caller, which are
/// cleared first; once those are large enough nothing is allocated.
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

    /// All pairs that pass the filters and are closer than the margin; sensors are marked.
    std::vector<PairContacts> contacts(const Margin& margin, Executor& executor) const;
    /// The nearest hit.
    RayResult ray(const RayQuery& query, const ProxyFilter& filter = {}) const;
    /// All hits, nearest first, one a proxy.
    void ray_all(const RayQuery& query, std::vector<RayResult>& hits, const ProxyFilter& filter = {}) const;
    /// The first proxy that the moving solid comes closer to than 1e-3 of the smaller size. When its impact
    /// is marked `limit`, the way is free up to there and not known beyond.
    std::optional<CastResult> cast(const CastQuery& query, const ProxyFilter& filter = {}) const;
    /// Proxies that overlap or touch the solid.
    void overlaps(const Placed& query, std::vector<ProxyId>& found, const ProxyFilter& filter = {}) const;
    /// Proxies that hold the point.
    void at_point(const Vec3& point, std::vector<ProxyId>& found, const ProxyFilter& filter = {}) const;
    /// The nearest proxy.
    std::optional<NearResult> closest(const NearQuery& query, const ProxyFilter& filter = {}) const;

    /// Many at once: `results` has as many entries as `queries`, each as the single query gives it.
    void rays(std::span<const RayQuery> queries, std::span<RayResult> results, Executor& executor,
              const ProxyFilter& filter = {}) const;
    void ray_all(std::span<const RayQuery> queries, std::span<std::vector<RayResult>> results,
                 Executor& executor, const ProxyFilter& filter = {}) const;
    void casts(std::span<const CastQuery> queries, std::span<std::optional<CastResult>> results,
               Executor& executor, const ProxyFilter& filter = {}) const;
    void overlaps(std::span<const Placed> queries, std::span<std::vector<ProxyId>> results,
                  Executor& executor, const ProxyFilter& filter = {}) const;
    void at_point(std::span<const Vec3> queries, std::span<std::vector<ProxyId>> results, Executor& executor,
                  const ProxyFilter& filter = {}) const;
    void closest(std::span<const NearQuery> queries, std::span<std::optional<NearResult>> results,
                 Executor& executor, const ProxyFilter& filter = {}) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace impuls
