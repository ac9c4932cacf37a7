// Who advances which island (steppers/choose.cpp): each line of the table there, with the reasons of those
// who were asked before; and that a stepper which refuses leaves the island as it was.
#include "steppers/choose.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "hand_made.h"
#include "support/places.h"

namespace impuls {
namespace {

using Reasons = std::array<Refusal, kIslandSteppers>;

// An island in a workspace.
struct Chosen : HandMade {
    Workspace workspace{};

    explicit Chosen(const std::string& name = "default") : HandMade(name) {}
    Chosen& rests() {
        add_ground();
        add(resting_box());
        return *this;
    }
    // A rod that hangs from the origin, level.
    Chosen& hangs(const Joint& joint = BallJoint{}, bool collides = false) {
        BodyDesc rod = some_body(Box{{0.5, 0.1, 0.2}}, {0.25, 0, 0});
        rod.collides = collides;
        hold(kNoBody, add(rod), joint);
        return *this;
    }
    void gather_chosen() {
        prepare();
        ASSERT_EQ(groups.size(), 1u);
        gather(view(), groups, 0, node_of, workspace.island);
    }
    Outcome choose() {
        gather_chosen();
        return advance_island(view(), workspace);
    }
};

void expect_chosen(Chosen& chosen, IslandStepper stepper, const Reasons& reasons) {
    const Outcome outcome = chosen.choose();
    EXPECT_EQ(outcome.stepper, stepper) << method_text(chosen.method);
    EXPECT_EQ(outcome.refused, reasons) << method_text(chosen.method);
    EXPECT_EQ(outcome.bodies, chosen.workspace.island.dynamic_count);
    EXPECT_EQ(outcome.first_body, chosen.workspace.island.nodes[0].body);
    EXPECT_GT(outcome.substeps, 0u);
    EXPECT_EQ(chosen.workspace.results.failure, "");
}

constexpr Refusal kTaken = Refusal::None;

TEST(Choose, articulated_takes_joints_alone) {
    for (const char* name : {"default", "accurate", "fast"}) {
        Chosen chosen(name);
        expect_chosen(chosen.hangs(), IslandStepper::Articulated, {});
    }
}

TEST(Choose, blocks_take_what_touches) {
    Chosen by_method("fast");
    expect_chosen(by_method.rests(), IslandStepper::Blocks, {Refusal::HasNoJoints, kTaken});
    Chosen by_number("default+blocks_from=1");
    expect_chosen(by_number.rests(), IslandStepper::Blocks, {Refusal::HasNoJoints, kTaken});
    Chosen with_joint("fast");
    with_joint.rests().hold(kNoBody, 1, BallJoint{{0, 1, 0}});
    expect_chosen(with_joint, IslandStepper::Blocks, {Refusal::HasPairs, kTaken});
}

TEST(Choose, velocity_takes_all_of_its_method) {
    Chosen contact("erleben"), joint("erleben");
    const Reasons reasons{Refusal::NotSelected, Refusal::NotSelected, kTaken};
    expect_chosen(contact.rests(), IslandStepper::Velocity, reasons);
    expect_chosen(joint.hangs(), IslandStepper::Velocity, reasons);
}

TEST(Choose, force_takes_what_it_can_express) {
    Chosen contact("aero"), joint("aero"), rolling("aero");
    Reasons reasons{Refusal::NotSelected, Refusal::NotSelected, Refusal::NotSelected};
    expect_chosen(contact.rests(), IslandStepper::ForceLevel, reasons);
    expect_chosen(joint.hangs(), IslandStepper::ForceLevel, reasons);
    rolling.material().rolling_friction = 0.01;
    reasons[static_cast<std::size_t>(IslandStepper::ForceLevel)] = Refusal::ContactLaw;
    reasons[static_cast<std::size_t>(IslandStepper::Strips)] = Refusal::NotSelected;
    expect_chosen(rolling.rests(), IslandStepper::Impulse, reasons);
}

TEST(Choose, impulse_takes_the_rest) {
    const auto expect = [](Chosen& chosen, Refusal articulated, Refusal blocks) {
        const Refusal strips =
            chosen.method.is<BlocksMethod>() ? Refusal::HasNoParticles : Refusal::NotSelected;
        expect_chosen(chosen, IslandStepper::Impulse,
                      {articulated, blocks, Refusal::NotSelected, kTaken, Refusal::NotSelected, strips});
    };
    Chosen small("default"), never("accurate");
    expect(small.rests(), Refusal::HasNoJoints, Refusal::TooSmall);
    expect(never.rests(), Refusal::HasNoJoints, Refusal::NotSelected);

    Chosen off("accurate+articulated=off"), off_by_blocks("fast+articulated=off");
    expect(off.hangs(), Refusal::NotSelected, Refusal::NotSelected);
    expect(off_by_blocks.hangs(), Refusal::NotSelected, Refusal::HasNoPairs);
    Chosen both("default+blocks_from=1");
    both.rests().hold(kNoBody, 1, BallJoint{{0, 1, 0}});
    expect(both, Refusal::HasPairs, Refusal::HasJoints);

    HingeJoint limited{{}, {0, 0, 1}};
    limited.turn.lower = -1;
    Chosen law("default");
    expect(law.hangs(limited), Refusal::JointLaw, Refusal::TooSmall);
    Chosen point("default");
    point.hangs();
    point.bodies.inv_inertia.set(0, {}), point.bodies.inertia.set(0, {});
    expect(point, Refusal::CannotTurn, Refusal::TooSmall);

    Chosen rolling("fast"), pyramid("fast+friction=pyramid"), poisson("fast");
    rolling.material().rolling_friction = 0.01;
    expect(rolling.rests(), Refusal::HasNoJoints, Refusal::ContactLaw);
    expect(pyramid.rests(), Refusal::HasNoJoints, Refusal::FrictionModel);
    ContactDesc contact;
    contact.a = contact.b = "m";
    contact.restitution = 0.5;
    contact.restitution_law = RestitutionLaw::Poisson;
    poisson.structure.contacts.push_back(contact);
    expect(poisson.rests(), Refusal::HasNoJoints, Refusal::ContactLaw);
    Chosen bouncing("fast");
    limited.anchor = {0, 0.5, 0};
    limited.turn.restitution = 0.5;
    bouncing.rests().hold(kNoBody, 1, limited);
    expect(bouncing, Refusal::HasPairs, Refusal::JointLaw);
}

// What a stepper does not take after it has tried gets to the impulse stepper as it was: that one does the
// same to it, bit for bit, without anybody before.
template <class Make>
void expect_left_alone(Make&& make, Refusal articulated, Refusal blocks) {
    Chosen tried, fresh;
    for (Chosen* chosen : {&tried, &fresh}) {
        make(*chosen);
        chosen->gather_chosen();
    }
    expect_same(tried.workspace.island, fresh.workspace.island);
    const Outcome outcome = advance_island(tried.view(), tried.workspace);
    EXPECT_EQ(outcome.stepper, IslandStepper::Impulse);
    EXPECT_EQ(outcome.refused,
              (Reasons{articulated, blocks, Refusal::NotSelected, kTaken, Refusal::NotSelected,
                       tried.method.is<BlocksMethod>() ? Refusal::HasNoParticles : Refusal::NotSelected}));
    Outcome alone;
    impulse::advance(fresh.view(), fresh.workspace.island, fresh.workspace.impulse, fresh.workspace.results,
                     alone);
    expect_same(tried.workspace.island, fresh.workspace.island);
    EXPECT_EQ(outcome.substeps, alone.substeps);
    EXPECT_EQ(outcome.iterations, alone.iterations);
    EXPECT_EQ(outcome.retries, alone.retries);
    EXPECT_EQ(outcome.residual, alone.residual);
    EXPECT_EQ(outcome.energy_removed, alone.energy_removed);
    EXPECT_EQ(tried.workspace.results.failure, fresh.workspace.results.failure);
    const auto &contacts = tried.workspace.results.contacts, &expected = fresh.workspace.results.contacts;
    ASSERT_EQ(contacts.pair, expected.pair);
    for (std::size_t k = 0; k < expected.point.size(); ++k) {
        EXPECT_EQ(contacts.point[k].position, expected.point[k].position);
        EXPECT_EQ(contacts.point[k].sum, expected.point[k].sum);
    }
}

void set_method(Chosen& chosen, const char* name) {
    chosen.method = resolve(parse_method(name));
}

TEST(Choose, articulated_leaves_what_it_tried_as_it_was) {
    // Open by two thousandths of a metre.
    expect_left_alone(
        [](Chosen& chosen) {
            set_method(chosen, "default");
            chosen.hangs();
            chosen.bodies.pose[0].position.x += 2e-3;
        },
        Refusal::JointsOpen, Refusal::TooSmall);
    // Five rows each, of which five are a tree's.
    expect_left_alone(
        [](Chosen& chosen) {
            set_method(chosen, "default");
            chosen.hangs(HingeJoint{{}, {0, 0, 1}});
            for (int k = 1; k < 14; ++k) chosen.hold(kNoBody, 0, HingeJoint{{0, 0, 0.01 * k}, {0, 0, 1}});
        },
        Refusal::TooManyLoops, Refusal::TooSmall);
    // The other end is torn away.
    expect_left_alone(
        [](Chosen& chosen) {
            set_method(chosen, "default");
            BodyDesc rod = some_body(Box{{0.5, 0.1, 0.2}}, {0.75, 0, 0}, {1e6, 0, 0});
            rod.kind = BodyKind::Kinematic;
            rod.collides = false;
            chosen.hangs();
            chosen.hold(0, chosen.add(rod), BallJoint{{0.5, 0, 0}});
        },
        Refusal::NotConverged, Refusal::TooSmall);
}

TEST(Choose, blocks_leave_what_they_tried_as_it_was) {
    expect_left_alone(
        [](Chosen& chosen) {
            set_method(chosen, "fast");
            chosen.add_ground();
            chosen.add(some_body(Sphere{0.05}, {0, 0.1, 0}, {1000, 0, 0}));
        },
        Refusal::HasNoJoints, Refusal::TooFast);
}

// One blank for many, and none at the ends.
std::string squeezed(const std::string& text) {
    std::istringstream in(text);
    std::string out, word;
    while (in >> word) out += (out.empty() ? "" : " ") + word;
    return out;
}

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream in(in_project(path));
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

struct TableRow {
    std::string stepper, takes, refuses = "none";
};

// "//     name   takes    ...", "//    refuses  ...", each going on in lines that begin below its text.
std::vector<TableRow> table_in_code() {
    std::vector<TableRow> rows;
    std::string* cell = nullptr;
    for (const std::string& line : lines_of("src/steppers/choose.cpp")) {
        if (line.rfind("//", 0) != 0) break;
        std::istringstream words(line.substr(2));
        std::string first, second;
        words >> first >> second;
        const bool is_row = line.rfind("//     ", 0) == 0 && line.size() > 7 && line[7] != ' ';
        if (is_row && second == "takes") {
            rows.push_back({first, line.substr(line.find(" takes ") + 7)});
            cell = &rows.back().takes;
        } else if (cell && first == "refuses") {
            rows.back().refuses = line.substr(line.find(" refuses ") + 9);
            cell = &rows.back().refuses;
        } else if (cell && !first.empty()) {
            *cell += " " + line.substr(2);
        } else {
            cell = nullptr;
        }
    }
    for (TableRow& row : rows) row = {row.stepper, squeezed(row.takes), squeezed(row.refuses)};
    return rows;
}

// "| `name` (link) | takes | refuses |", up to the end of the first table.
std::vector<TableRow> table_in_manual() {
    std::vector<TableRow> rows;
    for (const std::string& line : lines_of("docs/internals/steppers.md")) {
        if (line.rfind("| `", 0) != 0) {
            if (!rows.empty()) break;
            continue;
        }
        std::istringstream in(line.substr(1));
        std::string name, takes, refuses;
        std::getline(in, name, '|');
        std::getline(in, takes, '|');
        std::getline(in, refuses, '|');
        rows.push_back({name.substr(2, name.find('`', 2) - 2), squeezed(takes), squeezed(refuses)});
    }
    return rows;
}

TEST(Choose, the_manual_has_the_table) {
    const std::vector<TableRow> code = table_in_code(), manual = table_in_manual();
    ASSERT_EQ(code.size(), static_cast<std::size_t>(kIslandSteppers));
    ASSERT_EQ(manual.size(), code.size());
    for (std::size_t k = 0; k < code.size(); ++k) {
        EXPECT_EQ(manual[k].stepper, code[k].stepper);
        EXPECT_EQ(manual[k].takes, code[k].takes) << code[k].stepper;
        EXPECT_EQ(manual[k].refuses, code[k].refuses) << code[k].stepper;
    }
}

}  // namespace
}  // namespace impuls
