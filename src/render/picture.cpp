// Deferred shading: for each sample the nearest item, its depth and normal are found first, and only what is
// seen is shaded: light from the sky by the direction of the surface, from the lamp by Lambert's cosine where
// no shadow falls, a highlight after Blinn (1977). Edges are where neighbouring samples belong to other
// items or their normals differ.
#include "render/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "impuls/scene.h"
#include "render/gather.h"
#include "render/paint.h"
#include "render/raster.h"
#include "render/shadow.h"

namespace impuls {

namespace {

constexpr std::uint32_t kSky = std::numeric_limits<std::uint32_t>::max();
constexpr int kShadowCells = 2048;
constexpr double kThrough = 0.45;  // how far signs shine through

struct Normal {
    float x, y, z;
};

struct Samples {
    Samples(int w, int h)
        : width(w),
          depth(static_cast<std::size_t>(w) * static_cast<std::size_t>(h),
                std::numeric_limits<float>::infinity()),
          item(depth.size(), kSky),
          normal(depth.size()) {}
    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    void put(int x, int y, double z, std::uint32_t number, const Vec3& n) {
        const std::size_t k = at(x, y);
        if (!(static_cast<float>(z) < depth[k])) return;
        depth[k] = static_cast<float>(z), item[k] = number;
        normal[k] = {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
    }

    int width;
    std::vector<float> depth;
    std::vector<std::uint32_t> item;
    std::vector<Normal> normal;
};

Projection projection_of(const Look& look, int width, int height) {
    const Camera& c = look.camera;
    return {c.location,       c.forward, c.right, c.up, 0.5 * width / c.tan_half_width,
            1e-4 * look.size, width,     height};
}

// 1, 2 or 5 times a power of ten, near x.
double round_number(double x) {
    const double power = std::pow(10, std::floor(std::log10(x)));
    return (x < 2 * power ? 1 : x < 5 * power ? 2 : 5) * power;
}

void fill_plane(Samples& samples, const Projection& projection, int height, const Pose& X_WB,
                std::uint32_t number) {
    const Vec3 n = rotate(X_WB.orientation, {0, 1, 0});
    const double above = dot(projection.location - X_WB.position, n);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < samples.width; ++x) {
            const double fall = -dot(projection.ray(x, y), n);
            if (fall > 1e-9) samples.put(x, y, above / fall, number, n);
        }
}

class Shader {
  public:
    Shader(const Look& look, const Gathered& things, const Projection& projection, const ShadowMap& shadow)
        : look_(look),
          projection_(projection),
          shadow_(shadow),
          cell_(round_number(look.size / 8)),
          far_(9 * std::max(look.size, 0.4 * length(look.camera.location - things.center))),
          horizon_(to_light(0.75 * look.background + 0.25 * Vec3{1, 1, 1})),
          zenith_(to_light(scale(look.background, {0.68, 0.82, 0.97}))) {}

    Vec3 sky(const Vec3& ray) const {
        const double height = std::clamp(1.6 * dot(ray, look_.up) / length(ray), 0.0, 1.0);
        return horizon_ + height * (zenith_ - horizon_);
    }

    Vec3 surface(const Item& item, const Vec3& ray, double z, Vec3 n) const {
        const Vec3 p = projection_.location + z * ray, eye = normalized(-ray);
        n = normalized(n);
        if (dot(n, eye) < 0) n = -n;
        const Vec3 light = normalized(look_.camera.light - p);
        const double facing = std::max(0.0, dot(n, light));
        const double lit = facing > 0 ? facing * shadow_.light_at(p, n) : 0;
        const double open = 0.5 + 0.5 * dot(n, look_.up);
        const Vec3 base = item.is_plane ? checkered(item, p, z) : item.color;
        Vec3 color = (0.24 + 0.26 * open + 0.62 * lit) * base;
        if (item.is_plane) return faded(color, z);
        double shine = std::max(0.0, dot(n, normalized(light + eye)));
        for (int k = 0; k < 5; ++k) shine *= shine;  // to the 32nd power
        return color + (0.16 * shine * (lit > 0 ? 1 : 0)) * Vec3{1, 1, 1};
    }

  private:
    // Two shades; their mean where a square is smaller than what a sample sees of the plane.
    Vec3 checkered(const Item& item, const Vec3& p, double z) const {
        const Vec3 q = rotate_inverse(item.pose.orientation, p - item.pose.position);
        const double slope =
            std::abs(rotate_inverse(item.pose.orientation, projection_.location - item.pose.position).y);
        const double seen = z * z / projection_.focal / std::max(slope, 1e-9);
        const double sharp = std::clamp(1.5 - 2 * seen / cell_, 0.0, 1.0);
        const bool is_even = (static_cast<long long>(std::floor(q.x / cell_)) +
                              static_cast<long long>(std::floor(q.z / cell_))) %
                                 2 ==
                             0;
        return (0.9 + (is_even ? 0.1 : -0.1) * sharp) * item.color;
    }

    // Far away the plane turns into the sky above the horizon.
    Vec3 faded(const Vec3& color, double z) const {
        const double far = z / far_, share = far * far / (1 + far * far);
        return color + share * (horizon_ - color);
    }

    const Look& look_;
    const Projection& projection_;
    const ShadowMap& shadow_;
    double cell_, far_;  // m: edge of a square, where the ground has half turned into the sky
    Vec3 horizon_, zenith_;
};

// How much of the light an edge takes away at a sample, 0 to 1.
double edge(const Samples& s, const Gathered& things, int x, int y, int height) {
    const std::size_t k = s.at(x, y);
    if (s.item[k] == kSky) return 0;
    const Item& item = things.items[s.item[k]];
    if (item.is_plane) return 0;
    double most = 0;
    for (const auto& [dx, dy] : {std::array{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
        if (x + dx < 0 || y + dy < 0 || x + dx >= s.width || y + dy >= height) continue;
        const std::size_t other = s.at(x + dx, y + dy);
        if (s.item[other] != s.item[k]) {
            if (s.depth[other] >= s.depth[k]) most = std::max(most, 0.5);
        } else {
            const Normal &a = s.normal[k], &b = s.normal[other];
            const double cosine = static_cast<double>(a.x * b.x + a.y * b.y + a.z * b.z);
            if (cosine < 0.8) most = std::max(most, 0.3);
        }
    }
    return most * item.line;
}

std::uint8_t to_byte(double light) {
    return static_cast<std::uint8_t>(std::lround(255 * std::sqrt(std::clamp(light, 0.0, 1.0))));
}

class Painter {
  public:
    Painter(const Look& look, const Gathered& things, int width, int height)
        : things_(things),
          height_(height),
          projection_(projection_of(look, width, height)),
          shadow_(look.camera.light, things.center, 1.02 * things.radius, kShadowCells),
          shader_(look, things, projection_, shadow_),
          solid_(width, height),
          signs_(width, height) {
        for (std::size_t k = 0; k < things.items.size(); ++k) fill(static_cast<std::uint32_t>(k));
    }
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    Vec3 light_at(int x, int y) const {
        const Vec3 ray = projection_.ray(x, y);
        const std::size_t k = solid_.at(x, y);
        Vec3 color = shaded(solid_, k, ray) * (1 - edge(solid_, things_, x, y, height_));
        if (signs_.item[k] == kSky) return color;
        const double share = signs_.depth[k] <= solid_.depth[k] ? 1 : kThrough;
        const Vec3 sign = shaded(signs_, k, ray) * (1 - edge(signs_, things_, x, y, height_));
        return color + share * (sign - color);
    }

  private:
    void fill(std::uint32_t number) {
        const Item& item = things_.items[number];
        if (item.is_plane) return fill_plane(solid_, projection_, height_, item.pose, number);
        Samples& samples = item.is_sign ? signs_ : solid_;
        for (const Facet& facet : things_.facets[number]) {
            fill_facet(facet, projection_,
                       [&](int x, int y, double z, const Vec3& n) { samples.put(x, y, z, number, n); });
            if (!item.is_sign) shadow_.add(facet);
        }
    }
    Vec3 shaded(const Samples& s, std::size_t k, const Vec3& ray) const {
        if (s.item[k] == kSky) return shader_.sky(ray);
        const Normal& n = s.normal[k];
        return shader_.surface(things_.items[s.item[k]], ray, static_cast<double>(s.depth[k]),
                               {n.x, n.y, n.z});
    }

    const Gathered& things_;
    int height_;
    Projection projection_;
    ShadowMap shadow_;
    Shader shader_;
    Samples solid_, signs_;
};

void write_labels(Image& image, const Frame& frame, const Look& look, const PictureSettings& settings) {
    const double size = std::max(9.0, 0.022 * settings.height);
    const auto write = [&](const Vec3& p, const std::string& text) {
        const auto seen = look.camera.see(p);
        if (!seen) return;
        const double half = 0.5 * settings.width;
        paint_text(image, {half + half * seen->x, 0.5 * settings.height - half * seen->y + 0.35 * size}, text,
                   {size, {20, 20, 20}, Align::Middle, 0, false, true});
    };
    if (settings.labels)
        for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
            const BodyDesc& body = frame.structure->bodies[k];
            if (!std::holds_alternative<Plane>(body.shape)) write(frame.positions[k], body.name);
        }
    if (settings.axes)
        for (int k = 0; k < 3; ++k) {
            Vec3 tip;
            tip[k] = 0.4 * look.size;
            write(tip, std::string(1, "xyz"[k]));
        }
}

}  // namespace

Image draw_picture(const Frame& frame, const Look& look, const PictureSettings& settings) {
    const int n = settings.samples;
    const Gathered things = gather(frame, look, settings);
    const Painter painter(look, things, n * settings.width, n * settings.height);
    Image image(settings.width, settings.height);
    for (int y = 0; y < settings.height; ++y)
        for (int x = 0; x < settings.width; ++x) {
            Vec3 sum;
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const Vec3 light = painter.light_at(n * x + i, n * y + j);
                    for (int c = 0; c < 3; ++c) sum[c] += std::clamp(light[c], 0.0, 1.0);
                }
            sum = sum / (n * n);
            image.at(x, y) = {to_byte(sum.x), to_byte(sum.y), to_byte(sum.z)};
        }
    write_labels(image, frame, look, settings);
    return image;
}

}  // namespace impuls
