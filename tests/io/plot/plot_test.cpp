// Plots: ticks, points where the data says, names and units, gaps, and well-formed SVG for awkward input.
#include <fmt/format.h>

#include <functional>
#include <regex>

#include "impuls/errors.h"
#include "impuls/export.h"
#include "io/plot/axis.h"
#include "io/plot/data.h"
#include "io/recording/fixture.h"

namespace impuls::test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

struct Point {
    double x, y;
};

// The points of the path number k.
std::vector<Point> path_points(const std::string& svg, int k) {
    const std::regex path("<path class=\"series\"[^>]* d=\"([^\"]*)\"");
    auto it = std::sregex_iterator(svg.begin(), svg.end(), path);
    for (; k > 0; --k) ++it;
    const std::string d = (*it)[1];
    const std::regex pair("[ML]([-0-9.]+) ([-0-9.]+)");
    std::vector<Point> points;
    for (auto p = std::sregex_iterator(d.begin(), d.end(), pair); p != std::sregex_iterator(); ++p) {
        points.push_back({std::stod((*p)[1]), std::stod((*p)[2])});
    }
    return points;
}

// Pixel places of tick labels, to translate pixels back to numbers independently of the plot's own scale.
std::vector<Point> ticks(const std::string& svg, const std::string& kind) {
    const std::regex tick("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" class=\"" + kind +
                          "\"[^>]*>([-0-9.e+]+)</text>");
    std::vector<Point> out;
    for (auto t = std::sregex_iterator(svg.begin(), svg.end(), tick); t != std::sregex_iterator(); ++t) {
        out.push_back({std::stod((*t)[kind == "xtick" ? 1 : 2]), std::stod((*t)[3])});
    }
    return out;
}

double value_at(const std::vector<Point>& ticks, double pixel) {
    const Point a = ticks.front(), b = ticks.back();
    return a.y + (pixel - a.x) / (b.x - a.x) * (b.y - a.y);
}

std::string record(const TempFolder& folder, int frames) {
    const std::string file = folder / "plot.impuls";
    Scene scene = make_scene(2);
    scene.measure.push_back({"bodies.ball[1].position.y", 1, "height"});
    const auto structure = std::make_shared<const Scene>(scene);
    Recorder recorder(file, *structure);
    for (std::int64_t step = 0; step < frames; ++step) {
        recorder.add_frame(tame_frame(structure, step));
        const double time = 0.1 * static_cast<double>(step);
        recorder.add_sample("height", step, time, 100 + time);
        recorder.add_sample("p.x", step, time, 1);
        recorder.add_sample("p.y", step, time, step == 5 ? std::nan("") : 2 * time);
    }
    recorder.close();
    return file;
}

TEST(PlotAxis, TicksAreRoundAndInside) {
    for (const auto& [low, high] : std::vector<std::pair<double, double>>{{0, 1},
                                                                          {-3.7, 12.2},
                                                                          {1e-9, 4.2e-9},
                                                                          {5e7, 5.1e7},
                                                                          {100, 100.0001},
                                                                          {-0.3, 0},
                                                                          {7, 7},
                                                                          {0, 0}}) {
        for (const double margin : {0.0, 0.04}) {
            const Axis axis = make_axis(low, high, 8, margin);
            EXPECT_LE(axis.min, low);
            EXPECT_GE(axis.max, high);
            EXPECT_LT(axis.min, axis.max);
            ASSERT_GE(axis.ticks.size(), 2u) << low << " " << high;
            EXPECT_LE(axis.ticks.size(), 9u);
            const double slack = 1e-9 * (axis.max - axis.min);
            for (const Tick& tick : axis.ticks) {
                EXPECT_GE(tick.value, axis.min - slack);
                EXPECT_LE(tick.value, axis.max + slack);
                EXPECT_NEAR(std::stod(tick.label) * std::pow(10, axis.exponent), tick.value,
                            0.01 * (axis.ticks[1].value - axis.ticks[0].value));
            }
            const double step = axis.ticks[1].value - axis.ticks[0].value;
            const double leading = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
            const bool is_round =
                std::abs(leading - 1) < 1e-4 || std::abs(leading - 2) < 1e-4 || std::abs(leading - 5) < 1e-4;
            EXPECT_TRUE(is_round) << step;
        }
    }
    EXPECT_EQ(make_axis(0, 1, 6, 0).ticks[1].label, "0.2");
    EXPECT_EQ(make_axis(-1, 1, 5, 0.01).ticks[1].label, "0") << "not -0";
    EXPECT_EQ(make_axis(0, 4e-9, 5, 0).exponent, -9);
}

TEST(Plot, PointsLieWhereTheDataSays) {
    const TempFolder folder;
    const Recording recording(record(folder, 40));
    const auto expect_points = [&](const std::string& quantity,
                                   const std::vector<std::function<double(double)>>& expected) {
        const std::string svg = plot_svg(recording, {quantity});
        const auto xs = ticks(svg, "xtick"), ys = ticks(svg, "ytick");
        ASSERT_GE(xs.size(), 4u);
        ASSERT_GE(ys.size(), 4u);
        for (std::size_t curve = 0; curve < expected.size(); ++curve) {
            const auto points = path_points(svg, static_cast<int>(curve));
            ASSERT_EQ(points.size(), 40u);
            for (std::size_t k = 0; k < points.size(); ++k) {
                const double t = 0.1 * static_cast<double>(k);
                EXPECT_NEAR(value_at(xs, points[k].x), t, 0.01);
                // Labels sit 4 px below their line.
                EXPECT_NEAR(value_at(ys, points[k].y + 4), expected[curve](t), 0.01);
            }
        }
    };
    expect_points("bodies.ball[1].position.z", {[](double t) { return 0.1 * t; }});
    expect_points(
        "bodies.ball[1].velocity",
        {[](double) { return 0.0; }, [](double t) { return std::cos(t); }, [](double) { return 0.1; }});
}

TEST(Plot, EachUnitHasAPanel) {
    const TempFolder folder;
    const Recording recording(record(folder, 40));
    const std::string svg = plot_svg(recording, {"bodies.ball[1].position.z", "bodies.ball[1].velocity"});
    EXPECT_EQ(count(svg, "<path class=\"series\""), 4u);
    EXPECT_EQ(count(svg, "<rect class=\"frame\""), 2u);
    EXPECT_NE(svg.find("balls, &quot;quoted&quot; &amp; &lt;more&gt;"), std::string::npos) << "title";
    EXPECT_NE(svg.find("time (s)"), std::string::npos);
    EXPECT_NE(svg.find("bodies.ball[1].position.z (m)"), std::string::npos) << "alone: the axis has its name";
    EXPECT_NE(svg.find(">m/s<"), std::string::npos) << "several: the axis has their unit";
    EXPECT_NE(svg.find(">bodies.ball[1].velocity.y<"), std::string::npos) << "and the legend their names";
}

TEST(Plot, MeasurementsComeBeforeFrames) {
    const TempFolder folder;
    const Recording recording(record(folder, 40));
    const std::string svg = plot_svg(recording, {"height"});
    const auto points = path_points(svg, 0);
    ASSERT_EQ(points.size(), 40u);
    EXPECT_NEAR(value_at(ticks(svg, "ytick"), points[39].y + 4), 103.9, 0.05);
    EXPECT_NE(svg.find("height (m)"), std::string::npos) << "the unit of what it measures";
    const std::string both = plot_svg(recording, {"p"});
    EXPECT_EQ(count(both, "<path class=\"series\""), 2u);
    EXPECT_EQ(path_points(both, 1).size(), 39u) << "NaN leaves a gap";
    const std::string path = both.substr(both.rfind("<path"));
    EXPECT_EQ(count(path, "M"), 2u) << "and the line starts anew";
}

TEST(Plot, UnknownQuantitiesAreRefused) {
    const TempFolder folder;
    const Recording recording(record(folder, 3));
    EXPECT_THROW(plot_svg(recording, {}), InputError);
    try {
        plot_svg(recording, {"heigth"});
        ADD_FAILURE();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("did you mean 'height'"), std::string::npos) << e.what();
    }
}

TEST(Plot, ManyPointsKeepTheirExtremes) {
    PlotSeries series{"x", "m", {}, {}};
    for (int k = 0; k < 100'000; ++k) {
        series.times.push_back(k);
        series.values.push_back(k == 77'777 ? 50.0 : k == 33'333 ? -50.0 : std::sin(0.1 * k));
    }
    const PlotSeries thin = thinned(series, 1000);
    EXPECT_EQ(thin.values.size(), 2000u);
    EXPECT_EQ(*std::max_element(thin.values.begin(), thin.values.end()), 50.0);
    EXPECT_EQ(*std::min_element(thin.values.begin(), thin.values.end()), -50.0);
    EXPECT_TRUE(std::is_sorted(thin.times.begin(), thin.times.end()));
}

TEST(Plot, EmptyAndSingleFrames) {
    const TempFolder folder;
    const auto structure = std::make_shared<const Scene>(make_scene(1));
    { const Recorder recorder(folder / "empty.impuls", *structure); }
    const std::string svg = plot_svg(Recording(folder / "empty.impuls"), {"energy.total"});
    EXPECT_NE(svg.find("no values"), std::string::npos);
    {
        Recorder recorder(folder / "single.impuls", *structure);
        recorder.add_frame(tame_frame(structure, 0));
    }
    EXPECT_EQ(count(plot_svg(Recording(folder / "single.impuls"), {"energy.total"}), "<circle"), 1u);
}

}  // namespace
}  // namespace impuls::test
