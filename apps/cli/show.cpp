// `impuls show`: one picture of a whole simulation: moments one beside the other, and its energies below.
// A scene is run for it; a recording is read.
#include <cmath>
#include <filesystem>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/input_kind.h"
#include "cli/interrupt.h"
#include "cli/number_check.h"
#include "cli/output.h"
#include "cli/picture_options.h"
#include "cli/progress.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "impuls/quantity.h"
#include "impuls/recording.h"
#include "impuls/run.h"
#include "io/plot/plot.h"
#include "render/paint.h"
#include "render/picture.h"
#include "render/png.h"
#include "render/symbols.h"

namespace impuls::cli {
namespace {

constexpr int kCaption = 26, kTitle = 40, kPlotHeight = 300;  // px
constexpr std::int64_t kMostSamples = 400;                    // of the energies of a run

struct ShowOptions {
    SceneOptions scene{};
    std::string method{}, out{};
    int moments = 12, columns = 4;
    std::optional<double> at{};
    bool fit = false, no_plot = false, quiet = false, overwrite = false;
    std::vector<std::string> quantities{};
    PictureOptions picture{};
};

// What is drawn, wherever it comes from.
struct Moments {
    Scene scene{};
    std::vector<Frame> frames{};
    Figure plot{};
};

// Which of n + 1 equally long steps are shown: the first, the last, and between them evenly.
std::vector<std::int64_t> chosen(std::int64_t n, int moments) {
    std::vector<std::int64_t> steps;
    for (int k = 0; k < moments; ++k) {
        const double part = moments > 1 ? static_cast<double>(k) / (moments - 1) : 0;
        const auto step = static_cast<std::int64_t>(std::llround(part * static_cast<double>(n)));
        if (steps.empty() || step != steps.back()) steps.push_back(step);
    }
    return steps;
}

std::vector<std::string> plotted(const ShowOptions& o) {
    return o.quantities.empty()
               ? std::vector<std::string>{"energy.total", "energy.kinetic", "energy.potential"}
               : o.quantities;
}

Moments from_recording(const ShowOptions& o) {
    const Recording recording(o.scene.file);
    for (const std::string& warning : recording.file_warnings()) complain("warning: " + warning);
    const std::vector<std::int64_t> steps = recording.frame_steps();
    if (steps.empty()) throw InputError(fmt::format("{} holds no frames to show", o.scene.file));
    Moments out{recording.scene()};
    if (o.at) {
        const double dt = out.scene.settings.dt, end = static_cast<double>(steps.back()) * dt;
        if (*o.at > end + dt)
            throw InputError(fmt::format("--at {}: {} ends at {} s", *o.at, o.scene.file, end));
        const auto wanted = static_cast<std::int64_t>(std::llround(*o.at / dt));
        const auto nearer = [&](std::int64_t a, std::int64_t b) {
            return std::abs(a - wanted) < std::abs(b - wanted);
        };
        out.frames.push_back(recording.frame(*std::min_element(steps.begin(), steps.end(), nearer)));
    } else {
        for (const std::int64_t k : chosen(static_cast<std::int64_t>(steps.size()) - 1, o.moments))
            out.frames.push_back(recording.frame(steps[static_cast<std::size_t>(k)]));
    }
    if (!o.no_plot && !o.at) out.plot = plot_figure({{"", &recording}}, {plotted(o), " ", {}});
    return out;
}

// Follows a run: keeps the frames that are shown, and values for the plot.
class Follower {
  public:
    Follower(World& world, std::int64_t steps, const ShowOptions& o)
        : world_(world), wanted_(o.at ? std::vector{steps} : chosen(steps, o.moments)) {
        if (o.no_plot || o.at) return;
        every_ = std::max<std::int64_t>(1, steps / kMostSamples);
        const Frame& frame = world.frame();
        for (const std::string& name : plotted(o)) {
            quantities_.push_back(find_quantity(name, *frame.structure, frame.groups));
            for (const std::string& column : quantities_.back().columns)
                plot.curves.push_back({column, quantities_.back().unit, {}, {}});
        }
        plot.x_label = "time (s)";
    }
    void look() {
        const std::int64_t step = world_.steps();
        const bool is_shown = next_ < wanted_.size() && step >= wanted_[next_];
        const bool is_plotted = every_ > 0 && step % every_ == 0;
        if (!is_shown && !is_plotted) return;
        const Frame& frame = world_.frame();
        if (is_shown) frames.push_back(frame), ++next_;
        if (!is_plotted) return;
        std::size_t curve = 0;
        double values[3];
        for (const Quantity& quantity : quantities_) {
            quantity.read(frame, values);
            for (std::size_t c = 0; c < quantity.columns.size(); ++c, ++curve) {
                plot.curves[curve].x.push_back(frame.time);
                plot.curves[curve].y.push_back(values[c]);
            }
        }
    }
    // A run may end before the last moment, by `stop_when` or a failure: then its end is that.
    void finish() {
        if (next_ < wanted_.size()) frames.push_back(world_.frame()), next_ = wanted_.size();
    }
    std::vector<Frame> frames{};
    Figure plot{};

  private:
    World& world_;
    std::vector<std::int64_t> wanted_;
    std::vector<Quantity> quantities_{};
    std::size_t next_ = 0;
    std::int64_t every_ = 0;
};

Moments from_scene(const ShowOptions& o) {
    Moments out{o.scene.load(o.method)};
    World world(out.scene, o.scene.executor());
    world.interrupt_when(is_interrupted);
    const std::int64_t steps = o.at ? steps_to(world, *o.at) : steps_to_end(world);
    Follower follower(world, steps, o);
    follower.look();
    Progress progress(!o.quiet);
    RunOptions options;
    options.steps = steps;
    options.keep_samples = false;
    options.progress = [&](const World& w) {
        follower.look();
        if (progress.is_due())
            progress.draw(static_cast<double>(w.steps()) / static_cast<double>(steps), o.out);
        return !is_interrupted();
    };
    const RunSummary summary = run(world, options);
    throw_if_interrupted();
    if (!summary.status.ok) complain(fmt::format("the run stopped: {}", summary.status.message));
    follower.finish();
    out.frames = std::move(follower.frames);
    out.plot = std::move(follower.plot);
    return out;
}

Image sheet(const ShowOptions& o, Moments& moments, const Look& look) {
    const PictureSettings settings = o.picture.settings();
    const int count = static_cast<int>(moments.frames.size()), columns = std::min(o.columns, count);
    const int rows = (count + columns - 1) / columns;
    const int width = columns * settings.width, top = moments.scene.title.empty() ? 0 : kTitle;
    const int tiles = rows * (settings.height + kCaption);
    const bool has_plot = !moments.plot.curves.empty();
    Image plot;
    if (has_plot) {
        moments.plot.width = std::max(400, width);
        moments.plot.height = kPlotHeight;
        moments.plot.title.clear();
        plot = figure_image(moments.plot);
    }
    Image out(width, top + tiles + plot.height());
    if (top > 0)
        paint_text(out, {0.5 * width, 27}, moments.scene.title,
                   {18, {34, 34, 34}, Align::Middle, 0, true, false});
    for (int k = 0; k < count; ++k) {
        const Frame& frame = moments.frames[static_cast<std::size_t>(k)];
        const int x = k % columns * settings.width, y = top + k / columns * (settings.height + kCaption);
        out.paste(draw_picture(frame, look, settings), x, y);
        paint_text(out, {x + 0.5 * settings.width, y + settings.height + 17.0},
                   fmt::format("{:.4g} s", frame.time), {13, {34, 34, 34}, Align::Middle, 0, false, false});
    }
    out.paste(plot, 0, top + tiles);
    return out;
}

std::string default_name(const std::string& file) {
    return std::filesystem::path(file).stem().string() + ".png";
}

int show(ShowOptions o) {
    catch_interrupts();
    if (o.out.empty()) o.out = default_name(o.scene.file);
    if (std::filesystem::path(o.out).extension() != ".png")
        throw InputError(fmt::format("{}: pictures are written as .png (films: impuls export)", o.out));
    refuse_input(o.out, o.scene.file);
    const bool is_read = is_recording(o.scene.file);
    if (is_read && (!o.scene.set.empty() || o.scene.dt || !o.method.empty()))
        throw InputError("--set, --dt and --method belong to scenes; a recording is shown as it is");
    OutputFile file(o.out, existing_files(o.overwrite));
    Moments moments = is_read ? from_recording(o) : from_scene(o);
    const PictureSettings settings = o.picture.settings();
    if (o.fit) moments.scene.view.camera = moments.scene.view.target = std::nullopt;
    Aabb extent;
    for (const Frame& frame : moments.frames) grow_extent(extent, frame);
    if (!o.picture.no_joints)
        for (const Frame& frame : moments.frames) grow_extent_by_links(extent, frame);
    const double aspect = static_cast<double>(settings.width) / settings.height;
    const Look look = choose_look(moments.scene, finished_extent(extent), aspect);
    file.write(
        encode_png(o.at ? draw_picture(moments.frames.back(), look, settings) : sheet(o, moments, look)));
    file.finish();
    if (!o.quiet) print(fmt::format("wrote {}\n", o.out));
    return kOk;
}

std::function<int()> prepare_show(CLI::App& app) {
    const auto o = std::make_shared<ShowOptions>();
    o->scene.add_to(app);
    app.get_option("scene")->description("Scene or recording")->type_name("FILE");
    app.add_option("--method", o->method, "Method for a scene (see impuls list presets)")
        ->type_name("METHOD");
    app.add_option("--at", o->at, "A single picture, at this time")
        ->check(seconds_from(0))
        ->type_name("SECONDS");
    app.add_option("--moments", o->moments, "How many pictures, evenly over the time")
        ->capture_default_str()
        ->check(whole_number(1, 100))
        ->type_name("N");
    app.add_option("--columns", o->columns, "How many beside each other")
        ->capture_default_str()
        ->check(whole_number(1, 20))
        ->type_name("N");
    app.add_option("-q,--quantity", o->quantities, "What to plot instead of the energies; repeatable")
        ->type_name("NAME")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    app.add_flag("--fit", o->fit, "A camera that sees just the bodies, instead of the scene's");
    app.add_flag("--no-plot", o->no_plot, "Pictures alone");
    o->picture.add_to(app, 320, 240);
    app.add_option("-o,--output", o->out, "PNG file (default: the name of the file, with .png)")
        ->type_name("OUT");
    add_overwrite_option(app, o->overwrite);
    app.add_flag("--quiet", o->quiet, "Print nothing");
    return [o] { return show(*o); };
}

}  // namespace

Subcommand show_command() {
    return {"show", "Draw a scene or recording: moments and energies in one picture",
            "  impuls show scenes/examples/newtons-cradle.json -o cradle.png\n"
            "  impuls show tower.impuls --moments 6 --columns 3 --size 480x360 -o tower.png\n"
            "  impuls show tower.impuls --at 1.5 --size 1600x1200 -o moment.png",
            prepare_show};
}

}  // namespace impuls::cli
