// Friction and thrust spread over areas, by quadrature and statics: a disk that slides and spins on its face
// (Farkas, Bartels, Unger and Wolf, Phys. Rev. Lett. 90, 248302, 2003), and the thinnest arch of wedges that
// stands (line of thrust: Milankovitch 1907; Heyman 1966). Used by tests/faults.
#pragma once

namespace impuls::reference {

// A disk of radius R with uniform pressure and friction mu that starts with v and w.
struct SpinSlide {
    double v = 1, w = 1, radius = 1, mu = 1, gravity = 9.81;
};
// When both end, s.
double stop_time(const SpinSlide& start);
// v / (w R) when v has fallen to the given value.
double ratio_at(const SpinSlide& start, double v);

// Whether a line of thrust lies within a half circle of `stones` equal wedges between the radii, without
// sliding: a horizontal thrust and its height at the crown exist so that no joint opens at either edge.
bool arch_stands(int stones, double inner, double outer);
// The smallest thickness over mean radius with which it does.
double thinnest_arch(int stones);

}  // namespace impuls::reference
