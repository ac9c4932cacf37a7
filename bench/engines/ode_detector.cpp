// ODE's spaces without a world: dSpaceCollide and dCollide, up to 8 points a pair. It keeps nothing from step
// to step but the space itself.
#include <array>
#include <cmath>

#include "bench/detector.h"
#include "bench/engines/ode_geoms.h"

namespace impuls::bench {
namespace {

constexpr int kMaxPoints = 8;

class OdeDetector : public Detector {
  public:
    OdeDetector(const Model& model, bool use_sweep) {
        dInitODE2(0);
        dAllocateODEDataForThread(dAllocateMaskAll);
        space_ = use_sweep ? dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY) : dHashSpaceCreate(nullptr);
        double smallest = 1e30;
        for (const ModelBody& body : model.bodies) {
            const dGeomID geom = geoms_.make(space_, body.solid);
            OdeGeoms::place(geom, body.X_WP);
            dGeomSetCategoryBits(geom, body.is_static ? 1 : 2);
            dGeomSetCollideBits(geom, body.is_static ? 2 : 3);
            bodies_.push_back(geom);
            is_static_.push_back(body.is_static);
            dReal box[6];
            dGeomGetAABB(geom, box);
            if (!body.is_static) smallest = std::min(smallest, box[1] - box[0]);
        }
        const int level = static_cast<int>(std::floor(std::log2(smallest)));
        if (!use_sweep) dHashSpaceSetLevels(space_, level, level + 4);
    }
    ~OdeDetector() override {
        dSpaceDestroy(space_);
        dCloseODE();
    }

    void place(std::span<const Pose> X_WP) override {
        for (std::size_t k = 0; k < bodies_.size(); ++k)
            if (!is_static_[k]) OdeGeoms::place(bodies_[k], X_WP[k]);
    }

    void detect() override {
        contacts_.clear();
        dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) {
            std::array<dContactGeom, kMaxPoints> found;
            const int n = dCollide(a, b, kMaxPoints, found.data(), sizeof(dContactGeom));
            auto& all = static_cast<OdeDetector*>(self)->contacts_;
            all.insert(all.end(), found.begin(), found.begin() + n);
        });
    }

    Detection result() override {
        Detection out;
        for (const dContactGeom& contact : contacts_) out.add(contact.depth);
        return out;
    }

  private:
    OdeGeoms geoms_{};
    dSpaceID space_{};
    std::vector<dGeomID> bodies_{};
    std::vector<char> is_static_{};
    std::vector<dContactGeom> contacts_{};
};

}  // namespace

std::unique_ptr<Detector> ode_detector(const Model& model, bool use_sweep) {
    return std::make_unique<OdeDetector>(model, use_sweep);
}

}  // namespace impuls::bench
