// Statistics, quality figures, and results that survive being written: against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "bench/chart.h"
#include "bench/columns.h"
#include "bench/multibody_results.h"
#include "bench/precision_results.h"
#include "bench/quality.h"
#include "bench/report.h"
#include "bench/statistics.h"

namespace impuls::bench {
namespace {

TEST(Statistics, percentiles_by_nearest_rank) {
    std::vector<double> values;
    for (int k = 200; k >= 1; --k) values.push_back(k);
    EXPECT_EQ(percentile(values, 99), 198);
    EXPECT_EQ(percentile(values, 100), 200);
    EXPECT_EQ(percentile(values, 0), 1);
    EXPECT_EQ(median(values), 100.5);
    EXPECT_EQ(mean(values), 100.5);
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(percentile({}, 50), 0);
}

TEST(Statistics, last_quarter) {
    const StepTimes t = step_times({1, 1, 1, 1, 1, 1, 5, 7});
    EXPECT_EQ(t.last_quarter, 6);
    EXPECT_EQ(t.mean, 2.25);
    EXPECT_EQ(t.p99, 7);
}

// One rod, hinged at its end: E = m v^2/2 + I w^2/2 + m g y.
TEST(Quality, energy_and_gap_of_a_rod) {
    Model model;
    model.gravity = {0, -10, 0};
    ModelBody rod;
    rod.mass = 3, rod.moments = {1, 2, 5};
    rod.X_WP.position = {0.5, 0, 0};
    model.bodies.push_back(rod);
    ModelJoint joint;
    joint.b = 0, joint.p_B = {-0.5, 0, 0};
    model.joints.push_back(joint);
    // Turned down by 90 degrees about z, spinning about z.
    std::vector<BodyState> states{
        {{{0, -0.5, 0}, from_axis_angle({0, 0, 1}, -2 * std::atan(1.0))}, {2, 0, 0}, {0, 0, 4}}};
    EXPECT_NEAR(joint_gap(model, states), 0, 1e-15);
    EXPECT_NEAR(energy(model, states), 0.5 * 3 * 4 + 0.5 * 5 * 16 - 3 * 10 * 0.5, 1e-12);
    EXPECT_NEAR(energy_scale(model), 3 * 10 * 0.5, 1e-12);
    states[0].X_WP.position.x = 0.03;
    EXPECT_NEAR(joint_gap(model, states), 0.03, 1e-15);
}

TEST(Quality, sink_lateral_and_lost) {
    Model model;
    model.gravity = {0, -9.81, 0};
    ModelBody floor, cube;
    floor.is_static = true, floor.collides = cube.collides = false;
    floor.X_WP.position.y = -1;
    cube.mass = 1;
    model.bodies = {floor, cube, cube, cube};
    std::vector<BodyState> states(4);
    states[0].X_WP.position.y = -1;
    states[1].X_WP.position = {0.3, -0.2, 0.4};
    states[2].X_WP.position = {0, 0.1, 0};
    states[2].v = {0, 0, 2};
    states[3].X_WP.position = {0, -7, 0};  // through the floor
    const Quality q = check_states(model, states);
    EXPECT_NEAR(q.sink, 0.2, 1e-15);
    EXPECT_NEAR(q.lateral, 0.5, 1e-15);
    EXPECT_EQ(q.lost, 1u);
    EXPECT_NEAR(q.speed_rms, std::sqrt(2.0), 1e-15);
    EXPECT_NEAR(q.mean_height, -0.05, 1e-15);
}

Results example() {
    Results r;
    r.machine = "test", r.date = "2000-01-01", r.cap_s = 20;
    r.engines = {{"impuls this", "presets"}};
    Row row;
    row.scene = "pyramid20", row.kind = SceneKind::Rest, row.engine = "impuls", row.variant = "fast";
    row.end = "done", row.steps = row.wanted_steps = 300, row.repeats = 3, row.times = {1.5, 1.4, 3, 1.6};
    row.has_quality = true, row.quality.overlaps.p99 = 0.002, row.quality.sink = 0.0123;
    row.quality.lateral = std::numeric_limits<double>::quiet_NaN();
    r.rows.push_back(row);
    row.engine = "bullet", row.variant = "", row.end = "cut", row.steps = 41, row.times.mean = 300;
    r.rows.push_back(row);
    row = {};
    row.scene = "pyramid20", row.engine = "ode", row.end = "not installed";
    r.rows.push_back(row);
    r.collision.push_back({"funnel", "bullet", 1, "done", 2.5, 10, 8, 0.001, 1, 1});
    return r;
}

TEST(Results, survive_writing_and_reading) {
    const std::string file = std::filesystem::temp_directory_path() / "impuls_bench_results_test.json";
    const Results old = example();
    write_json(old, file);
    const Results now = read_json(file);
    std::remove(file.c_str());
    ASSERT_EQ(now.rows.size(), 3u);
    EXPECT_EQ(now.rows[0].label(), "impuls fast");
    EXPECT_EQ(now.rows[0].quality.sink, 0.0123);
    EXPECT_TRUE(std::isnan(now.rows[0].quality.lateral));
    EXPECT_EQ(now.rows[1].end, "cut");
    EXPECT_EQ(now.rows[2].end, "not installed");
    ASSERT_EQ(now.collision.size(), 1u);
    EXPECT_EQ(now.collision[0].points, 10);
    EXPECT_EQ(report_markdown(now, "charts"), report_markdown(old, "charts"));
}

TEST(Report, says_what_was_cut_and_what_is_missing) {
    const std::string page = report_markdown(example(), "charts");
    EXPECT_NE(page.find("cut after 41 of 300 steps"), std::string::npos);
    EXPECT_NE(page.find("not installed"), std::string::npos);
    EXPECT_NE(page.find("| 12.3 |"), std::string::npos);  // the sink in mm
    EXPECT_NE(page.find("charts/pyramid20.svg"), std::string::npos);
}

// Who lost all bodies has no penetration left, and would look the most accurate of all.
TEST(Report, charts_say_what_was_lost) {
    Results r;
    Row row;
    row.scene = "funnel", row.kind = SceneKind::Pile, row.bodies = 1000, row.end = "done";
    row.times.mean = 5, row.has_quality = true, row.quality.overlaps.p99 = 0.001;
    for (const auto& [engine, lost] : {std::pair{"bullet", 0}, {"ode", 3}, {"dart", 1000}}) {
        row.engine = engine, row.quality.lost = static_cast<std::size_t>(lost);
        r.rows.push_back(row);
    }
    const std::string svg = scene_chart(r, "funnel");
    EXPECT_NE(svg.find(">bullet<"), std::string::npos);
    EXPECT_NE(svg.find(">ode (3 lost)<"), std::string::npos);
    EXPECT_EQ(svg.find("dart"), std::string::npos);
}

// On axes of one decade each, ten times the time is the whole width.
TEST(Chart, decades_are_evenly_spaced) {
    const std::string svg =
        chart_svg("t", "x", "y", {{"a", 1, 1, true, false}, {"b", 100, 10, false, true}}, 1e-3);
    EXPECT_NE(svg.find("cx=\"80.0\""), std::string::npos);   // left edge
    EXPECT_NE(svg.find("cx=\"616.0\""), std::string::npos);  // right edge
    EXPECT_NE(svg.find(">10</text>"), std::string::npos);
    EXPECT_EQ(chart_svg("t", "x", "y", {}, 1), "");
}

// Texts as boxes of 12 high and 6 a character wide, dots as squares; the axes' numbers have no fill.
TEST(Chart, labels_of_near_points_do_not_overlap) {
    struct Box {
        double x0, y0, x1, y1;
    };
    std::vector<ChartPoint> points;
    for (int k = 0; k < 12; ++k)
        points.push_back({"engine exact " + std::to_string(k), 2.8 + 0.3 * k, 7.3 + 0.02 * (k % 3)});
    points.push_back({"beside", 13, 7.34});
    points.push_back({"far", 90, 0.02});
    const std::string svg = chart_svg("t", "x", "y", points, 1e-3);

    std::vector<Box> boxes;
    std::size_t labels = 0;
    const auto number = [&](const std::string& name, std::size_t from) {
        return std::stod(svg.substr(svg.find(name + "=\"", from) + name.size() + 2));
    };
    for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) {
        const double x = number("cx", at), y = number("cy", at);
        boxes.push_back({x - 5, y - 5, x + 5, y + 5});
    }
    for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
        const std::size_t open = svg.find('>', at), close = svg.find('<', open);
        const std::string head = svg.substr(at, open - at);
        if (head.find("fill=") == std::string::npos) continue;
        const double x = number("x", at), y = number("y", at);
        const double width = 6.0 * static_cast<double>(close - open - 1);
        const double left = head.find("\"end\"") == std::string::npos ? x : x - width;
        const Box label{left, y - 9, left + width, y + 3};
        EXPECT_TRUE(label.x0 > 0 && label.x1 < 640 && label.y0 > 0 && label.y1 < 440) << head;
        const std::size_t others = ++labels + points.size() - 1;
        for (std::size_t k = 0; k < others; ++k)
            EXPECT_FALSE(label.x0 < boxes[k].x1 && boxes[k].x0 < label.x1 && label.y0 < boxes[k].y1 &&
                         boxes[k].y0 < label.y1)
                << head << " over " << k;
        boxes.push_back(label);
    }
    EXPECT_EQ(labels, points.size());
}

TEST(Columns, digits) {
    EXPECT_EQ(digits(0.012345), "0.0123");
    EXPECT_EQ(digits(12.345), "12.3");
    EXPECT_EQ(digits(1234.5), "1234");
    EXPECT_EQ(digits(0), "0");
    EXPECT_EQ(digits(std::nan("")), "-");
}

TEST(Claims, survive_being_written) {
    const std::string file = testing::TempDir() + "claims.json";
    write_claims(
        {"here", "2026-01-31", {{"T2", "groups", 25, "at least 20", true}, {"T3", "x", 1, "2", false}}},
        file);
    const Claims back = read_claims(file);
    ASSERT_EQ(back.list.size(), 2u);
    EXPECT_EQ(back.list[0].bar, "at least 20");
    EXPECT_FALSE(back.list[1].holds);
    const std::string table = claim_table(back.list);
    EXPECT_NE(table.find("| T2 | groups | 25.0 | at least 20 | holds |"), std::string::npos) << table;
    EXPECT_NE(table.find("**does not hold**"), std::string::npos);
    std::remove(file.c_str());
}

TEST(Multibody, results_survive_being_written) {
    MultibodyResults results;
    results.machine = "here", results.date = "2026-01-31", results.budget_s = 1.5;
    results.rows.push_back({"tree", "S1", 1e-6, 63, 150, 0.25, 54.25, 13.9, 1e-6});
    results.kernel.push_back({"chain", 10, 46, 25, 1194});
    results.claims.push_back({"T14", "factor : solve", 49, "at least 10", true});
    const std::string file = testing::TempDir() + "multibody_results";
    write_multibody(results, file);
    const MultibodyResults back = read_multibody(file);
    ASSERT_EQ(back.rows.size(), 1u);
    EXPECT_EQ(back.rows[0].label(), "S1 1e-06");
    EXPECT_EQ(back.rows[0].joints, 63);
    EXPECT_EQ(back.rows[0].text_ms, 54.25);
    EXPECT_EQ(back.kernel.at(0).bytes, 1194);
    EXPECT_TRUE(back.claims.at(0).holds);
    const std::string page = multibody_markdown(back, "charts");
    EXPECT_NE(page.find("| S1 1e-06 | 63 | 0.250 | 54.2 | 217 |"), std::string::npos) << page;
    std::remove((file + ".json").c_str()), std::remove((file + ".csv").c_str());
}

// Between settings by powers; one that is better at less time counts, too; NaN where none of ours gets there.
TEST(BenchReport, time_of_ours_to_the_same_error) {
    PrecisionResults results;
    const auto add = [&](const char* method, bool is_ours, double ms, double error) {
        results.rows.push_back({"chain", method, "1", is_ours, ms, error, ""});
    };
    add("a", true, 1, 1e-2), add("a", true, 100, 1e-6);
    add("b", true, 4, 1e-3);
    add("peer", false, 3, 1e-4);
    EXPECT_NEAR(our_time(results, "chain", 1e-4), 10, 1e-12);
    EXPECT_NEAR(our_time(results, "chain", 1e-3), std::sqrt(10), 1e-12);
    EXPECT_EQ(our_time(results, "chain", 0.1), 1);
    EXPECT_TRUE(std::isnan(our_time(results, "chain", 1e-7)));
    EXPECT_NE(precision_markdown(results, "charts").find("| peer | 1 | 3.00 | 1.0e-04 | 3.33 |"),
              std::string::npos)
        << precision_markdown(results, "charts");
}

}  // namespace
}  // namespace impuls::bench
