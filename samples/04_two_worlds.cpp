// Two worlds in one process share threads and nothing else: a pendulum on Earth and one on the Moon, stepped
// in turn. For small swings the periods behave as sqrt(g_Earth / g_Moon).
#include <impuls/impuls.h>

#include <cmath>
#include <cstdio>
#include <memory>

using namespace impuls;

namespace {

constexpr double kEarth = 9.81;  // m/s^2
constexpr double kMoon = 1.62;   // m/s^2

Scene pendulum(double gravity) {
    Scene scene;
    scene.settings.gravity = {0, -gravity, 0};
    scene.settings.dt = 0.002;
    BodyDesc bob;
    bob.name = "bob";
    bob.shape = Sphere{.radius = 0.01};
    bob.position = {std::sin(0.05), -std::cos(0.05), 0};
    scene.bodies.push_back(bob);
    JointDesc pivot;
    pivot.name = "pivot";
    pivot.b = "bob";
    pivot.joint = BallJoint{.anchor = {0, 0, 0}};
    scene.joints.push_back(pivot);
    return scene;
}

// Counts time between passages through the lowest point: half a period each.
struct Clock {
    double last_x = 1, first = 0, last = 0;
    int passages = 0;

    void see(double t, double dt, double x) {
        if (x * last_x < 0) {
            last = t - dt * x / (x - last_x);
            if (passages++ == 0) first = last;
        }
        last_x = x;
    }
    double period() const { return 2 * (last - first) / (passages - 1); }
};

}  // namespace

int main() {
    const auto executor = std::make_shared<Executor>(2);
    World earth(pendulum(kEarth), executor);
    World moon(pendulum(kMoon), executor);
    Clock on_earth, on_moon;
    for (int step = 0; step < 10000; ++step) {
        if (!earth.step().ok || !moon.step().ok) return 1;
        on_earth.see(earth.time(), earth.dt(), earth.pose(earth.find_body("bob")).position.x);
        on_moon.see(moon.time(), moon.dt(), moon.pose(moon.find_body("bob")).position.x);
    }

    // T = 2 pi sqrt(I / (m g l)) (1 + a^2/16) with I = m (l^2 + 2/5 r^2) and amplitude a.
    const double factor = 2 * 3.14159265358979 * std::sqrt(1 + 0.4 * 0.0001) * (1 + 0.05 * 0.05 / 16);
    const double earth_error = on_earth.period() / (factor / std::sqrt(kEarth)) - 1;
    const double moon_error = on_moon.period() / (factor / std::sqrt(kMoon)) - 1;
    std::printf("period on Earth %.5f s (off by %.1e)\n", on_earth.period(), earth_error);
    std::printf("period on the Moon %.5f s (off by %.1e)\n", on_moon.period(), moon_error);
    return std::fabs(earth_error) < 1e-5 && std::fabs(moon_error) < 1e-5 ? 0 : 1;
}
