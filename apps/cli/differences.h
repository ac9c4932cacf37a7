// How far a run is from a reference: in the places of the bodies at the end, and in all that the scene
// measures. Relative differences are parts of the largest value of the reference, so that they say something
// where it passes through zero. Called by compare.cpp.
#pragma once

#include <map>
#include <string>

#include "cli/json.h"
#include "impuls/run.h"

namespace impuls::cli {

// Of all bodies that both runs still have.
struct PlaceDifference {
    double max = 0, rms = 0;  // m
};
PlaceDifference difference(const std::map<std::string, Vec3>& a, const std::map<std::string, Vec3>& b);

// Of one measured quantity; NaN where one of the two has no value.
struct SeriesDifference {
    double final = 0, mean = 0;  // ours minus the reference; of the means over time
    double most = 0;             // at any time that both were measured at, or between
    double scale = 0;            // the largest value of the reference
    // A part of the scale; NaN when the reference is zero throughout.
    double relative(double difference) const;
};
SeriesDifference difference(const RunSummary::Series& ours, const RunSummary::Series& reference);
// The integral over time, straight between samples, divided by the time: unlike the mean of the samples it
// does not depend on the time step in the first order.
double time_mean(const RunSummary::Series& series);

// "0.0123 m (1.2 %)", "-" for NaN. Where the reference is next to nothing no part of it is told.
std::string difference_text(const SeriesDifference& d, double value, const std::string& unit);
Json difference_json(const SeriesDifference& d);

}  // namespace impuls::cli
