// Ask where things are: shapes that you place yourself (distances, a ray, a bullet that does not pass a
// plate), then the bodies of a running world.
#include <impuls/impuls.h>

#include <cmath>
#include <cstdio>

using namespace impuls;

namespace {

bool is_near(double a, double b, double tolerance = 1e-12) {
    return std::fabs(a - b) < tolerance;
}

bool placed_shapes() {
    Executor executor(1);
    CollisionScene scene;
    const Solid ball(Sphere{.radius = 0.5}), plate(Box{.size = {2, 2, 0.01}});
    const ProxyId floor = scene.add(Solid(Plane{}), {});
    const ProxyId target = scene.add(plate, {{0, 1, 5}, {}});
    scene.update(executor);

    // A ray straight down and one forward: t counts in lengths of the direction.
    const RayResult down = scene.ray({.origin = {0, 3, 0}, .direction = {0, -1, 0}});
    const RayResult forward = scene.ray({.origin = {0, 1, 0}, .direction = {0, 0, 2}});
    std::printf("down: floor at %.3f m; forward: plate at t = %.4f\n", down.t, forward.t);

    // The closest points of a ball and what is near it.
    const auto near = scene.closest({{ball, {{0, 0.8, 0}, {}}}, 10});
    std::printf("the floor is %.3f m below the ball\n", near ? near->distance.distance : -1);

    // A 1 cm bullet at 1000 m/s meets the 1 cm plate 4.99 m ahead, in the middle of a step of 1/60 s.
    const Solid bullet(Sphere{.radius = 0.005});
    const auto hit = scene.cast({bullet, {{{0, 1, 0}, {}}, {0, 0, 1000}, {}}, 1.0 / 60});
    std::printf("the bullet touches after %.4f ms\n", hit ? 1000 * hit->impact.t : -1);

    return down.proxy == floor && is_near(down.t, 3) && forward.proxy == target &&
           is_near(forward.t, 4.995 / 2) && near && near->proxy == floor &&
           is_near(near->distance.distance, 0.3) && hit && hit->proxy == target &&
           is_near(hit->impact.t, 4.99e-3, 1e-8);
}

bool running_world() {
    Scene scene;
    BodyDesc ground, crate;
    ground.name = "ground", ground.shape = Plane{}, ground.kind = BodyKind::Static;
    crate.name = "crate", crate.shape = Box{.size = {1, 1, 1}}, crate.position = {0, 10, 0};
    scene.bodies = {ground, crate};
    World world(scene);
    while (world.time() < 1) world.step();

    // Looking up from below the falling crate; looking down on it, through it, at the ground.
    const auto above = world.ray({.origin = {0, 0.5, 0}, .direction = {0, 1, 0}});
    std::vector<BodyHit> all;
    world.ray_all({.origin = {0, 20, 0}, .direction = {0, -1, 0}}, all);
    const auto nearest = world.closest(Vec3{0, 20, 0}, 100, {.statics = false});
    const double bottom = world.pose(world.find_body("crate")).position.y - 0.5;
    std::printf("after %.1f s the crate's bottom is %.4f m up\n", world.time(), above ? above->point.y : -1);
    return above && above->body == world.find_body("crate") && is_near(above->point.y, bottom) &&
           all.size() == 2 && all[1].body == world.find_body("ground") && is_near(all[1].distance, 20) &&
           nearest && is_near(nearest->distance, 20 - bottom - 1);
}

}  // namespace

int main() {
    const bool ok = placed_shapes() && running_world();
    return ok ? 0 : 1;
}
