// Runs Qhull through its reentrant C interface and reads the facets out of its structures. Qhull merges
// facets that are coplanar within its rounding bounds; a merged facet stores its boundary as ridges.
// Qhull reports errors by longjmp inside qh_new_qhull and a return code; after that call only its data are
// read and memory is freed, as no other call would be protected. Its messages go to a memory stream.
#include "geometry/qhull_faces.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace impuls {
namespace {

class QhullRun {
  public:
    explicit QhullRun(std::vector<double>& coordinates) : messages_(open_memstream(&text_, &text_size_)) {
        if (!messages_) {
            exit_code_ = qh_ERRmem;
            return;
        }
        qh_zero(qh_.get(), messages_);
        char command[] = "qhull Pp";
        exit_code_ = qh_new_qhull(qh_.get(), 3, static_cast<int>(coordinates.size() / 3), coordinates.data(),
                                  False, command, nullptr, messages_);
    }
    ~QhullRun() {
        if (messages_) {
            int unfreed_size = 0, unfreed_count = 0;
            qh_freeqhull(qh_.get(), !qh_ALL);
            qh_memfreeshort(qh_.get(), &unfreed_size, &unfreed_count);
            std::fclose(messages_);
        }
        std::free(text_);
    }
    QhullRun(const QhullRun&) = delete;
    QhullRun& operator=(const QhullRun&) = delete;

    int exit_code() const { return exit_code_; }
    const facetT* first_facet() const { return qh_->facet_list; }
    std::uint32_t number(const vertexT* vertex) const {
        return static_cast<std::uint32_t>((vertex->point - qh_->first_point) / 3);
    }

  private:
    std::unique_ptr<qhT> qh_ = std::make_unique<qhT>();
    char* text_ = nullptr;
    std::size_t text_size_ = 0;
    std::FILE* messages_ = nullptr;
    int exit_code_ = qh_ERRmem;
};

std::string explain(int exit_code) {
    switch (exit_code) {
        case qh_ERRsingular:
            return "the points lie in one plane";
        case qh_ERRmem:
            return "not enough memory for the convex hull";
        default:
            return fmt::format("no convex hull within rounding accuracy (Qhull code {})", exit_code);
    }
}

// A triangle: Qhull stores its orientation as a flag.
std::vector<std::uint32_t> triangle(const QhullRun& run, const facetT* facet) {
    std::vector<std::uint32_t> cycle;
    for (const setelemT* e = facet->vertices->e; e->p; ++e)
        cycle.push_back(run.number(static_cast<const vertexT*>(e->p)));
    if (facet->toporient) std::swap(cycle.front(), cycle.back());
    return cycle;
}

// A merged facet: its ridges, run from second to first vertex on their top side, chain up to a cycle.
// Returns nothing when they do not.
std::vector<std::uint32_t> polygon(const QhullRun& run, const facetT* facet) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
    for (const setelemT* e = facet->ridges->e; e->p; ++e) {
        const auto* ridge = static_cast<const ridgeT*>(e->p);
        const setelemT* ends = ridge->vertices->e;
        std::uint32_t a = run.number(static_cast<const vertexT*>(ends[0].p));
        std::uint32_t b = run.number(static_cast<const vertexT*>((ends + 1)->p));
        if (ridge->top == facet) std::swap(a, b);
        steps.emplace_back(a, b);
    }
    std::vector<std::uint32_t> cycle;
    for (std::size_t done = 0; done < steps.size(); ++done) {
        if (done > 0) {
            std::size_t next = done;
            while (next < steps.size() && steps[next].first != steps[done - 1].second) ++next;
            if (next == steps.size()) return {};
            std::swap(steps[done], steps[next]);
        }
        cycle.push_back(steps[done].first);
    }
    if (steps.back().second != steps.front().first) return {};
    return cycle;
}

}  // namespace

QhullFaces qhull_faces(std::vector<double>& coordinates) {
    QhullFaces result;
    const QhullRun run(coordinates);
    if (run.exit_code() != qh_ERRnone) {
        result.error = explain(run.exit_code());
        return result;
    }
    for (const facetT* facet = run.first_facet(); facet && facet->next; facet = facet->next) {
        auto cycle = facet->simplicial ? triangle(run, facet) : polygon(run, facet);
        if (cycle.size() < 3) {
            result.error = explain(qh_ERRprec);
            return result;
        }
        result.faces.push_back(std::move(cycle));
    }
    return result;
}

}  // namespace impuls
