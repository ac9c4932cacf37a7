// libFuzzer on everything that is read from a recording. Input that starts like an SQLite file is opened as a
// recording and read from end to end; other input is one entry of a recording, its first byte says which. Any
// bytes either read or throw FileError or InputError. With IMPULS_FUZZ_SEEDS=FOLDER it first writes seeds
// there.
#include <impuls/impuls.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "io/recording/frame_codec.h"
#include "io/recording/zstd.h"

namespace {

using Bytes = std::span<const std::byte>;

enum Entry : std::uint8_t { kFrame, kBlob, kCheckpoint, kCommand, kEntries };

impuls::Scene small_scene() {
    impuls::Scene scene;
    scene.bodies.push_back({.name = "ground", .kind = impuls::BodyKind::Static, .shape = impuls::Plane{}});
    scene.bodies.push_back({.name = "ball", .shape = impuls::Sphere{.radius = 0.5}, .position = {0, 0.5, 0}});
    scene.bodies.push_back({.name = "bob", .shape = impuls::Box{}, .position = {3, 5, 0}});
    scene.joints.push_back({.name = "pivot", .b = "bob", .joint = impuls::BallJoint{.anchor = {2, 5, 0}}});
    scene.measure.push_back({.quantity = "bodies.ball.position.y"});
    return scene;
}

std::string folder() {
    static const std::string path = [] {
        std::string name = (std::filesystem::temp_directory_path() / "impuls-fuzz-XXXXXX").string();
        return std::string(mkdtemp(name.data()) ? name : ".");
    }();
    return path;
}

// The file is new each time, so that no journal of an earlier input is read with it.
void read_recording(const std::string& bytes) {
    const std::string file = folder() + "/recording.impuls";
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(file + ending);
    std::ofstream(file, std::ios::binary) << bytes;

    const impuls::Recording recording(file);
    recording.all_meta();
    recording.scene();
    recording.hashes();
    recording.commands();
    for (const std::string& name : recording.sample_names()) recording.samples(name);
    for (const std::int64_t step : recording.checkpoint_steps()) recording.checkpoint(step);
    for (const std::int64_t step : recording.frame_steps()) recording.frame(step);
    recording.column_bytes();
}

// Frames of the seeds have contacts and a group of a program.
impuls::ColumnGroup small_group() {
    impuls::ColumnGroup group(
        {"cells", "", {}, {impuls::vector_column("position", "m"), impuls::index_column("corners", 3)}});
    group.resize(2);
    return group;
}

// The layout is part of the input where there is a zero behind it.
void read_frame(Bytes bytes, const std::shared_ptr<const impuls::Scene>& structure) {
    const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
    impuls::Frame frame;
    frame.groups.push_back(small_group());
    impuls::FrameLayout layout = impuls::layout_of(frame, true, 1);
    if (!bytes.empty() && bytes[0] == std::byte{'['} && end != bytes.end()) {
        const std::string text(reinterpret_cast<const char*>(bytes.data()),
                               static_cast<std::size_t>(end - bytes.begin()));
        layout = impuls::parse_layout(text, 1);
        bytes = bytes.subspan(text.size() + 1);
    }
    const auto find = [&](std::uint32_t) -> const impuls::FrameLayout& { return layout; };
    impuls::column_bytes(bytes, find);
    impuls::decode_frame(bytes, structure, find);
}

void read_entry(Entry entry, Bytes bytes) {
    static const auto structure = std::make_shared<const impuls::Scene>(impuls::expand(small_scene()));
    static impuls::World world(small_scene());
    switch (entry) {
        case kFrame:
            read_frame(bytes, structure);
            break;
        case kBlob:
            impuls::decompress(bytes, impuls::kDataLimit);
            break;
        case kCheckpoint:
            world.restore(bytes);
            break;
        default:
            impuls::parse_command({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
}

void write_seed(const std::string& file, Entry entry, Bytes bytes) {
    std::ofstream out(file, std::ios::binary);
    out.put(static_cast<char>(entry));
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void write_seeds(const std::string& to) {
    const impuls::Scene scene = small_scene();
    impuls::World world(scene);
    impuls::Recorder recorder(to + "/recording.impuls", scene, {.checkpoint_every = 5}, true);
    world.apply(impuls::SetForce{.body = "ball", .force = {1, 0, 0}});
    impuls::RunOptions options;
    options.steps = 12;
    options.recorder = &recorder;
    impuls::run(world, options);
    recorder.close();

    std::vector<std::byte> bytes;
    impuls::Frame frame = world.frame();
    frame.groups.push_back(small_group());
    const impuls::FrameLayout layout = impuls::layout_of(frame, true, 1);
    impuls::encode_frame(frame, layout, bytes);
    write_seed(to + "/frame", kFrame, bytes);
    const std::string text = impuls::layout_text(layout) + '\0';
    const auto with_text = std::as_bytes(std::span(text));
    impuls::encode_frame(frame, layout, bytes, true, 0.1);
    bytes.insert(bytes.begin(), with_text.begin(), with_text.end());
    write_seed(to + "/quantised", kFrame, bytes);
    write_seed(to + "/blob", kBlob, impuls::Compressor().compress(bytes, impuls::kDataLimit));
    write_seed(to + "/checkpoint", kCheckpoint, world.checkpoint());
    const std::string command = impuls::to_json(impuls::Command(impuls::SetForce{.body = "ball"}));
    write_seed(to + "/command", kCommand, std::as_bytes(std::span(command)));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
extern "C" int LLVMFuzzerInitialize(int*, char***) {
    if (const char* to = std::getenv("IMPULS_FUZZ_SEEDS")) write_seeds(to);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    try {
        if (data[0] == 'S') {
            read_recording(std::string(reinterpret_cast<const char*>(data), size));
        } else {
            read_entry(static_cast<Entry>(data[0] % kEntries), std::as_bytes(std::span(data + 1, size - 1)));
        }
    } catch (const impuls::InputError&) {
    } catch (const impuls::FileError&) {
    }
    return 0;
}
