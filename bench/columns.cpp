// Table cells (columns.h).
#include "bench/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace impuls::bench {
namespace {

constexpr double kMilli = 1e3;

std::string millimetres(double metres) {
    return digits(kMilli * metres);
}

std::string percent(double part) {
    return std::abs(part) < 10 ? fmt::format("{:+.2f}", 100 * part) : "blown up";
}

std::string note_of(const Row& row) {
    const std::string fell = has_fallen(row) ? "FELL " : "";
    if (row.end == "done")
        return fell + (row.repeats > 1 ? fmt::format("n={} x{:.2f}", row.repeats, row.spread) : "");
    std::string note = fell + row.end;
    if (row.end == "cut") note = fell + fmt::format("cut after {} of {} steps", row.steps, row.wanted_steps);
    if (!row.message.empty()) note += ": " + row.message.substr(0, 90);
    return note;
}

std::vector<std::string> quality_cells(const Row& row) {
    const Quality& q = row.quality;
    const OverlapReport& o = q.overlaps;
    if (row.kind == SceneKind::Joints)
        return {millimetres(q.joint_gap), percent(q.energy_end),
                fmt::format("{} .. {}", percent(q.energy_low), percent(q.energy_high)),
                q.trajectory < 0 ? "-" : millimetres(q.trajectory)};
    std::vector<std::string> cells{
        std::to_string(row.contacts), std::to_string(o.touching),
        fmt::format("{} / {} / {}", millimetres(o.max), millimetres(o.p99), millimetres(o.mean))};
    if (row.kind == SceneKind::Rest)
        cells.insert(cells.end(), {millimetres(q.sink), millimetres(q.lateral)});
    else
        cells.insert(cells.end(), {std::to_string(q.lost), fmt::format("{:.3f}", q.mean_height),
                                   q.joint_gap > 0 ? millimetres(q.joint_gap) : "-"});
    cells.push_back(digits(q.speed_rms));
    return cells;
}

}  // namespace

std::string digits(double value) {
    if (!std::isfinite(value)) return "-";
    const double size = std::abs(value);
    if (size == 0) return "0";
    if (size >= 99999.5 || size < 1e-4) return fmt::format("{:.1e}", value);
    if (size >= 100) return fmt::format("{:.0f}", value);
    const int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
    return fmt::format("{:.{}f}", value, decimals);
}

double error_of(const Row& row) {
    constexpr double kBlownUp = 10;
    if (row.kind != SceneKind::Joints) return kMilli * row.quality.overlaps.p99;
    const double change = std::max(std::abs(row.quality.energy_low), std::abs(row.quality.energy_high));
    return 100 * (change < kBlownUp ? change : kBlownUp);
}

bool has_fallen(const Row& row) {
    constexpr double kHalfCube = 0.5;  // m
    return row.has_quality && row.kind == SceneKind::Rest && row.quality.sink > kHalfCube;
}

std::vector<std::string> column_heads(SceneKind kind) {
    std::vector<std::string> heads{"engine",    ">ms/step", ">median", ">p99",
                                   ">last 1/4", ">CPU ms",  ">x ours"};
    const auto add = [&](std::vector<std::string> more) {
        heads.insert(heads.end(), more.begin(), more.end());
    };
    if (kind == SceneKind::Joints)
        add({">gap mm", ">energy %", ">low .. high", ">path mm"});
    else
        add({">points", ">touching", ">depth max / p99 / mean mm"});
    if (kind == SceneKind::Rest) add({">sink mm", ">lateral mm", ">v rms"});
    if (kind == SceneKind::Pile) add({">lost", ">height m", ">gap mm", ">v rms"});
    heads.push_back("note");
    return heads;
}

std::vector<std::string> column_cells(const Row& row) {
    std::vector<std::string> cells{row.label()};
    if (row.steps > 0) {
        const StepTimes& t = row.times;
        for (const double ms : {t.mean, t.median, t.p99, t.last_quarter, row.cpu_mean})
            cells.push_back(digits(ms));
        cells.push_back(row.ratio_steps > 0 ? digits(row.ratio) : "-");
    }
    if (row.steps > 0 && row.has_quality)
        for (std::string& cell : quality_cells(row)) cells.push_back(std::move(cell));
    cells.resize(column_heads(row.kind).size() - 1, "-");
    cells.push_back(note_of(row));
    return cells;
}

std::vector<std::string> collision_heads() {
    return {"scene",     "engine",        ">ms/step", ">x fastest peer", ">speed-up", ">points",
            ">touching", ">max depth mm", "note"};
}

std::vector<std::string> collision_cells(const CollisionRow& row) {
    const std::string engine = row.engine + (row.threads > 1 ? fmt::format(" {}T", row.threads) : "");
    if (row.end != "done") return {row.scene, engine, "-", "-", "-", "-", "-", "-", row.end};
    return {row.scene,
            engine,
            digits(row.ms),
            digits(row.ratio),
            row.threads > 1 ? digits(row.speed_up) : "",
            std::to_string(row.points),
            std::to_string(row.touching),
            millimetres(row.max_depth),
            ""};
}

}  // namespace impuls::bench
