// Frames as columns: a group of a program's own in recordings, exports and plots; descriptions and damage.
#include "impuls/columns.h"

#include <json/json.h>

#include <fstream>
#include <sstream>

#include "impuls/export.h"
#include "impuls/quantity.h"
#include "io/recording/fixture.h"
#include "io/recording/frame_codec.h"
#include "scene/frame_groups.h"
#include "support/places.h"

namespace impuls::test {
namespace {

GroupDesc cells() {
    return {"cells",
            "a row of warm cells",
            {DrawnAs::Points},
            {vector_column("position", "m"), scalar_column("temperature", "K", "in the middle"),
             index_column("corners", 3)}};
}

// Cell k at (k, 0, step), with 10 k + step kelvin.
Frame frame_with_cells(const std::shared_ptr<const Scene>& structure, std::int64_t step, std::size_t count) {
    Frame frame = tame_frame(structure, step);
    ColumnGroup& group = frame.groups.emplace_back(cells());
    group.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        const auto x = static_cast<double>(k), s = static_cast<double>(step);
        group.set("position", k, Vec3{x, 0, s});
        group.set("temperature", k, 10 * x + s);
        for (std::size_t c = 0; c < 3; ++c) group.column("corners")[3 * k + c] = x + static_cast<double>(c);
    }
    return frame;
}

std::string text_of(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

struct Recorded {
    TempFolder folder{};
    std::string file = folder / "cells.impuls";
    std::shared_ptr<const Scene> structure = std::make_shared<const Scene>(make_scene(2, true));

    // The group grows, shrinks, and is not there in step 3.
    Recorded() {
        Recorder recorder(file, *structure);
        for (const std::int64_t step : {0, 1, 2})
            recorder.add_frame(frame_with_cells(structure, step, 4 - step));
        recorder.add_frame(tame_frame(structure, 3));
        recorder.add_frame(frame_with_cells(structure, 4, 2));
        recorder.close();
    }
    void write(const char* format, const std::string& to) const {
        for (const Exporter& exporter : exporters())
            if (std::string(exporter.name) == format) exporter.write(Recording(file), folder / to, {});
    }
};

TEST(Columns, AGroupOfAProgramComesBack) {
    const Recorded made;
    const Recording recording(made.file);
    for (const std::int64_t step : {4, 0, 2, 1}) {
        const Frame frame = recording.frame(step);
        const Frame truth =
            frame_with_cells(made.structure, step, step == 4 ? 2u : static_cast<std::size_t>(4 - step));
        ASSERT_EQ(frame.groups.size(), 1u);
        EXPECT_EQ(frame.groups[0].desc(), cells());
        for (std::size_t c = 0; c < 3; ++c) {
            const auto a = frame.groups[0].column(c), b = truth.groups[0].column(c);
            EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << step << " " << c;
        }
    }
    EXPECT_TRUE(recording.frame(3).groups.empty());
}

TEST(Columns, AGroupOfAProgramIsInCsvAndJson) {
    const Recorded made;
    made.write("csv", "out.csv");
    const std::string csv = text_of(made.folder / "out.csv.cells.csv");
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "step,time,entry,position.x,position.y,position.z,temperature,corners.0,corners.1,corners.2");
    EXPECT_NE(csv.find("\n2,0.2,1,1,0,2,12,1,2,3\n"), std::string::npos) << csv;
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 4 + 3 + 2 + 2);
    EXPECT_TRUE(
        text_of(made.folder / "out.csv").starts_with("step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"));
    made.write("json", "out.json");
    Json::Value json;
    std::istringstream(text_of(made.folder / "out.json")) >> json;
    EXPECT_EQ(json["groups"]["cells"]["columns"]["temperature"]["unit"].asString(), "K");
    EXPECT_EQ(json["frames"][1]["cells"][2]["temperature"].asDouble(), 21);
    EXPECT_EQ(json["frames"][1]["cells"][2]["position"][0].asDouble(), 2);
    EXPECT_FALSE(json["frames"][3].isMember("cells"));
}

double value_of(const std::string& name, const Frame& frame) {
    double value = 0;
    find_quantity(name, *frame.structure, frame.groups).read(frame, &value);
    return value;
}

TEST(Columns, AGroupOfAProgramHasQuantitiesAndPlots) {
    const Recorded made;
    const Recording recording(made.file);
    const Frame frame = recording.frame(1);
    EXPECT_EQ(value_of("cells.count", frame), 3);
    EXPECT_EQ(value_of("cells[2].temperature", frame), 21);
    EXPECT_EQ(value_of("cells[2].position.x", frame), 2);
    EXPECT_EQ(value_of("cells[2].corners.1", frame), 3);
    EXPECT_DOUBLE_EQ(value_of("cells[2].position.magnitude", frame), std::sqrt(5));
    EXPECT_EQ(value_of("cells.temperature.min", frame), 1);
    EXPECT_EQ(value_of("cells.temperature.max", frame), 21);
    EXPECT_EQ(value_of("cells.temperature.mean", frame), 11);
    EXPECT_EQ(value_of("cells.position.x.sum", frame), 3);
    EXPECT_TRUE(std::isnan(value_of("cells[3].temperature", frame))) << "there are three";
    EXPECT_EQ(find_quantity("cells.temperature.max", *frame.structure, frame.groups).unit, "K");
    EXPECT_EQ(find_quantity("cells[0].position", *frame.structure, frame.groups).columns.size(), 3u);
    for (const char* bad :
         {"cells", "cells[0]", "cells.temperature", "cells[x].temperature", "cells[-1].temperature",
          "cells[0].temperature.max", "cells[0].heat", "cells.position.max", "cell.count"})
        EXPECT_THROW(find_quantity(bad, *frame.structure, frame.groups), InputError) << bad;
    EXPECT_THROW(find_quantity("cells.count", *frame.structure), InputError) << "without the groups";
    const std::string svg = plot_svg(recording, {"cells.temperature.max", "cells[1].position"});
    EXPECT_NE(svg.find("cells.temperature.max"), std::string::npos);
    EXPECT_NE(svg.find("cells[1].position.z"), std::string::npos);
}

TEST(Columns, EntriesOfTheEnginesGroupsHaveQuantities) {
    Frame frame = tame_frame(std::make_shared<const Scene>(make_scene(2)), 0);
    frame.contacts = {{0, 1, 0, {1, 2, 3}, {0, 1, 0}, 0.01, {0, 3, 4}},
                      {0, 2, 0, {}, {0, 1, 0}, 0.04, {0, 6, 8}}};
    EXPECT_EQ(value_of("contacts[1].depth", frame), 0.04);
    EXPECT_EQ(value_of("contacts[0].point.z", frame), 3);
    EXPECT_EQ(value_of("contacts.depth.max", frame), 0.04);
    EXPECT_EQ(value_of("contacts.force.magnitude.sum", frame), 15);
    EXPECT_EQ(value_of("contacts.force.y.mean", frame), 4.5);
}

TEST(Columns, DescriptionsThatCannotBeAreRefused) {
    const auto expect_refused = [](auto change) {
        GroupDesc desc = cells();
        change(desc);
        EXPECT_THROW(ColumnGroup{desc}, InputError);
    };
    EXPECT_NO_THROW(ColumnGroup{cells()});
    for (const char* name : {"", "Cells", "a.b", "3d", "contacts", "bodies", "frame"})
        expect_refused([&](GroupDesc& d) { d.name = name; });
    expect_refused([](GroupDesc& d) { d.columns.clear(); });
    expect_refused([](GroupDesc& d) { d.columns[1].name = "position"; });
    expect_refused([](GroupDesc& d) { d.columns[1].name = "x y"; });
    expect_refused([](GroupDesc& d) { d.columns[0].size = 4; });
    expect_refused([](GroupDesc& d) { d.columns[2].size = 65; });
    expect_refused([](GroupDesc& d) { d.columns.erase(d.columns.begin()); });  // drawn at `position`
    expect_refused([](GroupDesc& d) { d.drawing.as = DrawnAs::Triangles; });   // of which group?
    ColumnGroup group(cells());
    EXPECT_THROW(group.column("heat"), InputError);
    Frame frame = frame_with_cells(std::make_shared<const Scene>(make_scene(1)), 0, 2);
    frame.groups[0].column("corners")[4] = 0.5;
    std::vector<std::byte> bytes;
    EXPECT_THROW(encode_frame(frame, layout_of(frame, true), bytes), InputError);
}

TEST(Columns, LayoutsComeBackAsText) {
    Frame frame = frame_with_cells(std::make_shared<const Scene>(make_scene(1)), 0, 2);
    GroupDesc grid{"field",
                   "",
                   {DrawnAs::Grid, "", {2, 3, 4}, {1e-300, 0.1, -3}, {1, 2, 1.0 / 3}},
                   {scalar_column("density", "kg/m^3")}};
    GroupDesc surface{"skin", "", {DrawnAs::Triangles, "cells"}, {index_column("corners", 3)}};
    frame.groups.emplace_back(grid);
    frame.groups.emplace_back(surface);
    const FrameLayout layout = layout_of(frame, true, 7);
    const FrameLayout again = parse_layout(layout_text(layout), 7);
    EXPECT_EQ(again.groups, layout.groups);
    EXPECT_TRUE(fits(again, frame));
    frame.groups.pop_back();
    EXPECT_FALSE(fits(again, frame));
    EXPECT_FALSE(fits(layout_of(frame, true), frame_with_cells(frame.structure, 0, 1)));
    EXPECT_EQ(layout_of(frame, true).groups.size(), engine_groups().size() + 2);
    for (const char* bad :
         {"", "[", "{}", "[1]", "[{}]", R"([{"name":"cells","drawing":{"as":"nothing"},"columns":[]}])",
          R"([{"name":"cells","drawing":{"as":"dots"},"columns":[{}]}])"})
        EXPECT_THROW(parse_layout(bad, 1), FileError) << bad;
}

// Whatever byte is changed or missing: an error, or another number.
TEST(Columns, DamagedFramesAreReadOrRefused) {
    const auto structure = std::make_shared<const Scene>(make_scene(3, true));
    Frame frame = frame_with_cells(structure, 3, 2);
    frame.contacts = {{0, 1, 0, {1, 2, 3}, {0, 1, 0}, 0.01, {0, 3, 4}}};
    frame.events = {{EventKind::TouchBegin, 0, 1, kNoTimer}};
    frame.outcomes.resize(2);
    const FrameLayout layout = layout_of(frame, true, 1);
    const auto find = [&](std::uint32_t id) -> const FrameLayout& {
        if (id != 1) throw FileError("no such layout");
        return layout;
    };
    for (const bool quantised : {false, true}) {
        std::vector<std::byte> good;
        encode_frame(frame, layout, good, quantised, 1);
        EXPECT_NO_THROW(decode_frame(good, structure, find));
        int refused = 0;
        for (std::size_t k = 0; k < good.size(); ++k) {
            for (const int flip : {1, 0x80, 0xff}) {
                auto bad = good;
                bad[k] ^= static_cast<std::byte>(flip);
                try {
                    decode_frame(bad, structure, find);
                    column_bytes(bad, find);
                } catch (const FileError&) {
                    ++refused;
                }
            }
            EXPECT_THROW(decode_frame(std::span(good).first(k), structure, find), FileError) << k;
        }
        EXPECT_GT(refused, 60);
        good.push_back({});
        EXPECT_THROW(decode_frame(good, structure, find), FileError);
    }
}

// A file of the program before columns: what it exported then is what is exported now, letter by letter.
TEST(Columns, FramesOfVersion1AreReadAsBefore) {
    const TempFolder folder;
    const std::string old = in_project("tests/io/recording/data/version-1");
    const Recording recording(old + ".impuls");
    for (const Exporter& exporter : exporters())
        if (std::string(exporter.name) == "json") exporter.write(recording, folder / "now.json", {});
    EXPECT_EQ(text_of(folder / "now.json"), text_of(old + ".json"));
    EXPECT_EQ(recording.checkpoint_steps(), (std::vector<std::int64_t>{0, 40, 80}));
    EXPECT_NE(plot_svg(recording, {"contacts.depth.max", "energy.total"}), "");
    ASSERT_EQ(recording.column_bytes().size(), 1u);
    EXPECT_EQ(recording.column_bytes()[0].first, "frames of version 1");
}

TEST(Columns, FilesOfVersion1CanBeWrittenOn) {
    const TempFolder folder;
    const std::string file = folder / "old.impuls";
    std::filesystem::copy_file(in_project("tests/io/recording/data/version-1.impuls"), file);
    const Frame first = Recording(file).frame(0);
    {
        const auto recorder = Recorder::reopen(file);
        Frame more = first;
        more.step = 1000;
        recorder->add_frame(more);
        recorder->close();
    }
    const Recording recording(file);
    EXPECT_EQ(recording.frame(1000).positions, first.positions);
    EXPECT_EQ(recording.frame(0).positions, first.positions);
    EXPECT_EQ(recording.column_bytes().size() > 10, true);
}

TEST(Columns, BytesOfEachColumnAreCounted) {
    const Recorded made;
    std::map<std::string, std::uint64_t> bytes;
    for (const auto& [name, count] : Recording(made.file).column_bytes()) bytes[name] = count;
    EXPECT_EQ(bytes["bodies.position"], 5u * 3 * 24);
    EXPECT_EQ(bytes["bodies.orientation"], 5u * 3 * 32);
    EXPECT_EQ(bytes["bodies.asleep"], 5u * 3);
    EXPECT_EQ(bytes["cells.temperature"], (4u + 3 + 2 + 2) * 8);
    EXPECT_EQ(bytes["cells.corners"], (4u + 3 + 2 + 2) * 12);
}

}  // namespace
}  // namespace impuls::test
