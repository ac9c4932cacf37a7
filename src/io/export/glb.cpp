// Animated glTF 2.0 in one binary file (Khronos, glTF 2.0 specification, §4.4 for the container): a node for
// each body with its mesh, its way and its turning over time, and the camera. A body that comes later, or
// goes, is scaled to nothing while it is not there.
#include <json/json.h>

#include <cmath>
#include <cstring>
#include <map>
#include <tuple>

#include "io/export/formats.h"
#include "io/export/tracks.h"

namespace impuls {

namespace {

enum Component { kFloat = 5126 };
enum Target { kNoTarget = 0, kVertices = 34962 };

Json::Value list_of(std::initializer_list<double> values) {
    Json::Value list(Json::arrayValue);
    for (const double value : values) list.append(value);
    return list;
}

class GlbFile {
  public:
    explicit GlbFile(const Tracks& tracks) : tracks_(tracks) {
        root_["asset"]["version"] = "2.0";
        root_["asset"]["generator"] = "Impuls";
        root_["scene"] = 0;
        root_["scenes"][0]["name"] = tracks.title.empty() ? "scene" : tracks.title;
        for (const Track& body : tracks.bodies) add_body(body);
        add_camera();
        root_["buffers"][0]["byteLength"] = Json::UInt64(bytes_.size());
    }

    std::string text() const {
        Json::StreamWriterBuilder builder;
        builder["indentation"] = "";
        builder["emitUTF8"] = true;
        builder["precision"] = 9;
        std::string json = Json::writeString(builder, root_);
        json.resize((json.size() + 3) / 4 * 4, ' ');
        std::string out = "glTF";
        append(out, 2);
        append(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + bytes_.size()));
        append(out, static_cast<std::uint32_t>(json.size()));
        out += "JSON" + json;
        append(out, static_cast<std::uint32_t>(bytes_.size()));
        return out + std::string("BIN\0", 4) + bytes_;
    }

  private:
    static void append(std::string& out, std::uint32_t value) {
        for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
    }

    // An array of vectors with so many parts each.
    int accessor(const std::vector<float>& values, int parts, bool has_bounds, Target target = kNoTarget) {
        static const char* const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
        const std::size_t begin = bytes_.size(), size = values.size() * sizeof(float);
        bytes_.resize(begin + size);
        if (size > 0) std::memcpy(&bytes_[begin], values.data(), size);
        Json::Value view;
        view["buffer"] = 0;
        view["byteOffset"] = Json::UInt64(begin);
        view["byteLength"] = Json::UInt64(size);
        if (target != kNoTarget) view["target"] = target;
        Json::Value out;
        out["bufferView"] = root_["bufferViews"].size();
        out["componentType"] = kFloat;
        out["count"] = Json::UInt64(values.size() / static_cast<std::size_t>(parts));
        out["type"] = types[parts];
        for (int c = 0; has_bounds && c < parts; ++c) {
            float low = values[static_cast<std::size_t>(c)], high = low;
            for (std::size_t k = static_cast<std::size_t>(c); k < values.size();
                 k += static_cast<std::size_t>(parts))
                low = std::min(low, values[k]), high = std::max(high, values[k]);
            out["min"].append(static_cast<double>(low));
            out["max"].append(static_cast<double>(high));
        }
        root_["bufferViews"].append(view);
        root_["accessors"].append(out);
        return static_cast<int>(root_["accessors"].size()) - 1;
    }

    // glTF's colours are linear, ours are sRGB.
    int material(const Vec3& color) {
        const auto [at, is_new] =
            materials_.emplace(std::tuple(color.x, color.y, color.z), root_["materials"].size());
        if (is_new) {
            const auto linear = [](double c) {
                return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
            };
            Json::Value& pbr = root_["materials"][at->second]["pbrMetallicRoughness"];
            pbr["baseColorFactor"] = list_of({linear(color.x), linear(color.y), linear(color.z), 1});
            pbr["metallicFactor"] = 0.0;
            pbr["roughnessFactor"] = 0.6;
            root_["materials"][at->second]["doubleSided"] = true;
        }
        return static_cast<int>(at->second);
    }

    int mesh(const Track& body) {
        const int look = material(body.color);
        const auto [at, is_new] = meshes_.emplace(std::pair(body.mesh, look), root_["meshes"].size());
        if (!is_new) return static_cast<int>(at->second);
        if (!surfaces_.contains(body.mesh)) {
            std::vector<float> points, normals;
            for (const Facet& facet : tracks_.meshes[body.mesh].facets)
                for (std::size_t c = 0; c < 3; ++c)
                    for (int k = 0; k < 3; ++k) {
                        points.push_back(static_cast<float>(facet.p[c][k]));
                        normals.push_back(static_cast<float>(facet.n[c][k]));
                    }
            surfaces_[body.mesh] = {accessor(points, 3, true, kVertices),
                                    accessor(normals, 3, false, kVertices)};
        }
        Json::Value& primitive = root_["meshes"][at->second]["primitives"][0];
        primitive["attributes"]["POSITION"] = surfaces_[body.mesh].first;
        primitive["attributes"]["NORMAL"] = surfaces_[body.mesh].second;
        primitive["material"] = look;
        return static_cast<int>(at->second);
    }

    int times(std::size_t first, std::size_t count) {
        const auto [at, is_new] = times_.emplace(std::pair(first, count), 0);
        if (is_new) {
            std::vector<float> values;
            for (std::size_t k = first; k < first + count; ++k)
                values.push_back(static_cast<float>(tracks_.times[k] - tracks_.times[0]));
            at->second = accessor(values, 1, true);
        }
        return at->second;
    }

    void animate(int node, const char* path, int input, const std::vector<float>& values, int parts,
                 const char* way) {
        Json::Value& animation = root_["animations"][0];
        animation["name"] = "motion";
        Json::Value channel, sampler;
        sampler["input"] = input;
        sampler["output"] = accessor(values, parts, false);
        sampler["interpolation"] = way;
        channel["sampler"] = animation["samplers"].size();
        channel["target"]["node"] = node;
        channel["target"]["path"] = path;
        animation["samplers"].append(sampler);
        animation["channels"].append(channel);
    }

    void add_body(const Track& body) {
        if (tracks_.meshes[body.mesh].facets.empty()) return;
        const auto index = static_cast<int>(root_["nodes"].size());
        Json::Value node;
        node["name"] = body.name;
        node["mesh"] = mesh(body);
        const float* p = body.poses.data();
        for (int k = 0; k < 3; ++k) node["translation"].append(static_cast<double>(p[k]));
        for (int k = 3; k < 7; ++k) node["rotation"].append(static_cast<double>(p[k]));
        root_["nodes"].append(node);
        root_["scenes"][0]["nodes"].append(index);
        if (body.moves()) {
            std::vector<float> ways, turns;
            for (std::size_t k = 0; k < body.poses.size(); k += 7) {
                ways.insert(ways.end(), &p[k], &p[k] + 3);
                turns.insert(turns.end(), &p[k] + 3, &p[k] + 7);
            }
            const int input = times(body.first, body.count());
            animate(index, "translation", input, ways, 3, "LINEAR");
            animate(index, "rotation", input, turns, 4, "LINEAR");
        }
        if (body.count() == tracks_.times.size()) return;
        std::vector<float> sizes;
        for (std::size_t k = 0; k < tracks_.times.size(); ++k)
            sizes.insert(sizes.end(), 3, k >= body.first && k < body.first + body.count() ? 1.0f : 0.0f);
        animate(index, "scale", times(0, tracks_.times.size()), sizes, 3, "STEP");
    }

    // Its node looks along its -z; the matrix is written by columns.
    void add_camera() {
        const Camera& c = tracks_.look.camera;
        Json::Value camera;
        camera["type"] = "perspective";
        camera["perspective"]["yfov"] = 2 * std::atan(0.75 * c.tan_half_width);
        camera["perspective"]["aspectRatio"] = 4.0 / 3;
        camera["perspective"]["znear"] = 1e-3 * tracks_.look.size;
        root_["cameras"].append(camera);
        Json::Value node;
        node["name"] = "camera";
        node["camera"] = 0;
        node["matrix"] =
            list_of({c.right.x, c.right.y, c.right.z, 0, c.up.x, c.up.y, c.up.z, 0, -c.forward.x,
                     -c.forward.y, -c.forward.z, 0, c.location.x, c.location.y, c.location.z, 1});
        root_["scenes"][0]["nodes"].append(root_["nodes"].size());
        root_["nodes"].append(node);
    }

    const Tracks& tracks_;
    Json::Value root_{};
    std::string bytes_{};
    std::map<std::tuple<double, double, double>, Json::ArrayIndex> materials_{};
    std::map<std::pair<std::size_t, int>, Json::ArrayIndex> meshes_{};
    std::map<std::size_t, std::pair<int, int>> surfaces_{};
    std::map<std::pair<std::size_t, std::size_t>, int> times_{};
};

}  // namespace

void export_glb(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    OutputFile file(out, existing(settings));
    file.write(GlbFile(collect_tracks(recording, settings)).text());
    file.finish();
}

}  // namespace impuls
