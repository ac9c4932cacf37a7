// The columns that matter for each kind of scene, as text: the same for the terminal and for
// docs/benchmarks.md.
#pragma once

#include <string>
#include <vector>

#include "bench/results.h"

namespace impuls::bench {

// Heads; numbers are aligned to the right (their heads begin with '>').
std::vector<std::string> column_heads(SceneKind kind);
std::vector<std::string> column_cells(const Row& row);

std::vector<std::string> collision_heads();
std::vector<std::string> collision_cells(const CollisionRow& row);

// Three significant digits: "0.0123", "12.3", "1230".
std::string digits(double value);

// A scene that should have stayed as it was did not: something came down by more than half a unit cube.
bool has_fallen(const Row& row);

// What is drawn against time: p99 penetration, mm; for joints the largest change of energy, %, since joints
// of engines in joint coordinates are closed whatever else goes wrong.
double error_of(const Row& row);

}  // namespace impuls::bench
