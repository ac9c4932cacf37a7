// POV-Ray scenes rendered by the real povray: the picture of a red ball must lie where a projection written
// here, on its own, puts it.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "impuls/export.h"
#include "io/recording/fixture.h"

namespace impuls::test {
namespace {

constexpr int kWidth = 320, kHeight = 240;

struct Pixel {
    double x, y;
    int count;
};

// The middle of all pixels that are clearly red, in a binary PPM picture.
Pixel find_red(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::string magic;
    std::getline(in, magic);
    while (in.peek() == '#') in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    int width = 0, height = 0, most = 0;
    in >> width >> height >> most;
    in.get();
    EXPECT_EQ(magic, "P6");
    EXPECT_EQ(width, kWidth);
    EXPECT_EQ(most, 255);
    Pixel sum{0, 0, 0};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            unsigned char c[3] = {};
            in.read(reinterpret_cast<char*>(c), 3);
            if (c[0] < 60 || c[0] < 2.5 * c[1] || c[0] < 2.5 * c[2]) continue;
            sum.x += x + 0.5, sum.y += y + 0.5, ++sum.count;
        }
    }
    return {sum.x / sum.count, sum.y / sum.count, sum.count};
}

bool has_povray() {
    return std::system("povray --version > /dev/null 2>&1") == 0;
}

// Renders the first `count` frames, all at once: povray spends most of its time waiting for itself.
std::vector<Pixel> render(const std::string& folder, std::size_t count) {
    std::string command;
    for (std::size_t n = 0; n < count; ++n) {
        command += fmt::format(
            "povray -D -GA +W{0} +H{1} -A +FP +I{2}/frame_{3:06}.pov +O{2}/{3}.ppm > {2}/{3}.log 2>&1 & ",
            kWidth, kHeight, folder, n);
    }
    EXPECT_EQ(std::system((command + "wait").c_str()), 0);
    std::vector<Pixel> seen;
    for (std::size_t n = 0; n < count; ++n) seen.push_back(find_red(fmt::format("{}/{}.ppm", folder, n)));
    return seen;
}

// Longitude and latitude of a point seen from the camera, then the tangent plane: no cross products of the
// exporter's kind. `up` is +y or +z here.
Pixel project(const Vec3& camera, const Vec3& target, double fov, char up, const Vec3& p) {
    // To a frame with north = z: for y-up worlds (x, y, z) -> (x, -z, y), which keeps right-handedness.
    const auto turned = [up](const Vec3& v) { return up == 'y' ? Vec3{v.x, -v.z, v.y} : v; };
    const Vec3 look = turned(target - camera), d = turned(p - camera);
    const double azimuth = std::atan2(look.y, look.x);
    const double height = std::atan2(look.z, std::hypot(look.x, look.y));
    // Undo the azimuth, then the height: afterwards the camera looks along +x, with y to the left, z up.
    const double x1 = std::cos(azimuth) * d.x + std::sin(azimuth) * d.y;
    const double left = -std::sin(azimuth) * d.x + std::cos(azimuth) * d.y;
    const double ahead = std::cos(height) * x1 + std::sin(height) * d.z;
    const double above = -std::sin(height) * x1 + std::cos(height) * d.z;
    const double focal = kWidth / 2.0 / std::tan(fov / 2);
    return {kWidth / 2.0 - focal * left / ahead, kHeight / 2.0 - focal * above / ahead, 0};
}

// A red ball in a grey world with a floor and other shapes; one frame for each place of the ball.
Scene red_ball_scene(char up) {
    Scene scene = make_scene(0);
    if (up == 'z') {
        scene.settings.gravity = {0, 0, -9.81};
        scene.bodies[0].orientation = from_axis_angle({1, 0, 0}, M_PI / 2);  // +y of the plane becomes +z
    }
    BodyDesc red;
    red.name = "red", red.shape = Sphere{0.15}, red.color = Vec3{1, 0, 0}, red.material = "default";
    scene.bodies.push_back(red);
    const Shape others[] = {
        Box{{0.4, 0.2, 0.3}},
        Capsule{0.1, 0.3},
        Cylinder{0.1, 0.3},
        Cone{0.2, 0.3},
        Ellipsoid{{0.1, 0.2, 0.3}},
        Point{},
        Convex{{{0, 0, 0}, {0.3, 0, 0}, {0, 0.3, 0}, {0, 0, 0.3}}},
        HeightField{2, 0.5, {0, 0, 0, 0.1}},
        Compound{{{{0.2, 0, 0}, {}, Sphere{0.1}}, {{-0.2, 0, 0}, {}, Box{{0.1, 0.1, 0.1}}}}}};
    for (const Shape& shape : others) {
        BodyDesc body;
        body.name = fmt::format("other[{}]", scene.bodies.size()), body.kind = BodyKind::Static;
        body.shape = shape, body.material = "default";
        scene.bodies.push_back(body);
    }
    return scene;
}

std::string record_places(const TempFolder& folder, const Scene& scene, char up,
                          const std::vector<Vec3>& places) {
    const std::string file = folder / "places.impuls";
    const auto structure = std::make_shared<const Scene>(scene);
    Recorder recorder(file, scene);
    for (std::size_t n = 0; n < places.size(); ++n) {
        Frame frame = tame_frame(structure, static_cast<std::int64_t>(n));
        frame.orientations[0] = scene.bodies[0].orientation;
        frame.positions[1] = places[n];
        // The others stand in a row behind and below, out of the way of the ball.
        for (std::size_t k = 2; k < scene.bodies.size(); ++k) {
            const double x = 0.6 * static_cast<double>(k) - 4;
            frame.positions[k] = up == 'y' ? Vec3{x, 0.3, -4} : Vec3{x, 4, 0.3};
        }
        recorder.add_frame(frame);
    }
    recorder.close();
    return file;
}

void export_povray(const std::string& file, const std::string& out) {
    for (const Exporter& exporter : exporters()) {
        if (std::string(exporter.name) == "povray") exporter.write(Recording(file), out, {});
    }
}

TEST(ExportPovray, BallsAppearWhereTheyAre) {
    if (!has_povray()) GTEST_SKIP() << "povray is not installed";
    struct Case {
        char up;
        Vec3 camera, target;
        double fov;
    };
    for (const Case& c : {Case{'y', {3, 4, 6}, {0.5, 1, 0}, 0.8}, Case{'y', {-5, 1.5, 2}, {0, 1, 0.3}, 1.2},
                          Case{'z', {2, -6, 3}, {0, 0, 1}, 0.7}}) {
        const TempFolder folder;
        Scene scene = red_ball_scene(c.up);
        scene.view.camera = c.camera, scene.view.target = c.target, scene.view.field_of_view = c.fov;
        const std::vector<Vec3> places{{0, 1, 0.5}, {1.2, 1.4, 0.9}, {-0.7, 0.8, 1.8}};
        export_povray(record_places(folder, scene, c.up, places), folder / "pov");
        const std::vector<Pixel> pictures = render(folder / "pov", places.size());
        for (std::size_t n = 0; n < places.size(); ++n) {
            const Pixel& seen = pictures[n];
            const Pixel expected = project(c.camera, c.target, c.fov, c.up, places[n]);
            ASSERT_GT(seen.count, 20) << c.up << n;
            EXPECT_NEAR(seen.x, expected.x, 2) << c.up << n;
            EXPECT_NEAR(seen.y, expected.y, 2) << c.up << n;
        }
    }
}

// No formula at all: what is further along +x is right, what is higher is up, nearer is larger.
TEST(ExportPovray, NothingIsMirrored) {
    if (!has_povray()) GTEST_SKIP() << "povray is not installed";
    for (const char up : {'y', 'z'}) {
        const TempFolder folder;
        Scene scene = red_ball_scene(up);
        scene.view.camera = up == 'y' ? Vec3{0, 1, 6} : Vec3{0, -6, 1};
        scene.view.target = up == 'y' ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
        const auto place = [up](double right, double above, double near) {
            return up == 'y' ? Vec3{right, above, near} : Vec3{right, -near, above};
        };
        export_povray(record_places(folder, scene, up,
                                    {place(0, 1, 0), place(1, 1, 0), place(0, 1.8, 0), place(0, 1, 2)}),
                      folder / "pov");
        const std::vector<Pixel> pictures = render(folder / "pov", 4);
        const Pixel &middle = pictures[0], &right = pictures[1], &above = pictures[2], &near = pictures[3];
        EXPECT_NEAR(middle.x, kWidth / 2.0, 2);
        EXPECT_NEAR(middle.y, kHeight / 2.0, 2);
        EXPECT_GT(right.x, middle.x + 20);
        EXPECT_LT(above.y, middle.y - 20);
        EXPECT_GT(near.count, 1.5 * middle.count);
    }
}

TEST(ExportPovray, ChosenCameraSeesEverything) {
    if (!has_povray()) GTEST_SKIP() << "povray is not installed";
    for (const char up : {'y', 'z'}) {
        for (const double scale : {1.0, 100.0}) {
            const TempFolder folder;
            Scene scene = make_scene(0);
            if (up == 'z') scene.settings.gravity = {0, 0, -9.81};
            if (up == 'z') scene.bodies[0].orientation = from_axis_angle({1, 0, 0}, M_PI / 2);
            BodyDesc red;
            red.name = "red", red.shape = Sphere{0.3 * scale}, red.color = Vec3{1, 0, 0},
            red.material = "default";
            scene.bodies.push_back(red);
            std::vector<Vec3> places;
            for (int k = 0; k < 8; ++k) {
                const Vec3 p{k & 1 ? 4.0 : -4.0, k & 2 ? 3.0 : 0.5, k & 4 ? 2.0 : 0.5};
                places.push_back(scale * p);
            }
            export_povray(record_places(folder, scene, up, places), folder / "pov");
            for (const Pixel& seen : render(folder / "pov", places.size())) {
                EXPECT_GT(seen.count, 20) << up << scale;
                EXPECT_TRUE(seen.x > 5 && seen.x < kWidth - 5 && seen.y > 5 && seen.y < kHeight - 5);
            }
        }
    }
}

}  // namespace
}  // namespace impuls::test
