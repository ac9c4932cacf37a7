// What a small part of the contact surface adds to force, moment and sums (spec: areal-contact 2.11). Forces
// are on the base, in its axes, and the opposite on the target at the same place: momentum is kept. Called
// by the generators of elements (clip.h, isosurface.h).
#pragma once

#include "areal/law.h"

namespace impuls::areal {

template <class T>
struct Motion6 {  // velocity of the target relative to the base: at the base's origin, and spin
    Vec<T> v{}, w{};
};

template <class T>
struct Pressed {  // on the base, about its origin
    Vec<T> force{}, torque{};
    double energy = 0, area = 0, load = 0;  // J of the layers; m^2 of the target; N, of pressure
    double depth = 0, pressure = 0;         // largest
    Vec3 center{};                          // sum of places times load
};

// `area`: times the normal, out of the target; `energy_area`: what the energy is counted on, m^2; `look` 1:
// it looks away from a plane (clip.h), and counts in force and energy alone.
template <class T>
void press_part(const ArealLaw& law, const Vec<T>& place, const T& u, const Vec<T>& area, double energy_area,
                double look, const Motion6<T>& motion, Pressed<T>& sum) {
    T p = u * law.stiffness;
    Vec<T> force;
    if (law.dissipation > 0 || law.damping > 0 || law.friction.sticking > 0) {
        const T size = root(dot(area, area));
        if (!(value_of(size) > 0)) return;
        const Vec<T> v = motion.v + cross(motion.w, place);
        const T normal = dot(v, area) / size;
        p = pressure_at(law, u, normal);
        const Vec<T> slip = area * (normal / size) - v;  // of the base's side
        force = area * p + friction_at(law, slip, p) * size;
    } else {
        force = area * p;
    }
    sum.force = sum.force + force;
    sum.torque = sum.torque + cross(place, force);
    sum.energy -= look * 0.5 * law.stiffness * value_of(u) * value_of(u) * energy_area;
    if (look > 0) return;
    const double a = length(plain(area)), load = value_of(p) * a;
    sum.area += a;
    sum.load += load;
    sum.center += plain(place) * load;
    sum.depth = sum.depth > value_of(u) ? sum.depth : value_of(u);
    sum.pressure = sum.pressure > value_of(p) ? sum.pressure : value_of(p);
}

}  // namespace impuls::areal
