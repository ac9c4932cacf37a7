// The motion of every body over the frames of a recording, for formats that keep it apart from surfaces.
// Called by glb.cpp and html.cpp.
#pragma once

#include <string>
#include <vector>

#include "impuls/recording.h"
#include "io/export/file.h"
#include "render/facets.h"
#include "render/look.h"

namespace impuls {

// A surface; bodies of the same shape share one.
struct TrackMesh {
    Facets facets{};
    bool is_plane = false;
};

// A body from the frame `first` on, for as many frames as it has poses: x y z, then the quaternion x y z w,
// whose sign never jumps.
struct Track {
    std::string name{};
    std::size_t mesh = 0, first = 0;
    Vec3 color{};  // as in files, 0 to 1
    std::vector<float> poses{};

    std::size_t count() const { return poses.size() / 7; }
    bool moves() const;
};

struct Tracks {
    std::string title{};
    Look look{};
    std::vector<double> times{};
    std::vector<TrackMesh> meshes{};
    std::vector<Track> bodies{};
    std::vector<float> energies{};  // total, kinetic, potential, for each frame
};

Tracks collect_tracks(const Recording& recording, const ExportSettings& settings);

}  // namespace impuls
