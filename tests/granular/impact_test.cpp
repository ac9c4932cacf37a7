// Impacts: energy, momentum, Hertz's closed forms, restitution, and the eight benchmarks of single impacts of
// Chung and Ooi (Granular Matter 13, 2011) by what rigid-body mechanics says of them where the contact slides
// throughout.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "dynamics/laws/impact_forms.h"
#include "granular/set.h"

namespace impuls::granular {
namespace {

GrainKind kind_of(GrainShape shape, double density) {
    GrainKind kind;
    kind.shape = std::move(shape), kind.density = density;
    return kind;
}

struct Impact {
    double deepest = 0, most = 0, duration = 0;
};
// Until they part; grain 0 meets grain 1 or a wall.
Impact run_impact(System& s, double dt) {
    Executor executor(1);
    Impact out;
    bool has_touched = false;
    for (int k = 0; k < 2'000'000; ++k) {
        step(s, dt, executor);
        if (s.notes.touching == 0 && has_touched) break;
        if (s.notes.touching == 0) continue;
        has_touched = true, out.duration += dt;
        for (const TouchingPatch& p : s.pairs.patches) {
            out.deepest = std::max(out.deepest, static_cast<double>(p.depth));
            out.most = std::max(out.most, static_cast<double>(p.normal));
        }
    }
    return out;
}

struct Momenta {
    Vec3 linear, angular;
};
Momenta momenta_of(const System& s) {
    Momenta m;
    for (std::size_t k = 0; k < s.grains.count(); ++k) {
        const Vec3 p = s.grains.v[k] * mass_of(s.kinds[s.grains.kind[k]], s.grains.size[k]);
        m.linear += p, m.angular += cross(s.grains.x[k], p) + s.grains.spin[k];
    }
    return m;
}

// Two grains that fly at each other and spin.
System two_grains(NormalLaw law, double modulus, std::uint64_t seed) {
    System s = one_material(modulus, 1, 0);
    s.laws[0].normal = law;
    s.kinds = {kind_of(ellipsoid_shape(12, {1, 0.9, 0.8}, 0.1, seed), 1)};
    Rng draw(seed, 0);
    add_grain(s, 0, 1, {}, draw.rotation());
    add_grain(s, 0, 1, {2.05, draw.uniform(-0.5, 0.5), draw.uniform(-0.5, 0.5)}, draw.rotation());
    const auto any = [&] {
        return Vec3{draw.uniform(-0.3, 0.3), draw.uniform(-0.3, 0.3), draw.uniform(-0.3, 0.3)};
    };
    set_velocity(s, 0, Vec3{1, 0, 0} + any(), any());
    set_velocity(s, 1, Vec3{-1, 0, 0} + any(), any());
    prepare(s);
    return s;
}

TEST(SpecGranular, T14_impacts_keep_what_their_law_keeps) {
    for (const NormalLaw law : {NormalLaw::Potential, NormalLaw::Volume, NormalLaw::Hertz}) {
        double sum = 0, worst = 0;
        const int impacts = 12;
        for (int k = 1; k <= impacts; ++k) {
            System s = two_grains(law, 3e4, static_cast<std::uint64_t>(k));
            const double before = kinetic_energy(s);
            const Momenta m = momenta_of(s);
            // So short that the error of the step does not show.
            run_impact(s, longest_substep(s) / (law == NormalLaw::Potential ? 24 : 6));
            const double change = kinetic_energy(s) / before - 1;
            sum += change * change, worst = std::max(worst, std::abs(change));
            const Momenta now = momenta_of(s);
            EXPECT_LT(length(now.linear - m.linear), 1e-12 * 10);
            EXPECT_LT(length(now.angular - m.angular), 1e-12 * 40);
        }
        const double rms = std::sqrt(sum / impacts);
        RecordProperty("rms_of_law_" + std::to_string(static_cast<int>(law)), std::to_string(rms));
        if (law == NormalLaw::Potential)
            EXPECT_LT(worst, 1e-6);
        else
            EXPECT_LT(rms, 0.10);  // what pushes along the mean normal is no gradient
    }
}

TEST(SpecGranular, T14_near_spheres_are_as_hertz_says) {
    const double modulus = 1e5, v = 3;
    double time = 0, depth = 0;
    const int orientations = 12;
    Rng draw(2, 2);
    const GrainShape near_sphere = ellipsoid_shape(462, {1, 1, 1}, 0, 1);
    double mass = 0;
    for (int k = 0; k < orientations; ++k) {
        System s = one_material(modulus, 1, 0);
        s.kinds = {kind_of(near_sphere, 1)};
        add_plane(s, {}, {0, 1, 0});
        add_grain(s, 0, 1, {0, 1.001, 0}, draw.rotation());
        set_velocity(s, 0, {0, -v, 0}, {});
        prepare(s);
        mass = mass_of(s.kinds[0], 1);
        Executor executor(1);
        const double dt = 2e-4;
        bool has_touched = false;
        double first = 0, low = 2;
        for (int n = 0; n < 100000; ++n) {
            step(s, dt, executor);
            low = std::min(low, s.grains.x[0].y);
            if (s.notes.touching > 0 && !has_touched) first = s.grains.x[0].y;
            if (s.notes.touching > 0)
                has_touched = true, time += dt / orientations;
            else if (has_touched)
                break;
        }
        depth += (first - low) / orientations;
    }
    const laws::HertzImpact exact = laws::impact_of(laws::hertz_of(modulus, 1.0), mass, v);
    EXPECT_GT(exact.depth, 0.024);  // above five sags of the facets, which are 0.5 %
    EXPECT_NEAR(time / exact.duration, 1, 0.10);
    EXPECT_NEAR(depth / exact.depth, 1, 0.05);
}

double restitution_of_sphere(double e, double v, bool is_round) {
    System s = one_material(1e5, e, 0);
    s.kinds = {kind_of(is_round ? sphere_shape() : ellipsoid_shape(462, {1, 1, 1}, 0, 1), 1)};
    add_plane(s, {}, {0, 1, 0});
    Rng draw(5, 1);
    double sum = 0;
    const int count = is_round ? 1 : 4;
    for (int k = 0; k < count; ++k) {
        System one = s;
        add_grain(one, 0, 1, {0, 1.001, 0}, draw.rotation());
        set_velocity(one, 0, {0, -v, 0}, {});
        prepare(one);
        run_impact(one, 5e-4);
        sum += one.grains.v[0].y / v / count;
    }
    return sum;
}

TEST(SpecGranular, T15_restitution_is_as_set) {
    for (const double e : {0.3, 0.6, 0.9}) {
        for (const double v : {0.01, 1.0})
            EXPECT_NEAR(restitution_of_sphere(e, v, true), e, 0.02) << e << " " << v;
        EXPECT_NEAR(restitution_of_sphere(e, 1, false), e, 0.02) << e;
    }
}

// Without losses: kinetic energy, that of the springs and that of gravity. (What damping and friction take is
// not counted yet.)
TEST(SpecGranular, T31_energy_is_kept_without_losses) {
    for (const bool is_round : {true, false}) {
        System s = one_material(2e4, 1, 0);
        s.laws[0].normal = NormalLaw::Potential;  // spheres take Hertz's, which has a potential, too
        s.gravity = {0, -1, 0};
        s.kinds = {kind_of(is_round ? sphere_shape() : ellipsoid_shape(12, {1, 0.9, 0.8}, 0.1, 3), 1)};
        add_box(s, 2.6, 2.6);
        Rng draw(8, 8);
        for (int k = 0; k < 12; ++k)
            add_grain(s, 0, 1, {-1.2 + 2.4 * (k % 2), 1.3 + 2.2 * (k / 4), -1.2 + 2.4 * (k / 2 % 2)},
                      draw.rotation());
        prepare(s);
        const auto energy = [&] {
            double sum = kinetic_energy(s) + s.notes.energy;
            for (const Vec3& x : s.grains.x) sum += mass_of(s.kinds[0], 1) * x.y;
            return sum;
        };
        Executor executor(1);
        const double dt = longest_substep(s) / 4, before = energy();
        double worst = 0;
        for (int k = 0; k * dt < 4; ++k)
            step(s, dt, executor), worst = std::max(worst, std::abs(energy() / before - 1));
        EXPECT_LT(worst, 1e-4) << is_round;
    }
}

// ---- integrators

// Bounces of a sphere without damping: energy after five of them, with 60 evaluations a contact.
TEST(GrainIntegrators, keep_the_energy_of_a_bouncing_sphere) {
    for (const GrainIntegrator integrator :
         {GrainIntegrator::Verlet, GrainIntegrator::Gear, GrainIntegrator::Rk4}) {
        System s = one_material(1e5, 1, 0);
        s.integrator = integrator, s.gravity = {0, -1, 0};
        s.kinds = {kind_of(sphere_shape(), 1)};
        add_plane(s, {}, {0, 1, 0});
        add_grain(s, 0, 1, {0, 2, 0}, {});
        set_velocity(s, 0, {}, {0.3, 0.4, 0});
        prepare(s);
        const double m = mass_of(s.kinds[0], 1);
        Executor executor(1);
        const double dt = 2e-3;
        int bounces = 0;
        for (int k = 0; k < 20000 && bounces < 5; ++k) {
            const double v = s.grains.v[0].y;
            step(s, dt, executor);
            bounces += v < 0 && s.grains.v[0].y >= 0;
        }
        while (s.notes.touching > 0) step(s, dt, executor);
        const double energy = m * dot(s.grains.v[0], s.grains.v[0]) / 2 + m * (s.grains.x[0].y - 1);
        EXPECT_NEAR(energy / m, 1, 2e-3) << static_cast<int>(integrator);
        EXPECT_NEAR(length(s.grains.w[0]), 0.5, 1e-7);
    }
}

// A free top about no axis of its own: energy and angular momentum.
TEST(GrainIntegrators, keep_the_motion_of_a_free_top) {
    for (const GrainIntegrator integrator :
         {GrainIntegrator::Verlet, GrainIntegrator::Gear, GrainIntegrator::Rk4}) {
        System s = one_material(1e5, 1, 0);
        s.integrator = integrator;
        s.kinds = {kind_of(ellipsoid_shape(12, {1, 0.7, 0.4}, 0, 1), 1)};
        add_grain(s, 0, 1, {}, {});
        set_velocity(s, 0, {}, {0.1, 1, 0.05});
        prepare(s);
        const double energy = kinetic_energy(s);
        const Vec3 spin = s.grains.spin[0];
        Executor executor(1);
        for (int k = 0; k < 4000; ++k) step(s, 5e-3, executor);
        EXPECT_NEAR(kinetic_energy(s) / energy, 1, 1e-5) << static_cast<int>(integrator);
        EXPECT_LT(length(s.grains.spin[0] - spin) / length(spin), 1e-5) << static_cast<int>(integrator);
    }
}

// ---- Chung and Ooi

struct Material {
    double young, poisson, density, restitution, friction;
};
constexpr Material kGlass{4.8e10, 0.2, 2800, 1, 0.35}, kMagnesium{4e10, 0.35, 1800, 1, 0.35},
    kAlumina{3.8e11, 0.23, 4000, 0.98, 0.092}, kSteel{2.08e11, 0.3, 7850, 0.5, 0.4};

System spheres(const Material& m, double radius, bool with_wall) {
    const double own = m.young / (1 - m.poisson * m.poisson);
    System s = one_material(with_wall ? own : own / 2, m.restitution, m.friction);
    s.kinds = {kind_of(sphere_shape(radius), m.density)};
    if (with_wall) add_plane(s, {}, {0, 1, 0});
    return s;
}

// 1 and 2.
TEST(ChungOoi, elastic_normal_impacts_have_the_force_of_hertz) {
    for (const bool with_wall : {false, true}) {
        const double r = with_wall ? 0.1 : 0.01, v = with_wall ? 0.2 : 20;  // v: relative
        System s = spheres(with_wall ? kMagnesium : kGlass, r, with_wall);
        add_grain(s, 0, 1, {0, r * 1.0001, 0}, {});
        if (!with_wall) add_grain(s, 0, 1, {0, -r * 1.0001, 0}, {});
        set_velocity(s, 0, {0, with_wall ? -v : -v / 2, 0}, {});
        if (!with_wall) set_velocity(s, 1, {0, v / 2, 0}, {});
        prepare(s);
        const double m = mass_of(s.kinds[0], 1) / (with_wall ? 1 : 2);
        const laws::HertzImpact exact =
            laws::impact_of(laws::hertz_of(s.laws[0].modulus, with_wall ? r : r / 2), m, v);
        const Impact impact = run_impact(s, exact.duration / 2000);
        EXPECT_NEAR(impact.most / exact.force, 1, 1e-4);
        EXPECT_NEAR(impact.deepest / exact.depth, 1, 1e-4);
        EXPECT_NEAR(impact.duration / exact.duration, 1, 2e-3);
        EXPECT_NEAR(s.grains.v[0].y / (with_wall ? v : v / 2), 1, 1e-6);
    }
}

// 3.
TEST(ChungOoi, normal_impacts_have_the_restitution_asked_for) {
    for (const double e : {0.1, 0.2, 0.4, 0.6, 0.8, 1.0}) {
        Material alumina = kAlumina;
        alumina.restitution = e;
        System s = spheres(alumina, 0.0025, true);
        add_grain(s, 0, 1, {0, 0.0025001, 0}, {});
        set_velocity(s, 0, {0, -3.9, 0}, {});
        prepare(s);
        run_impact(s, 5e-9);
        EXPECT_NEAR(s.grains.v[0].y / 3.9, e, 0.005) << e;
    }
}

// 4 and 5: where tan(angle) is above 7/2 mu (1 + e) the contact slides throughout, and
//     v_t' = v_t - mu (1 + e) v_n,   w' = 5/2 mu (1 + e) v_n / r.
TEST(ChungOoi, oblique_impacts_that_slide_lose_what_coulomb_says) {
    for (const double degrees : {60.0, 70.0, 80.0}) {
        const double r = 0.0025, v = 3.9, angle = degrees * std::numbers::pi / 180;
        System s = spheres(kAlumina, r, true);
        add_grain(s, 0, 1, {0, r * 1.00001, 0}, {});
        const double v_n = v * std::cos(angle), v_t = v * std::sin(angle);
        set_velocity(s, 0, {v_t, -v_n, 0}, {});
        prepare(s);
        run_impact(s, 5e-9);
        const double e = s.grains.v[0].y / v_n, slowing = kAlumina.friction * (1 + e) * v_n;
        EXPECT_NEAR(e, kAlumina.restitution, 0.005);
        EXPECT_NEAR(s.grains.v[0].x / (v_t - slowing), 1, 2e-3) << degrees;
        EXPECT_NEAR(-s.grains.w[0].z / (2.5 * slowing / r), 1, 0.02) << degrees;
    }
}

// 6: a spinning sphere on a wall; 7 and 8: two spheres that spin about the same axis, the second as large or
// five times as heavy. Sliding throughout: v_t' = mu (1 + e) v_n of each relative to the common motion.
TEST(ChungOoi, spinning_spheres_that_slide_gain_what_coulomb_says) {
    const double r = 0.1, v = 0.2, w = 24;
    for (const int number : {6, 7, 8}) {
        System s = spheres(kSteel, r, number == 6);
        if (number > 6) s.kinds.push_back(kind_of(sphere_shape(number == 7 ? r : 5 * r), kSteel.density));
        add_grain(s, 0, 1, {0, r * 1.00001, 0}, {});
        set_velocity(s, 0, {0, -v, 0}, {0, 0, w});
        if (number > 6) {
            const double other = number == 7 ? r : 5 * r;
            add_grain(s, 1, 1, {0, -other, 0}, {});
            // The surfaces move against each other.
            set_velocity(s, 1, {0, v, 0}, {0, 0, number == 7 ? w : w / 5});
        }
        prepare(s);
        run_impact(s, 2e-8);
        const double m = mass_of(s.kinds[0], 1);
        double effective = m, approach = v;
        if (number > 6) {
            const double m2 = mass_of(s.kinds[1], 1);
            effective = m * m2 / (m + m2), approach = 2 * v;
        }
        const double parting = number == 6 ? s.grains.v[0].y : s.grains.v[0].y - s.grains.v[1].y;
        EXPECT_NEAR(parting / approach, kSteel.restitution, 0.005) << number;
        const double impulse = effective * (approach + parting);
        EXPECT_NEAR(std::abs(s.grains.v[0].x) * m / (kSteel.friction * impulse), 1, 2e-3) << number;
        EXPECT_NEAR((w - s.grains.w[0].z) / (2.5 * kSteel.friction * impulse / (m * r)), 1, 0.02) << number;
    }
}

}  // namespace
}  // namespace impuls::granular
