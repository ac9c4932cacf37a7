// Format: "v x y z" and "f a b c ..." with a, a/t, a//n or a/t/n; numbers from 1, negative from the end
// (Wavefront, Advanced Visualizer manual, appendix B1). Polygons become fans around their first corner.
#include "io/scene/obj.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <sstream>
#include <vector>

#include "impuls/errors.h"

namespace impuls {

namespace {

class ObjReader {
  public:
    ObjReader(const std::string& text, const std::string& file, Mesh& mesh)
        : in_(text), file_(file), mesh_(mesh) {}

    void read() {
        for (std::string line; std::getline(in_, line);) {
            ++line_;
            std::istringstream words(line.substr(0, line.find('#')));
            std::string kind;
            words >> kind;
            if (kind == "v") read_vertex(words);
            if (kind == "f") read_face(words);
        }
        if (mesh_.triangles.empty()) fail("holds no faces");
    }

  private:
    [[noreturn]] void fail(const std::string& message) const {
        throw InputError(std::vector<Issue>{{file_, line_, 1, {}, message}});
    }

    double number(const std::string& word) const {
        double value = 0;
        const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
        if (result.ec != std::errc() || result.ptr != word.data() + word.size() || !std::isfinite(value)) {
            fail(fmt::format("'{}' is not a number", word));
        }
        return value;
    }

    void read_vertex(std::istringstream& words) {
        Vec3 v;
        for (int k = 0; k < 3; ++k) {
            std::string word;
            if (!(words >> word)) fail("a vertex needs 3 numbers");
            v[k] = number(word);
        }
        mesh_.vertices.push_back(v);
    }

    std::int64_t corner(const std::string& word) const {
        std::int64_t value = 0;
        const std::size_t end = std::min(word.find('/'), word.size());
        const auto result = std::from_chars(word.data(), word.data() + end, value);
        if (result.ec != std::errc() || result.ptr != word.data() + end)
            fail(fmt::format("'{}' is not a corner", word));
        const std::int64_t count = static_cast<std::int64_t>(mesh_.vertices.size());
        const std::int64_t index = value > 0 ? value - 1 : count + value;
        if (value == 0 || index < 0 || index >= count) {
            fail(fmt::format("there is no vertex {} ({} vertices so far)", value, count));
        }
        return index;
    }

    void read_face(std::istringstream& words) {
        std::vector<std::int64_t> corners;
        for (std::string word; words >> word;) corners.push_back(corner(word));
        if (corners.size() < 3) fail("a face needs 3 corners");
        for (std::size_t k = 2; k < corners.size(); ++k) {
            mesh_.triangles.insert(mesh_.triangles.end(), {corners[0], corners[k - 1], corners[k]});
        }
    }

    std::istringstream in_;
    const std::string& file_;
    Mesh& mesh_;
    int line_ = 0;
};

}  // namespace

void parse_obj(const std::string& text, const std::string& file, Mesh& mesh) {
    mesh.vertices.clear();
    mesh.triangles.clear();
    ObjReader(text, file, mesh).read();
}

}  // namespace impuls
