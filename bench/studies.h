// Further measurements with a command of their own: one line each in the list of main.cpp.
#pragma once

namespace impuls::bench {

// Arguments as of main(), beginning with the study's name; returns the exit code.
using StudyFunction = int(int argc, char** argv);

struct Study {
    const char* name;
    const char* about;
    StudyFunction* run;
};

StudyFunction broad_phase_study;      // broad_phase.cpp
StudyFunction closest_feature_study;  // closest_features.cpp
StudyFunction claims_study;           // text_claims.cpp
StudyFunction freezing_study;         // freezing.cpp
StudyFunction growth_study;           // growth.cpp
StudyFunction asleep_study;           // growth.cpp
StudyFunction impact_study;           // impact.cpp
StudyFunction multibody_study;        // multibody.cpp
StudyFunction polyhedron_box_study;   // polyhedron_boxes.cpp
StudyFunction peer_distance_study;    // peer_distances.cpp
StudyFunction precision_study;        // precision.cpp
StudyFunction tolerance_study;        // tolerance.cpp

}  // namespace impuls::bench
