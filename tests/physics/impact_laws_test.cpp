// Restitution by Newton and Poisson, impacts of many bodies at once and one after the other, and what they
// may never do: gain energy.
#include "physics/contact_scenes.h"

namespace impuls {
namespace {

MethodDesc by_order(ImpactOrder order) {
    return parse_method(std::string("default+blocks_from=0+impacts=") +
                        (order == ImpactOrder::Propagating ? "propagating" : "simultaneous"));
}

MaterialDesc bouncy(double restitution, double friction = 0) {
    MaterialDesc m;
    m.restitution = restitution, m.friction = friction;
    return m;
}

void set_law(Scene& scene, RestitutionLaw law) {
    ContactDesc contact;
    contact.a = contact.b = "m";
    contact.restitution_law = law;
    scene.contacts = {contact};
}

// `incoming` of five touching balls come at 1 m/s, in a line along an odd direction; the rest is at rest.
Scene line_of_balls(int incoming, double restitution, double gap, const std::vector<double>& masses) {
    Scene scene = scene_of(bouncy(restitution), false, {});
    scene.settings.method = by_order(ImpactOrder::Propagating);
    const Vec3 along = normalized(Vec3{3, 1, -2});
    for (int k = 0; k < static_cast<int>(masses.size()); ++k) {
        const double x = 0.2 * k + (k >= incoming ? gap : 0);
        scene.bodies.push_back(body_of("ball" + std::to_string(k), Sphere{0.1}, along * x));
        scene.bodies.back().mass = masses[static_cast<std::size_t>(k)];
        if (k < incoming) scene.bodies.back().velocity = along;
    }
    return scene;
}

TEST(ImpactLaws, as_many_balls_leave_as_come) {
    for (const int incoming : {1, 2, 3, 4})
        for (const double gap : {0.0, 0.003, 0.0123}) {
            Scene scene = line_of_balls(incoming, 1, gap, {1, 1, 1, 1, 1});
            World world(scene);
            run(world, 0.2);
            for (int k = 0; k < 5; ++k)
                EXPECT_NEAR(length(velocity_of(world, "ball" + std::to_string(k))), k >= 5 - incoming ? 1 : 0,
                            1e-6)
                    << incoming << " in, gap " << gap << ", ball " << k;
            EXPECT_NEAR(world.frame().energy.kinetic, 0.5 * incoming, 1e-12 * incoming);
            EXPECT_NEAR(length(world.frame().linear_momentum), incoming, 1e-12 * incoming);
        }
}

// Each impact by itself: balls of falling mass, v' = v (1 + e) m1 / (m1 + m2) from one to the next.
TEST(ImpactLaws, impacts_pass_from_ball_to_ball) {
    const std::vector<double> masses{8, 4, 2, 1};
    for (const double e : {1.0, 0.5}) {
        World world(line_of_balls(1, e, 0.002, masses));
        run(world, 0.3);
        double v = 1;
        for (std::size_t k = 0; k + 1 < masses.size(); ++k) {
            const double m1 = masses[k], m2 = masses[k + 1];
            EXPECT_NEAR(length(velocity_of(world, "ball" + std::to_string(k))), v * (m1 - e * m2) / (m1 + m2),
                        1e-6)
                << e << " " << k;
            v *= (1 + e) * m1 / (m1 + m2);
        }
        EXPECT_NEAR(length(velocity_of(world, "ball3")), v, 1e-6) << e;
    }
}

// Inelastic balls between two walls would need impacts without end.
TEST(ImpactLaws, propagating_impacts_end) {
    Scene scene = scene_of(bouncy(0.3), false, {});
    scene.settings.method = by_order(ImpactOrder::Propagating);
    for (int k = 0; k < 6; ++k)
        scene.bodies.push_back(body_of("ball" + std::to_string(k), Sphere{0.1}, {0.2 * k, 0, 0}));
    scene.bodies[0].velocity = {1, 0, 0}, scene.bodies[5].velocity = {-1, 0, 0};
    scene.bodies[2].mass = 0.04;  // a hundredth of the others
    World world(scene);
    double last = world.frame().energy.kinetic;
    for (int k = 0; k < 50; ++k) {
        ASSERT_TRUE(world.step().ok);
        EXPECT_LE(world.frame().energy.kinetic, last * (1 + 1e-12));
        last = world.frame().energy.kinetic;
    }
}

// Single impacts are what they are without propagation: the height of bounces is exact.
TEST(ImpactLaws, single_impacts_stay_exact) {
    for (const auto law : {RestitutionLaw::Newton, RestitutionLaw::Poisson})
        for (const auto order : {ImpactOrder::Simultaneous, ImpactOrder::Propagating}) {
            Scene scene = scene_of(bouncy(0.8), true);
            scene.settings.method = by_order(order);
            set_law(scene, law);
            scene.bodies.push_back(body_of("ball", Sphere{0.5}, {0, 1.5, 0}));
            World world(scene);
            double last = 0, apex = 0;
            int bounces = 0;
            while (bounces < 3 && world.time() < 5) {
                ASSERT_TRUE(world.step().ok);
                const double v = velocity_of(world, "ball").y;
                if (last < 0 && v > 0) {
                    ++bounces;
                    apex = world.pose(world.find_body("ball")).position.y - 0.5 + v * v / (2 * kG);
                }
                last = v;
            }
            EXPECT_NEAR(apex, std::pow(0.8, 6), 1e-9);
        }
}

// A ball whose centre of mass is off its middle hits rough ground and sticks to it tangentially. With
// W = [1/m + x^2/I, x R/I; x R/I, 1/m + R^2/I] for (normal, tangent), lever (x, -R):
//     Newton   v_n' = -e v_n
//     Poisson  v_n' = -e (v_n - W_nt/W_tt v_t)       (all of W^-1 acts in the compression)
void expect_law(RestitutionLaw law, double speed, double gap, double duration) {
    const double m = 2, moment = 0.1, r = 0.3, x = 0.12, e = 0.6, vn = -2 * speed, vt = -0.4 * speed;
    Scene scene = scene_of(bouncy(e, 5), true, {});
    set_law(scene, law);
    BodyDesc ball = body_of("ball", Sphere{r}, {0, r + gap, 0});
    ball.mass = m, ball.inertia = Vec3{moment, moment, moment}, ball.center_of_mass = Vec3{-x, 0, 0};
    ball.velocity = {vt, vn, 0};
    scene.bodies.push_back(ball);
    World world(scene);
    run(world, duration);
    // velocity of the touching point: v + w x (x, -r)
    const Vec3 v = velocity_of(world, "ball"), w = spin_of(world, "ball");
    const double w_nt = x * r / moment, w_tt = 1 / m + r * r / moment, w_nn = 1 / m + x * x / moment;
    const double newton = -e * vn, poisson = -e * (vn - w_nt / w_tt * vt);
    const double after = law == RestitutionLaw::Newton ? newton : poisson;
    // From the impulses: P_n, P_t with v_t' = 0.
    const double pn = (after - vn + w_nt / w_tt * vt) / (w_nn - w_nt * w_nt / w_tt);
    const double pt = (-vt - w_nt * pn) / w_tt;
    EXPECT_NEAR(v.y, vn + pn / m, 2e-3 * std::abs(vn));
    EXPECT_NEAR(v.x, vt + pt / m, 2e-3 * std::abs(vn));
    EXPECT_NEAR(w.z, (x * pn + r * pt) / moment, 1e-2 * speed);
}
TEST(ImpactLaws, newton_and_poisson_differ_by_friction) {
    for (const auto law : {RestitutionLaw::Newton, RestitutionLaw::Poisson}) expect_law(law, 1, 0.001, 0.05);
}
// So fast that the impact is found ahead: the law is the same.
TEST(ImpactLaws, swept_impacts_follow_the_law_of_the_pair) {
    for (const auto law : {RestitutionLaw::Newton, RestitutionLaw::Poisson}) expect_law(law, 200, 1, 0.01);
}

// All of a lattice of elastic balls meets in one substep: relative velocities are reversed, so the lattice
// flies apart as it came together.
TEST(ImpactLaws, symmetric_lattice_keeps_its_energy) {
    const int n = 4;
    for (const auto order : {ImpactOrder::Simultaneous, ImpactOrder::Propagating}) {
        Scene scene = scene_of(bouncy(1), false, {});
        scene.settings.method = by_order(order);
        for (int k = 0; k < n * n * n; ++k) {
            const Vec3 cell{k % n - 0.5 * (n - 1), k / n % n - 0.5 * (n - 1), k / n / n - 0.5 * (n - 1)};
            scene.bodies.push_back(body_of("ball" + std::to_string(k), Sphere{0.1}, cell * 0.25));
            scene.bodies.back().velocity = cell * -0.5;
        }
        World world(scene);
        const double before = world.frame().energy.kinetic;
        run(world, 0.5);
        EXPECT_NEAR(world.frame().energy.kinetic, before, 1e-9 * before) << static_cast<int>(order);
        EXPECT_LT(length(world.frame().linear_momentum), 1e-9);
        const Vec3 corner = velocity_of(world, "ball0");
        EXPECT_NEAR(corner.x, corner.y, 1e-6);
        EXPECT_NEAR(corner.x, corner.z, 1e-6);
        EXPECT_LT(corner.x, 0);
    }
}

void expect_no_gain(const Scene& scene, double duration, double allowed) {
    World world(scene);
    const double start = world.frame().energy.total;
    double lowest = start, gain = 0;
    while (world.time() < duration) {
        ASSERT_TRUE(world.step().ok);
        const double now = world.frame().energy.total;
        gain = std::max(gain, now - lowest);
        lowest = std::min(lowest, now);
    }
    EXPECT_LE(gain / std::abs(start), allowed);
}

TEST(SpecShock, T31_elastic_stack_does_not_explode) {
    for (const auto order : {ImpactOrder::Simultaneous, ImpactOrder::Propagating})
        for (const auto law : {RestitutionLaw::Newton, RestitutionLaw::Poisson}) {
            Scene scene = scene_of(bouncy(1, 0.4), true);
            scene.settings.method = by_order(order);
            set_law(scene, law);
            const int count = is_long() ? 25 : 8;
            for (int k = 0; k < count; ++k)
                scene.bodies.push_back(body_of("box" + std::to_string(k), Box{}, {0, 0.55 + 1.05 * k, 0}));
            expect_no_gain(scene, is_long() ? 10 : 2, 0.01);
        }
}

TEST(ImpactLaws, bouncing_pile_never_gains_energy) {
    for (const auto order : {ImpactOrder::Simultaneous, ImpactOrder::Propagating})
        for (const auto law : {RestitutionLaw::Newton, RestitutionLaw::Poisson}) {
            Scene scene = scene_of(bouncy(0.8, 0.4), true);
            scene.settings.method = by_order(order);
            set_law(scene, law);
            const int n = is_long() ? 4 : 2;
            for (int k = 0; k < n * n * n; ++k) {
                BodyDesc box =
                    body_of("box" + std::to_string(k), Box{{1, 0.6, 0.8}},
                            {1.5 * (k % n) + 0.1 * (k % 3), 1 + 1.5 * (k / n % n), 1.5 * (k / n / n)});
                box.orientation = normalized(Quat{1, 0.3 * (k % 5), 0.2 * (k % 7), 0.1 * (k % 4)});
                scene.bodies.push_back(box);
            }
            expect_no_gain(scene, is_long() ? 10 : 2, 1e-3);
        }
}

// What lies still on the ground stays where it is while balls pass an impact on beside it, and all of it
// weighs what it weighs.
TEST(ImpactLaws, resting_contacts_are_not_disturbed) {
    Scene scene = scene_of(bouncy(1), true);
    scene.settings.method = by_order(ImpactOrder::Propagating);
    for (int k = 0; k < 4; ++k) {
        scene.bodies.push_back(body_of("ball" + std::to_string(k), Sphere{0.1}, {0.2 * k, 0.1, 0}));
        scene.bodies.back().mass = 1;
    }
    scene.bodies[1].position.x = -0.2, scene.bodies[1].velocity = {1, 0, 0};
    World world(scene);
    while (world.time() < 0.5) {
        ASSERT_TRUE(world.step().ok);
        for (int k = 0; k < 4; ++k) {
            const std::string name = "ball" + std::to_string(k);
            EXPECT_NEAR(velocity_of(world, name).y, 0, 1e-9);
            EXPECT_NEAR(world.pose(world.find_body(name)).position.y, 0.1, 1e-9);
            EXPECT_NEAR(force_on(world, name).y, kG, 1e-6 * kG);
        }
    }
    EXPECT_NEAR(velocity_of(world, "ball3").x, 1, 1e-6);
    EXPECT_NEAR(velocity_of(world, "ball1").x, 0, 1e-6);
}

// Contact forces of a pile at rest add up to its weight, whatever the laws.
TEST(ContactForces, of_a_pile_add_up_to_the_weight) {
    for (const auto law : {RestitutionLaw::Newton, RestitutionLaw::Poisson}) {
        MaterialDesc m = bouncy(0.3, 0.6);
        m.static_friction = 0.7, m.rolling_friction = 0.02, m.torsional_friction = 0.01;
        Scene scene = scene_of(m, true);
        set_law(scene, law);
        double weight = 0;
        for (int k = 0; k < 10; ++k) {
            const Vec3 at{0.45 * (k % 3) + 0.02 * k, 0.3 + 0.45 * (k / 3), 0.3 * (k % 2)};
            const std::string name = "body" + std::to_string(k);
            scene.bodies.push_back(k % 2 ? body_of(name, Box{{0.4, 0.4, 0.4}}, at)
                                         : body_of(name, Sphere{0.2}, at));
            scene.bodies.back().mass = 1 + k;
            scene.bodies.back().linear_damping = scene.bodies.back().angular_damping = 1;
            weight += (1 + k) * kG;
        }
        World world(scene);
        run(world, 8);
        for (int k = 0; k < 10; ++k) {
            const std::string name = "body" + std::to_string(k);
            EXPECT_LT(length(velocity_of(world, name)), 1e-4) << name;
            EXPECT_NEAR(force_on(world, name).y, (1 + k) * kG, 1e-3 * (1 + k) * kG) << name;
        }
        EXPECT_NEAR(force_on(world, "ground").y, -weight, 1e-3 * weight);
        EXPECT_LT(std::hypot(force_on(world, "ground").x, force_on(world, "ground").z), 1e-3 * weight);
    }
}

}  // namespace
}  // namespace impuls
