// Record a bouncing ball, read the recording back, and go on from a checkpoint, bit for bit.
#include <impuls/impuls.h>

#include <cinttypes>
#include <cstdio>
#include <string>

using namespace impuls;

namespace {

Scene bouncing_ball() {
    // The same text could stand in a file: load_scene("ball.json").
    return parse_scene(R"({
        "impuls": 1,
        "settings": {"dt": 0.005, "duration": 2},
        "materials": [{"name": "rubber", "restitution": 0.8}],
        "bodies": [
            {"name": "ground", "kind": "static", "shape": {"type": "plane"}, "material": "rubber"},
            {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "material": "rubber", "position": [0, 1, 0]}
        ],
        "measure": [{"quantity": "bodies.ball.position.y"}]
    })");
}

}  // namespace

int main() {
    const Scene scene = bouncing_ball();
    World world(scene);
    {
        Recorder recorder("sample_03.impuls", scene, {.checkpoint_every = 100}, true);
        RunOptions options;
        options.recorder = &recorder;
        run(world, options);
        recorder.close();
    }

    // Everything can be read at random: frames, measurements, checkpoints.
    const Recording recording("sample_03.impuls");
    double highest_after_bounce = 0;
    bool has_bounced = false;
    for (const Recording::Sample& sample : recording.samples("bodies.ball.position.y")) {
        has_bounced |= sample.value < 0.15;
        if (has_bounced && sample.value > highest_after_bounce) highest_after_bounce = sample.value;
    }
    // A drop from h (centre 0.1 above the ground when touching) rises to e^2 h = 0.64 * 0.9.
    std::printf("bounces back to %.3f m, expected about %.3f m\n", highest_after_bounce, 0.1 + 0.64 * 0.9);
    if (highest_after_bounce < 0.65 || highest_after_bounce > 0.70) return 1;

    const Frame frame = recording.frame(200);
    std::printf("frame of step %lld: t = %.3f s, E = %.4f J, %zu contacts\n",
                static_cast<long long>(frame.step), frame.time, frame.energy.total, frame.contacts.size());

    // A new world, taken to a checkpoint in the middle, ends in the very same state.
    World second(recording.scene());
    second.restore(recording.checkpoint(200));
    while (second.steps() < world.steps()) second.step();
    std::printf("state hash %016" PRIx64 ", from the checkpoint %016" PRIx64 "\n", world.state_hash(),
                second.state_hash());
    return second.state_hash() == world.state_hash() ? 0 : 1;
}
