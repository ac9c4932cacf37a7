// Greedy clusters by normal (field_contacts.h).
// Called by the pairs with distance fields.
#include "collision/narrow/field_contacts.h"

#include <algorithm>

#include "collision/narrow/reduce.h"

namespace impuls::narrow {

FieldContacts& FieldContacts::fresh() {
    thread_local FieldContacts contacts;
    contacts.all_.clear();
    return contacts;
}

bool FieldContacts::emit(double tolerance, std::vector<Manifold>& out) {
    std::sort(all_.begin(), all_.end(), [](const Contact& a, const Contact& b) {
        if (a.point.separation != b.point.separation) return a.point.separation < b.point.separation;
        return a.point.feature < b.point.feature;
    });
    // Corners that several edges share come several times.
    const auto same = [](const Contact& a, const Contact& b) {
        return a.point.feature == b.point.feature && a.point.position == b.point.position;
    };
    all_.erase(std::unique(all_.begin(), all_.end(), same), all_.end());
    Vec3 normals[kMaxManifolds];
    std::size_t groups = 0;
    for (Contact& contact : all_) {
        double best = -2;
        for (std::size_t g = 0; g < groups; ++g)
            if (const double c = dot(normals[g], contact.normal); c > best) best = c, contact.group = g;
        if (best < kCosine && groups < kMaxManifolds)
            contact.group = groups, normals[groups++] = contact.normal;
    }
    for (std::size_t g = 0; g < groups; ++g) {
        points_.clear();
        for (const Contact& contact : all_)
            if (contact.group == g) points_.push_back(contact.point);
        Manifold m;
        m.normal = normals[g];
        m.count = reduce(points_, m.normal, kPoints, tolerance);
        std::copy_n(points_.begin(), m.count, m.points.data());
        out.push_back(m);
    }
    return groups > 0;
}

}  // namespace impuls::narrow
