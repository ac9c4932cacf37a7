// libFuzzer on the scene parser: any bytes either load or throw InputError. What loads must survive saving:
// the saved text loads again and saves to itself. Scenes that stay small are expanded too.
#include <impuls/impuls.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

// Upper bound on what a scene expands to, without overflow.
double body_count(const impuls::Scene& scene) {
    double bodies = 0;
    for (const impuls::BodyDesc& body : scene.bodies) {
        bodies += body.repeat ? body.repeat->count.x * body.repeat->count.y * body.repeat->count.z : 1;
    }
    for (const impuls::JointDesc& joint : scene.joints) {
        bodies += joint.repeat ? joint.repeat->count.x * joint.repeat->count.y * joint.repeat->count.z : 1;
    }
    return bodies;
}

[[noreturn]] void fail(const char* what, const std::string& first, const std::string& second) {
    std::fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", what, first.c_str(), second.c_str());
    std::abort();
}

void check_round_trip(const impuls::Scene& scene) {
    const std::string saved = impuls::to_json(scene);
    try {
        const std::string again = impuls::to_json(impuls::parse_scene(saved, "fuzz/scene.json"));
        if (again != saved) fail("saved twice, not the same", saved, again);
    } catch (const impuls::InputError& error) {
        fail("a saved scene does not load", saved, error.what());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const impuls::Scene scene = impuls::parse_scene(text, "fuzz/scene.json");
        check_round_trip(scene);
        if (body_count(scene) <= 1000) impuls::expand(scene);
    } catch (const impuls::InputError&) {
    }
    return 0;
}
