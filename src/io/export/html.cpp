// A page that plays the recording: player.html, which the build puts into the program, with the data written
// into it: JSON, and numbers as base64 of little-endian floats. It asks for nothing from anywhere.
#include <json/json.h>

#include <cmath>
#include <cstring>

#include "io/export/formats.h"
#include "io/export/player_page.h"
#include "io/export/tracks.h"

namespace impuls {

namespace {

std::string base64(const std::vector<float>& values) {
    static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes(values.size() * sizeof(float), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (k + i < bytes.size() ? static_cast<unsigned char>(bytes[k + i]) : 0u);
        for (int shift = 18; shift >= 0; shift -= 6) out += kLetters[group >> shift & 63u];
        if (k + 2 >= bytes.size()) out.back() = '=';
        if (k + 1 >= bytes.size()) out[out.size() - 2] = '=';
    }
    return out;
}

Json::Value list_of(const Vec3& v) {
    Json::Value list(Json::arrayValue);
    for (int k = 0; k < 3; ++k) list.append(v[k]);
    return list;
}

Json::Value mesh_json(const TrackMesh& mesh) {
    std::vector<float> values;  // place and normal of each corner
    for (const Facet& facet : mesh.facets)
        for (std::size_t c = 0; c < 3; ++c)
            for (const Vec3& v : {facet.p[c], facet.n[c]})
                for (int k = 0; k < 3; ++k) values.push_back(static_cast<float>(v[k]));
    Json::Value json;
    json["plane"] = mesh.is_plane;
    json["corners"] = base64(values);
    return json;
}

Json::Value body_json(const Track& body) {
    Json::Value json;
    json["name"] = body.name;
    json["mesh"] = Json::UInt64(body.mesh);
    json["color"] = list_of(body.color);
    json["first"] = Json::UInt64(body.first);
    json["count"] = Json::UInt64(body.count());
    // What rests needs one pose.
    json["poses"] =
        base64(body.moves() ? body.poses : std::vector<float>(body.poses.begin(), body.poses.begin() + 7));
    return json;
}

Json::Value data_of(const Tracks& tracks) {
    Json::Value json;
    json["title"] = tracks.title;
    std::vector<float> times;
    for (const double time : tracks.times) times.push_back(static_cast<float>(time));
    json["times"] = base64(times);
    json["energies"] = base64(tracks.energies);
    const Camera& c = tracks.look.camera;
    json["camera"] = list_of(c.location);
    json["forward"] = list_of(c.forward);
    json["up"] = list_of(tracks.look.up);
    json["tangent"] = c.tan_half_width;
    json["light"] = list_of(c.light);
    json["background"] = list_of(tracks.look.background);
    json["size"] = tracks.look.size;
    json["meshes"] = Json::Value(Json::arrayValue);
    json["bodies"] = Json::Value(Json::arrayValue);
    for (const TrackMesh& mesh : tracks.meshes) json["meshes"].append(mesh_json(mesh));
    for (const Track& body : tracks.bodies) json["bodies"].append(body_json(body));
    return json;
}

// Inside a script element "</" must not appear, nor "<!--".
std::string for_script(const Json::Value& json) {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    builder["emitUTF8"] = true;
    const std::string text = Json::writeString(builder, json);
    std::string out;
    for (const char c : text) out += c == '<' ? "\\u003c" : std::string(1, c);
    return out;
}

}  // namespace

void export_html(const Recording& recording, const std::string& out, const ExportSettings& settings) {
    OutputFile file(out, existing(settings));
    const std::string_view page = player_page(), mark = "/*DATA*/null";
    const std::size_t at = page.find(mark);
    file.write(page.substr(0, at));
    file.write(for_script(data_of(collect_tracks(recording, settings))));
    file.write(page.substr(at + mark.size()));
    file.finish();
}

}  // namespace impuls
