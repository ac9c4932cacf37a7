// Ask about shapes without simulating: distances, a ray, a cast, and a bullet that does not pass a plate.
#include <impuls/impuls.h>

#include <cmath>
#include <cstdio>

using namespace impuls;

int main() {
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
    const auto near = scene.closest({ball, {{0, 0.8, 0}, {}}}, 10);
    std::printf("the floor is %.3f m below the ball\n", near ? near->distance.distance : -1);

    // A 1 cm bullet at 1000 m/s meets the 1 cm plate 4.99 m ahead, in the middle of a step of 1/60 s.
    const Solid bullet(Sphere{.radius = 0.005});
    const auto hit = scene.cast(bullet, {{{0, 1, 0}, {}}, {0, 0, 1000}, {}}, 1.0 / 60);
    std::printf("the bullet touches after %.4f ms\n", hit ? 1000 * hit->impact.t : -1);

    const bool ok = down.proxy == floor && std::fabs(down.t - 3) < 1e-12 && forward.proxy == target &&
                    std::fabs(forward.t - 4.995 / 2) < 1e-12 && near && near->proxy == floor &&
                    std::fabs(near->distance.distance - 0.3) < 1e-12 && hit && hit->proxy == target &&
                    std::fabs(hit->impact.t - 4.99e-3) < 1e-8;
    return ok ? 0 : 1;
}
