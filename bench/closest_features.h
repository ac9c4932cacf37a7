// The closest-feature study of the source text (spec granular 4.3, T1, T2, T4) as one command.
#pragma once

namespace impuls {

// Prints the tables, or one JSON object. Returns 0 when the bars hold: >= 97 % of the queries in one cycle, time
// ratio 462 : 4 vertices <= 1.5, brute force >= 20 times slower for 4 and >= 400 times for 12 vertices.
int closest_feature_study(bool json);

}  // namespace impuls
