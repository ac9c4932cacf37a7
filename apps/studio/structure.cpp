// Scenes for the page (structure.h).
#include "studio/structure.h"

#include <map>
#include <memory>

#include "geometry/particle_net.h"
#include "render/grains.h"
#include "scene/drawn_shape.h"
#include "scene/unroll.h"
#include "scene/validator.h"

namespace impuls::studio {
namespace {

constexpr int kGrainSegments = 12;  // around a round grain

Json::Value list(const Vec3& v) {
    Json::Value json(Json::arrayValue);
    for (const double part : {v.x, v.y, v.z}) json.append(part);
    return json;
}

// Shapes that the page makes by itself have their sizes as numbers; all others are surfaces.
class ShapeJson {
  public:
    explicit ShapeJson(std::vector<Shape>& surfaces) : surfaces_(surfaces) {}

    Json::Value operator()(const Shape& shape) {
        Json::Value json;
        json["type"] = std::visit([](const auto& s) { return std::decay_t<decltype(s)>::kType; }, shape);
        if (const auto* s = std::get_if<Sphere>(&shape))
            json["size"] = list({s->radius, s->radius, s->radius});
        else if (const auto* e = std::get_if<Ellipsoid>(&shape))
            json["size"] = list(e->radii);
        else if (const auto* b = std::get_if<Box>(&shape))
            json["size"] = list(b->size);
        else if (const auto* c = std::get_if<Cylinder>(&shape))
            json["size"] = list({c->radius, c->height, c->radius});
        else if (const auto* k = std::get_if<Cone>(&shape))
            json["size"] = list({k->radius, k->height, k->radius});
        else if (const auto* p = std::get_if<Capsule>(&shape))
            json["size"] = list({p->radius, p->length, p->radius});
        else if (const auto particles = particles_of(shape))
            json["particles"] = particles_json(*particles);
        else if (!std::get_if<Plane>(&shape) && !std::get_if<Point>(&shape))
            json["surface"] = number_of(shape);
        return json;
    }

  private:
    // What lies between particles; where they are comes with frames.
    static Json::Value particles_json(const Particles& particles) {
        Json::Value json;
        json["count"] = Json::UInt64(particles.points.size());
        json["radius"] = particles.radius;
        json["links"] = json["triangles"] = Json::Value(Json::arrayValue);
        for (const std::int64_t corner : particles.triangles) json["triangles"].append(Json::Int64(corner));
        if (particles.triangles.empty())
            for (const std::int64_t end : particles.links) json["links"].append(Json::Int64(end));
        return json;
    }

    // Copies of one generator come one after the other.
    int number_of(const Shape& shape) {
        if (surfaces_.empty() || !is_same(surfaces_.back(), shape)) surfaces_.push_back(shape);
        return static_cast<int>(surfaces_.size()) - 1;
    }

    static bool is_same(const Shape& a, const Shape& b) {
        if (a.index() != b.index()) return false;
        if (const auto* x = std::get_if<Convex>(&a)) return x->points == std::get<Convex>(b).points;
        if (const auto* x = std::get_if<Mesh>(&a))
            return x->vertices == std::get<Mesh>(b).vertices && x->triangles == std::get<Mesh>(b).triangles;
        return false;
    }

    std::vector<Shape>& surfaces_;
};

// Where in the scene as written each body or joint comes from that a world built from it has at its start; by
// name, because bodies come and go. What is in an included file has no place.
template <class T>
std::map<std::string, int> written_places(const Scene& scene, std::vector<T> Scene::*list, const char* name) {
    std::vector<int> own;
    std::unique_ptr<Scope> scope;
    for (std::size_t k = 0; k < (scene.*list).size(); ++k) {
        const T& thing = (scene.*list)[k];
        if (!thing.repeat) {
            own.push_back(static_cast<int>(k));
            continue;
        }
        if (!scope) scope = generator_scope(scene);
        Unroller<T> unroller(scene, element_path(name, k), thing, *scope);
        unroller.each([&](const T&, const GridIndex&, std::int64_t) {
            own.push_back(static_cast<int>(k));
            return true;
        });
    }
    const Scene start = expand(scene);
    const std::vector<T>& all = start.*list;
    const std::size_t included = all.size() - std::min(all.size(), own.size());
    std::map<std::string, int> places;
    for (std::size_t k = included; k < all.size(); ++k) places[all[k].name] = own[k - included];
    return places;
}

int place_of(const std::map<std::string, int>& places, const std::string& name) {
    const auto found = places.find(name);
    return found == places.end() ? -1 : found->second;
}

// Fields in metres are points, those without unit directions, others vectors; all in world coordinates at the
// start.
template <class T>
void add_geometry(const T& thing, Json::Value& json) {
    json["points"] = json["axes"] = Json::Value(Json::arrayValue);
    T::visit_fields([&](const char* name, auto member, const Field& field) {
        using Member = std::decay_t<decltype(thing.*member)>;
        if constexpr (std::is_same_v<Member, Vec3>) {
            const std::string unit = field.unit;
            if (unit == "m" || unit.empty())
                json[unit == "m" ? "points" : "axes"].append(list(thing.*member));
            else
                json["vectors"][name] = list(thing.*member);
        } else if constexpr (std::is_same_v<Member, std::vector<Vec3>>) {
            for (const Vec3& point : thing.*member) json["way"].append(list(point));
        }
    });
}

template <class Desc>
Json::Value link_json(const Desc& desc, const std::map<std::string, int>& bodies) {
    Json::Value json;
    json["name"] = desc.name;
    json["a"] = desc.a.empty() ? -1 : bodies.count(desc.a) ? bodies.at(desc.a) : -1;
    json["b"] = bodies.count(desc.b) ? bodies.at(desc.b) : -1;
    return json;
}

Json::Value joint_json(const JointDesc& desc, const std::map<std::string, int>& bodies) {
    Json::Value json = link_json(desc, bodies);
    std::visit(
        [&](const auto& joint) {
            json["type"] = std::decay_t<decltype(joint)>::kType;
            add_geometry(joint, json);
        },
        desc.joint);
    visit_axes(desc.joint, [&](const char* name, const AxisDesc& axis) {
        if (!axis.lower && !axis.upper) return;
        Json::Value limit;
        limit["axis"] = name;
        if (axis.lower) limit["lower"] = *axis.lower;
        if (axis.upper) limit["upper"] = *axis.upper;
        json["limits"].append(limit);
    });
    return json;
}

Json::Value force_json(const ForceDesc& desc, const std::map<std::string, int>& bodies) {
    Json::Value json = link_json(desc, bodies);
    json["from"] = desc.from;
    if (desc.until) json["until"] = *desc.until;
    json["enabled"] = desc.enabled;
    std::visit(
        [&](const auto& force) {
            json["type"] = std::decay_t<decltype(force)>::kType;
            add_geometry(force, json);
            if constexpr (requires { force.axes; }) json["turns"] = force.axes == ForceAxes::Body;
        },
        desc.force);
    return json;
}

Json::Value view_json(const ViewDesc& view) {
    Json::Value json;
    if (view.camera) json["camera"] = list(*view.camera);
    if (view.target) json["target"] = list(*view.target);
    json["field_of_view"] = view.field_of_view;
    return json;
}

// Shapes that many things of a group share, by the group's name: of grains those of their sets.
void add_kinds(const Scene& expanded, Structure& structure) {
    if (expanded.grains.empty()) return;
    GrainMeshes meshes;
    const std::shared_ptr<const Scene> alias(std::shared_ptr<void>(), &expanded);
    for (const DrawnGrainKind& kind : meshes.of(alias, kGrainSegments)) {
        Json::Value entry;
        entry["surface"] = Json::UInt64(structure.surfaces.size() + structure.meshes.size());
        entry["color"] = list(kind.color);
        entry["radius"] = kind.radius;
        structure.json["kinds"]["grains"].append(entry);
        structure.meshes.push_back(kind.mesh);
    }
}

Vec3 color_of(const BodyDesc& body, const std::map<std::string, Vec3>& materials) {
    if (body.color) return *body.color;
    const auto found = materials.find(body.material);
    return found == materials.end() ? Vec3{0.7, 0.7, 0.7} : found->second;
}

}  // namespace

Structure describe_structure(const Scene& expanded, const Scene* written) {
    Structure structure;
    Json::Value& json = structure.json;
    std::map<std::string, Vec3> materials;
    for (const MaterialDesc& material : expanded.materials) materials[material.name] = material.color;
    std::map<std::string, int> body_places, joint_places, force_places;
    if (written) {
        body_places = written_places(*written, &Scene::bodies, "bodies");
        joint_places = written_places(*written, &Scene::joints, "joints");
        force_places = written_places(*written, &Scene::forces, "forces");
    }
    std::map<std::string, int> numbers;
    ShapeJson shape_json(structure.surfaces);
    json["bodies"] = Json::Value(Json::arrayValue);
    for (std::size_t k = 0; k < expanded.bodies.size(); ++k) {
        const BodyDesc& body = expanded.bodies[k];
        numbers[body.name] = static_cast<int>(k);
        Json::Value entry;
        entry["name"] = body.name;
        entry["kind"] = EnumNames<BodyKind>::names[static_cast<std::size_t>(body.kind)];
        entry["shape"] = shape_json(*DrawnShape(body));
        entry["color"] = list(color_of(body, materials));
        entry["sensor"] = body.sensor;
        entry["material"] = body.material;
        const int place = place_of(body_places, body.name);
        entry["written"] = place;
        entry["copy"] =
            place >= 0 && written && written->bodies[static_cast<std::size_t>(place)].repeat.has_value();
        json["bodies"].append(std::move(entry));
    }
    json["joints"] = Json::Value(Json::arrayValue);
    for (std::size_t k = 0; k < expanded.joints.size(); ++k) {
        Json::Value entry = joint_json(expanded.joints[k], numbers);
        entry["written"] = place_of(joint_places, expanded.joints[k].name);
        json["joints"].append(std::move(entry));
    }
    json["forces"] = Json::Value(Json::arrayValue);
    for (const ForceDesc& force : expanded.forces) {
        Json::Value entry = force_json(force, numbers);
        entry["written"] = place_of(force_places, force.name);
        json["forces"].append(std::move(entry));
    }
    add_kinds(expanded, structure);
    json["view"] = view_json(expanded.view);
    json["gravity"] = list(expanded.settings.gravity);
    return structure;
}

Json::Value parse_json(const std::string& text) {
    Json::CharReaderBuilder builder;
    builder["collectComments"] = false;
    builder["stackLimit"] = 100;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value json;
    std::string problems;
    try {
        if (!reader->parse(text.data(), text.data() + text.size(), &json, &problems))
            throw InputError(problems);
    } catch (const Json::Exception& error) {
        throw InputError(error.what());
    }
    return json;
}

std::string to_line(const Json::Value& json) {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    builder["emitUTF8"] = true;
    return Json::writeString(builder, json);
}

}  // namespace impuls::studio
