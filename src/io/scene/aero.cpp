// Reading AERO's world files, line by line (aero.h). Copies of the format description that could be found
// break off or lack the numbers of geometries and links; these are taken as its text and the report on AERO
// have them:
//     sphere r · box x y z · cylinder r l (about y) · plane (y up) · spring c [x0] · damper d · rod [L] ·
//     joint
#include "io/scene/aero.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <vector>

#include "impuls/errors.h"
#include "io/scene/aero_world.h"
#include "scene/material_library.h"

namespace impuls {
namespace {

constexpr double kMostColor = 65535;

class AeroReader {
  public:
    AeroReader(const std::string& text, const std::string& file) : in_(text), file_(file) {}

    Scene read() {
        for (std::string line; std::getline(in_, line);) {
            ++line_;
            for (char& c : line)
                if (c == ',' || c == '[' || c == ']' || c == '\r' || c == '\t') c = ' ';
            words_.clear();
            std::istringstream words(line.substr(0, line.find('#')));
            for (std::string word; words >> word;) words_.push_back(word);
            next_ = 0;
            if (words_.empty()) continue;
            if (words_[0] == "Z") ++states_;
            if (states_ > 1 || is_over_) continue;  // the rest of a sequence: only counted
            read_line();
        }
        if (states_ == 0) problem(0, "holds no state: a line 'Z' begins one");
        if (is_in_parts_) problem(world_.bodies.back().line, "the composed body has no end (X)");
        world_.later_states = std::max(0, states_ - 1);
        Scene scene;
        if (problems_.empty()) scene = scene_of(std::move(world_), file_, problems_);
        if (!problems_.empty()) throw InputError(problems_);
        return scene;
    }

  private:
    void problem(int line, const std::string& message) { problems_.push_back({file_, line, 1, {}, message}); }

    // Words of the line, one after the other; what is missing or wrong is a problem and reads as 0.
    bool has_word() const { return next_ < words_.size(); }
    std::string word(const char* what) {
        if (has_word()) return words_[next_++];
        problem(line_, fmt::format("{} is missing", what));
        return {};
    }
    bool is_number(const std::string& text, double& value) const {
        const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
        const auto result = std::from_chars(first, text.data() + text.size(), value);
        return result.ec == std::errc() && result.ptr == text.data() + text.size() && std::isfinite(value);
    }
    double number(const char* what) {
        double value = 0;
        const std::string text = word(what);
        if (!text.empty() && !is_number(text, value))
            problem(line_, fmt::format("{}: '{}' is not a number", what, text));
        return value;
    }
    Vec3 vector(const char* what) {
        const double x = number(what), y = number(what);
        return {x, y, number(what)};
    }
    double positive(const char* what) {
        const std::size_t before = problems_.size();
        const double value = number(what);
        if (problems_.size() == before && !(value > 0))
            problem(line_, fmt::format("{}: {} is not > 0", what, value));
        return value > 0 ? value : 1;
    }
    void end_line() {
        if (has_word()) problem(line_, fmt::format("'{}' is one word too many", words_[next_]));
    }
    // K12, or K 12.
    std::string body_name() {
        std::string text = word("a body (K and its number)");
        if (text == "K") text += word("the number of a body");
        if (text.size() < 2 || text[0] != 'K')
            problem(line_, fmt::format("'{}' is no body: K and its number", text));
        return text;
    }

    void read_line() {
        const std::string head = words_[next_++];
        const char kind = head[0];
        if (head.size() > 1 && kind != 'K' && kind != 'V') return unknown(head);
        if (states_ == 0) return problem(line_, "stands before the first state (Z)");
        switch (kind) {
            case 'Z':
                break;
            case 'Q':
                is_over_ = true;
                break;
            case 't':
                world_.start = number("start time");
                break;
            case 'g':
                world_.gravity = vector("gravity");
                break;
            case 's':
                world_.seed = static_cast<std::int64_t>(std::abs(number("seed")));
                break;
            case 'K':
                next_ = 0;
                begin_body(body_name());
                break;
            case 'E':
                if (!is_in_parts_) return problem(line_, "E stands outside of a composed body");
                world_.bodies.back().parts.emplace_back();
                read_type(world_.bodies.back().parts.back());
                break;
            case 'X':
                if (!is_in_parts_) return problem(line_, "X stands outside of a composed body");
                is_in_parts_ = false;
                break;
            case 'V':
                begin_link(head);
                break;
            case 'F':
                read_force();
                break;
            default:
                return read_attribute(head);
        }
        end_line();
    }

    void unknown(const std::string& head) {
        problem(line_,
                fmt::format("'{}' is not known: lines begin with Z t g s K m p v a q w u c n b i E X V F Q",
                            head));
    }

    void begin_body(const std::string& name) {
        if (is_in_parts_) problem(line_, "the composed body before it has no end (X)");
        is_link_ = is_in_parts_ = false;
        for (const AeroBody& body : world_.bodies)
            if (body.desc.name == name)
                problem(line_, fmt::format("{} is there already, in line {}", name, body.line));
        world_.bodies.emplace_back().desc.name = name;
        read_type(world_.bodies.back());
        is_in_parts_ = world_.bodies.back().is_composed;
    }

    void read_type(AeroBody& body) {
        static const std::vector<std::string> known{"sphere", "box",    "cylinder", "plane",
                                                    "nail",   "mpoint", "point",    "composed"};
        body.line = line_;
        BodyDesc& desc = body.desc;
        const std::string type = word("type of body");
        if (type == "sphere") {
            desc.shape = Sphere{positive("radius")};
        } else if (type == "box") {
            const double x = positive("length"), y = positive("height");
            desc.shape = Box{{x, y, positive("width")}};
        } else if (type == "cylinder") {
            const double r = positive("radius");
            desc.shape = Cylinder{r, positive("length")};
        } else if (type == "plane") {
            desc.shape = Plane{};
            desc.kind = BodyKind::Static;
        } else if (type == "nail" || type == "point") {
            desc.shape = Point{};
            desc.kind = BodyKind::Static;
            return;
        } else if (type == "mpoint") {
            desc.shape = Point{};
            desc.mass = 1;
            return;
        } else if (type == "composed") {
            body.is_composed = true;
            return;
        } else {
            return problem(line_, fmt::format("'{}' is no type of body{}", type, did_you_mean(type, known)));
        }
        if (has_word()) desc.material = material(words_[next_++]);
    }

    // AERO's material tables were edited by users, in two languages.
    std::string material(const std::string& name) {
        static const std::map<std::string, std::string> german{
            {"eisen", "iron"},         {"stahl", "steel"},  {"gummi", "rubber"}, {"holz", "oak"},
            {"wood", "oak"},           {"glas", "glass"},   {"eis", "ice"},      {"stein", "stone"},
            {"leder", "leather"},      {"sand", "sand"},    {"eiche", "oak"},    {"plastik", "plastic"},
            {"kunststoff", "plastic"}, {"alu", "aluminium"}};
        std::string lower = name;
        for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (const auto at = german.find(lower); at != german.end()) lower = at->second;
        if (find_library_material(lower)) return lower;
        std::vector<std::string> known;
        for (const LibraryMaterial& of : material_library()) known.push_back(of.material.name);
        problem(line_, fmt::format("material '{}' is not known{}", name, did_you_mean(lower, known)));
        return {};
    }

    void read_attribute(const std::string& head) {
        if (is_link_ && (head == "a" || head == "b")) {
            (head == "a" ? world_.links.back().at_a : world_.links.back().at_b) =
                vector("point of connection");
            return end_line();
        }
        if (world_.bodies.empty() || is_link_) return unknown(head);
        AeroBody& whole = world_.bodies.back();
        BodyDesc& desc = is_in_parts_ && !whole.parts.empty() ? whole.parts.back().desc : whole.desc;
        if (head == "m") {
            const double mass = number("mass");
            if (mass > 0)
                desc.mass = mass;
            else
                desc.kind = BodyKind::Static;  // massless bodies stay where they are
        } else if (head == "p") {
            desc.position = vector("position");
        } else if (head == "v") {
            desc.velocity = vector("velocity");
        } else if (head == "w") {
            desc.angular_velocity = vector("angular velocity");
        } else if (head == "q") {
            const double w = number("quaternion");
            const Vec3 v = vector("quaternion");
            desc.orientation = {w, v.x, v.y, v.z};
            if (!(length_squared(desc.orientation) > 0)) return problem(line_, "the quaternion is 0");
            desc.orientation = normalized(desc.orientation);
        } else if (head == "c") {
            const Vec3 c = vector("color");
            desc.color = Vec3{c.x, c.y, c.z} / kMostColor;
        } else if (head == "b") {
            read_flags(desc);
        } else if (head == "a" || head == "u" || head == "n" || head == "i") {
            static const std::map<std::string, const char*> what{{"a", "accelerations (a)"},
                                                                 {"u", "angular accelerations (u)"},
                                                                 {"n", "looks for ray tracers (n)"},
                                                                 {"i", "identification numbers (i)"}};
            world_.left_out.insert(what.at(head));
            return;
        } else {
            return unknown(head);
        }
        end_line();
    }

    void read_flags(BodyDesc& desc) {
        while (has_word())
            for (const char c : words_[next_++]) {
                if (c == 'g')
                    desc.gravity_scale = 0;
                else if (c == 'm')
                    desc.kind = BodyKind::Static;
                else if (c == 'k')
                    desc.collides = false;
                else if (c != '-')
                    problem(line_, fmt::format("'{}' is no flag: g, m or k", c));
            }
    }

    void begin_link(const std::string& head) {
        is_link_ = true;
        AeroLink& link = world_.links.emplace_back();
        link.line = line_;
        if (head == "V") number("number of the link");
        link.a = body_name(), link.b = body_name();
        link.type = word("type of link");
        static const std::vector<std::string> known{"spring", "damper", "rod", "joint"};
        if (std::find(known.begin(), known.end(), link.type) == known.end())
            problem(line_,
                    fmt::format("'{}' is no type of link{}", link.type, did_you_mean(link.type, known)));
        const std::size_t most = link.type == "spring" ? 2 : link.type == "joint" ? 0 : 1;
        while (has_word() && link.numbers.size() < most) link.numbers.push_back(number("number of the link"));
        if ((link.type == "spring" || link.type == "damper") &&
            (link.numbers.empty() || !(link.numbers[0] > 0)))
            problem(line_, fmt::format("a {} needs a constant > 0", link.type));
    }

    // F t0 t1 K<n> [point] inertial|local x y z, or guided K<n> [point] strength; points in body axes.
    void read_force() {
        is_link_ = false;
        AeroForce& force = world_.forces.emplace_back();
        force.line = line_;
        force.from = number("beginning"), force.until = number("end");
        if (!(force.until > force.from)) problem(line_, "the force ends before it begins");
        force.body = body_name();
        force.at = optional_point();
        force.type = word("type of force");
        if (force.type == "guided") {
            force.target = body_name();
            if (words_.size() - next_ > 1) force.at_target = vector("point of the target");
            force.strength = number("strength");
        } else if (force.type == "inertial" || force.type == "local") {
            force.vector = vector("force");
        } else {
            problem(line_, fmt::format("'{}' is no type of force{}", force.type,
                                       did_you_mean(force.type, {"inertial", "local", "guided"})));
        }
    }
    Vec3 optional_point() {
        double ignored = 0;
        return has_word() && is_number(words_[next_], ignored) ? vector("point") : Vec3{};
    }

    std::istringstream in_;
    std::string file_;
    int line_ = 0, states_ = 0;
    bool is_over_ = false;  // the first state
    std::vector<std::string> words_{};
    std::size_t next_ = 0;
    std::vector<Issue> problems_{};
    AeroWorld world_{};
    bool is_in_parts_ = false, is_link_ = false;
};

}  // namespace

bool is_aero_file(const std::string& file) {
    return file.ends_with(".aero");
}

Scene read_aero(const std::string& text, const std::string& file) {
    return AeroReader(text, file).read();
}

}  // namespace impuls
