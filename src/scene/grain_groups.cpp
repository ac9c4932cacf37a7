// What frames tell of grains (grain_groups.h).
// The order of the columns is that in which granular/coupling/output.cpp fills them and render/grains.cpp
// reads them.
#include "scene/grain_groups.h"

namespace impuls {

std::vector<GroupDesc> grain_groups() {
    return {
        {"grains",
         "grains of all sets, in the order in which they came",
         {DrawnAs::Points},
         {vector_column("position", "m", "of the centre of mass"),
          rotation_column("orientation", "of the principal frame"), vector_column("velocity", "m/s"),
          vector_column("angular_velocity", "rad/s"),
          scalar_column("size", "", "beside the shape of the kind"),
          index_column("kind", 1, "number among the shapes of all sets"),
          index_column("set", 1, "number of the set"), scalar_column("contacts", "", "with grains and walls"),
          scalar_column("overlap", "", "the deepest, over the smaller grain's diameter"),
          scalar_column("energy", "J", "kinetic")}},
        {"grain_walls",
         "bodies as walls of grains",
         {},
         {index_column("body", 1, "its number"), vector_column("force", "N", "of all grains on it"),
          vector_column("torque", "N m", "about its centre of mass")}}};
}

}  // namespace impuls
