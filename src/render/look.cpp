// Chooses how pictures look (look.h).
#include "render/look.h"

namespace impuls {

Look choose_look(const Scene& scene, const Aabb& extent, double aspect) {
    return {choose_camera(scene, extent, aspect), up_of(scene), scene.view.background, size_of(extent)};
}

}  // namespace impuls
