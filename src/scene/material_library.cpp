// The library (material_library.h). Values are from memory of the sources named beside them, which are common
// handbooks: Marks' Standard Handbook for Mechanical Engineers, Serway's Physics for Scientists and
// Engineers, Gere's Mechanics of Materials, the CRC Handbook, Eurocodes. "round": no table has it; a number
// of that order, as all restitutions are (small balls at about 1 m/s; it falls with speed). What an
// experiment depends on should be given in the scene.
#include "scene/material_library.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "scene/check.h"

namespace impuls {
namespace {

MaterialDesc made(const char* name, double density, double young, double poisson, double static_friction,
                  double friction, double restitution, const Vec3& color) {
    MaterialDesc m;
    m.name = name;
    m.density = density;
    m.youngs_modulus = young;
    m.poisson_ratio = poisson;
    m.friction = friction;
    if (static_friction > friction) m.static_friction = static_friction;
    m.restitution = restitution;
    m.color = color;
    return m;
}

}  // namespace

std::span<const LibraryMaterial> material_library() {
    static const std::vector<LibraryMaterial> all{
        {made("steel", 7850, 210e9, 0.3, 0.74, 0.57, 0.7, {0.62, 0.64, 0.68}), "EN 1991-1-1, EN 1993-1-1",
         "Marks, Serway"},
        {made("iron", 7200, 110e9, 0.26, 1.1, 0.15, 0.6, {0.36, 0.36, 0.38}),
         "grey cast iron: EN 1991-1-1, EN 1561", "Marks"},
        {made("aluminium", 2700, 70e9, 0.3, 1.05, 1.05, 0.6, {0.82, 0.83, 0.85}), "EN 1999-1-1",
         "Marks, whose 1.4 of sliding is no less than that of rest"},
        {made("copper", 8960, 120e9, 0.34, 1.0, 1.0, 0.5, {0.78, 0.46, 0.28}), "CRC Handbook", "round"},
        {made("brass", 8500, 100e9, 0.34, 0.5, 0.4, 0.5, {0.79, 0.65, 0.31}), "EN 1991-1-1, Gere", "round"},
        {made("lead", 11340, 16e9, 0.44, 0.9, 0.9, 0.1, {0.35, 0.37, 0.42}), "CRC Handbook", "round"},
        {made("oak", 700, 12e9, 0.37, 0.62, 0.48, 0.5, {0.64, 0.46, 0.28}),
         "along the grain: EN 350 (European oak), Wood Handbook (USDA; E, Poisson of white oak)",
         "along the grain: Marks"},
        {made("pine", 510, 10e9, 0.33, 0.5, 0.4, 0.5, {0.85, 0.68, 0.45}),
         "along the grain: EN 350 (Scots pine), Wood Handbook (USDA; Poisson of loblolly pine)",
         "round; wood on wood 0.2 to 0.5 in Serway"},
        {made("rubber", 1100, 5e6, 0.49, 1.1, 0.9, 0.8, {0.15, 0.15, 0.16}),
         "Gere; E of 68 Shore A (Gent 1958)", "round"},
        {made("glass", 2500, 70e9, 0.2, 0.94, 0.4, 0.9, {0.7, 0.85, 0.9}), "soda-lime: EN 572-1",
         "Marks, Serway"},
        {made("ice", 917, 9.3e9, 0.325, 0.1, 0.03, 0.5, {0.8, 0.9, 0.97}),
         "CRC Handbook; at -16 C: Gammon, Kiefte, Clouter, Denner 1983", "Serway"},
        {made("stone", 2700, 50e9, 0.25, 0.7, 0.6, 0.6, {0.55, 0.54, 0.52}), "granite: CRC Handbook, Gere",
         "round"},
        {made("concrete", 2400, 30e9, 0.2, 0.7, 0.6, 0.4, {0.66, 0.65, 0.62}), "C20/25: EN 206, EN 1992-1-1",
         "rough, smooth: EN 1992-1-1, 6.2.5"},
        {made("brick", 1800, 15e9, 0.2, 0.7, 0.6, 0.3, {0.65, 0.3, 0.22}), "Gere; Poisson is round", "round"},
        {made("plastic", 1050, 2.3e9, 0.35, 0.4, 0.35, 0.6, {0.2, 0.45, 0.75}), "ABS: CRC Handbook", "round"},
        {made("teflon", 2200, 0.5e9, 0.46, 0.04, 0.04, 0.4, {0.95, 0.95, 0.93}), "PTFE: CRC Handbook",
         "Serway"},
        {made("sand", 1600, 50e6, 0.3, 0.6, 0.6, 0, {0.82, 0.72, 0.5}),
         "heaped, dry: EN 1991-1-1; its E is that of loose ground (EN 1997-2)",
         "round: slopes of 31 degrees"},
        {made("leather", 950, 0.1e9, 0.4, 0.6, 0.5, 0.3, {0.45, 0.28, 0.16}),
         "CRC Handbook; E and Poisson are round", "round"},
        {made("cork", 200, 20e6, 0.05, 0.6, 0.5, 0.5, {0.72, 0.56, 0.38}), "Gibson, Easterling, Ashby 1981",
         "round"}};
    return all;
}

std::span<const LibraryPair> library_pairs() {
    static constexpr std::array<LibraryPair, 14> kPairs{
        {{"aluminium", "steel", 0.61, 0.47, "Marks, Serway"},
         {"copper", "steel", 0.53, 0.36, "Marks, Serway"},
         {"brass", "steel", 0.51, 0.44, "Marks"},
         {"lead", "steel", 0.95, 0.95, "Marks"},
         {"teflon", "steel", 0.04, 0.04, "Serway"},
         {"copper", "iron", 1.05, 0.29, "Marks"},
         {"iron", "oak", 0.49, 0.49, "Marks, which has that of sliding alone"},
         {"leather", "oak", 0.61, 0.52, "Marks"},
         {"rubber", "concrete", 1.0, 0.8, "Serway"},
         {"rubber", "stone", 1.0, 0.8, "as on concrete"},
         {"rubber", "steel", 0.9, 0.8, "round"},
         {"steel", "ice", 0.05, 0.03, "sliding: tables after Marks; rest: round"},
         {"rubber", "ice", 0.15, 0.1, "round"},
         {"oak", "stone", 0.5, 0.4, "round"}}};
    return kPairs;
}

const LibraryMaterial* find_library_material(const std::string& name) {
    const auto all = material_library();
    const auto at = std::find_if(all.begin(), all.end(), [&](auto& m) { return m.material.name == name; });
    return at == all.end() ? nullptr : &*at;
}

ContactDesc library_contact(const MaterialDesc& a, const MaterialDesc& b) {
    ContactDesc contact;
    contact.a = a.name;
    contact.b = b.name;
    for (const LibraryPair& pair : library_pairs()) {
        if (!((a.name == pair.a && b.name == pair.b) || (a.name == pair.b && b.name == pair.a))) continue;
        contact.friction = pair.friction;
        if (pair.static_friction > pair.friction) contact.static_friction = pair.static_friction;
    }
    contact.restitution = std::sqrt((a.restitution * a.restitution * *b.youngs_modulus +
                                     b.restitution * b.restitution * *a.youngs_modulus) /
                                    (*a.youngs_modulus + *b.youngs_modulus));
    return contact;
}

void add_library_materials(Scene& scene, const std::set<std::string>& of_bodies) {
    std::set<std::string> wanted;
    const auto want = [&](const std::string& name) {
        const auto is_one = [&](const MaterialDesc& m) { return m.name == name; };
        const bool is_own = std::any_of(scene.materials.begin(), scene.materials.end(), is_one);
        if (!is_own && find_library_material(name)) wanted.insert(name);
    };
    for (const std::string& name : of_bodies) want(name);
    for (const ContactDesc& contact : scene.contacts) {
        want(contact.a);
        want(contact.b);
    }
    for (const TimedCommand& timed : scene.timeline) {
        visit_changes(timed.command, [&](const auto& change) {
            if constexpr (std::is_same_v<std::decay_t<decltype(change)>, Put>) {
                for (const BodyDesc& body : change.bodies) want(body.material);
                for (const ContactDesc& contact : change.contacts) {
                    want(contact.a);
                    want(contact.b);
                }
            }
        });
    }
    for (const std::string& name : wanted) scene.materials.push_back(find_library_material(name)->material);
    for (auto a = wanted.begin(); a != wanted.end(); ++a)
        for (auto b = std::next(a); b != wanted.end(); ++b) {
            const ContactDesc contact =
                library_contact(find_library_material(*a)->material, find_library_material(*b)->material);
            const auto is_same = [&](const ContactDesc& other) { return is_same_pair(other, contact); };
            if (std::none_of(scene.contacts.begin(), scene.contacts.end(), is_same))
                scene.contacts.push_back(contact);
        }
}

}  // namespace impuls
