// Thomas' algorithm along paths of particles, in the very order of operations of grid/kernel_body.h, so that
// both give the same bits; and the covering of edge graphs by paths. Source of the rows: Bender,
// Dynamiksimulation in der Computergraphik (2014) 4.3.4, with the direction of the preview in place of that
// at the start.
#include "deformable/chains.h"

#include <algorithm>
#include <cmath>

namespace impuls::deformable {

void Chains::add(std::span<const std::uint32_t> path, std::span<const double> length,
                 std::span<const double> stiffness) {
    for (std::size_t e = 0; e < path.size(); ++e) {
        const bool is_last = e + 1 == path.size();
        nodes.push_back(path[e]);
        squared.push_back(is_last ? 0 : length[e] * length[e]);
        compliance.push_back(is_last ? 0 : length[e] * length[e] / stiffness[e]);
    }
    begin.push_back(static_cast<std::uint32_t>(nodes.size()));
}

namespace {

// target(e, a, b): what C of the edge after place e of nodes, between nodes a and b, shall be.
template <class Target>
void solve_paths(const Chains& chains, const std::vector<double>& k, double h, Columns& p,
                 ChainScratch& scratch, const Target& target) {
    for (std::size_t path = 0; path < chains.size(); ++path) {
        const std::size_t first = chains.begin[path], n = chains.begin[path + 1] - first;
        if (n < 2) continue;
        const std::uint32_t* node = chains.nodes.data() + first;
        if (scratch.g.size() < n) scratch.g.resize(n), scratch.c.resize(n);
        Vec3 d_before{};
        double inverse = 0;
        for (std::size_t e = 0; e + 1 < n; ++e) {
            const double ka = k[node[e]], kb = k[node[e + 1]];
            const Vec3 d = p.at(node[e + 1]) - p.at(node[e]);
            const double dd = dot(d, d);
            double diagonal = (ka + kb) * dd + chains.compliance[first + e] / (h * h);
            double right = 0.5 * (chains.squared[first + e] - dd) + target(first + e, node[e], node[e + 1]);
            if (e > 0) {
                const double off = -(ka * dot(d_before, d));
                scratch.c[e - 1] = off * inverse;
                diagonal -= scratch.c[e - 1] * off;
                right -= off * scratch.g[e - 1];
            }
            d_before = d;
            inverse = 1.0 / diagonal;
            scratch.g[e] = right * inverse;
        }
        double lambda_after = 0;
        Vec3 d_after{}, b = p.at(node[n - 1]);
        for (std::size_t e = n - 1; e-- > 0;) {
            const Vec3 before = p.at(node[e]), d = b - before;
            double lambda = scratch.g[e];
            if (e + 2 < n) lambda -= scratch.c[e] * lambda_after;
            p.set(node[e + 1], b + k[node[e + 1]] * (d * lambda - d_after * lambda_after));
            b = before;
            d_after = d;
            lambda_after = lambda;
        }
        p.set(node[0], b + k[node[0]] * (d_after * 0.0 - d_after * lambda_after));
    }
}

}  // namespace

void solve_chains(const Chains& chains, const std::vector<double>& k, double h, Columns& p,
                  ChainScratch& scratch) {
    solve_paths(chains, k, h, p, scratch, [](std::size_t, std::uint32_t, std::uint32_t) { return 0.0; });
}

void repair_chains(const Chains& chains, const std::vector<double>& k, double h, double speed,
                   const Columns& x, Columns& p, ChainScratch& scratch) {
    solve_paths(chains, k, h, p, scratch, [&](std::size_t e, std::uint32_t a, std::uint32_t b) {
        const double now = length(x.at(b) - x.at(a)), rest = std::sqrt(chains.squared[e]);
        const double shall = now > rest ? std::max(rest, now - speed * h) : std::min(rest, now + speed * h);
        return 0.5 * (shall * shall - chains.squared[e]);
    });
}

double stretch_energy(const Chains& chains, const Columns& x) {
    double sum = 0;
    for (std::size_t path = 0; path < chains.size(); ++path)
        for (std::size_t e = chains.begin[path]; e + 1 < chains.begin[path + 1]; ++e) {
            const double c =
                0.5 * (length_squared(x.at(chains.nodes[e + 1]) - x.at(chains.nodes[e])) - chains.squared[e]);
            sum += 0.5 * c * c / chains.compliance[e];
        }
    return sum;
}

double largest_stretch(const Chains& chains, const Columns& x) {
    double most = 0;
    for (std::size_t path = 0; path < chains.size(); ++path)
        for (std::size_t e = chains.begin[path]; e + 1 < chains.begin[path + 1]; ++e) {
            const double now = length_squared(x.at(chains.nodes[e + 1]) - x.at(chains.nodes[e]));
            most = std::max(most, std::sqrt(now / chains.squared[e]) - 1);
        }
    return most;
}

std::vector<std::vector<std::uint32_t>> cover_by_paths(const Columns& x,
                                                       std::span<const std::array<std::uint32_t, 2>> edges) {
    std::vector<std::vector<std::uint32_t>> at(x.size());  // edges of a node
    for (std::uint32_t e = 0; e < edges.size(); ++e)
        for (const std::uint32_t node : edges[e]) at[node].push_back(e);
    std::vector<char> is_used(edges.size(), 0);
    const auto other = [&](std::uint32_t e, std::uint32_t node) {
        return edges[e][0] == node ? edges[e][1] : edges[e][0];
    };
    // The straightest unused edge on from `node`, at which the path arrives along `d` and which is not in it
    // yet.
    const auto extend = [&](std::vector<std::uint32_t>& path) {
        for (;;) {
            const std::uint32_t node = path.back();
            const Vec3 d = normalized(x.at(node) - x.at(path[path.size() - 2]));
            double best = 0.5;  // bends of more than 60 degrees begin another path
            std::uint32_t taken = static_cast<std::uint32_t>(edges.size());
            for (const std::uint32_t e : at[node]) {
                if (is_used[e]) continue;
                const std::uint32_t to = other(e, node);
                const double along = dot(d, normalized(x.at(to) - x.at(node)));
                if (along > best && std::find(path.begin(), path.end(), to) == path.end())
                    best = along, taken = e;
            }
            if (taken == edges.size()) return;
            is_used[taken] = 1;
            path.push_back(other(taken, node));
        }
    };
    std::vector<std::vector<std::uint32_t>> paths;
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if (is_used[e]) continue;
        is_used[e] = 1;
        std::vector<std::uint32_t> path{edges[e][0], edges[e][1]};
        extend(path);
        std::reverse(path.begin(), path.end());
        extend(path);
        paths.push_back(std::move(path));
    }
    return paths;
}

}  // namespace impuls::deformable
