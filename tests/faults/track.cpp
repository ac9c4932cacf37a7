// Runs a scene and keeps what laws ask for (track.h).
#include "faults/track.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/energy_gain.h"
#include "faults/drives.h"
#include "impuls/quantity.h"

namespace impuls::faults {

namespace {

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool is_still(const Frame& frame) {
    for (std::size_t k = 0; k < frame.velocities.size(); ++k)
        if (length_squared(frame.velocities[k]) + length_squared(frame.angular_velocities[k]) != 0)
            return false;
    return true;
}

struct Column {
    Quantity quantity;
    std::vector<double>* values;
};

void sample(const Frame& frame, std::vector<Column>& columns) {
    for (Column& column : columns) {
        double value = 0;
        column.quantity.read(frame, &value);
        column.values->push_back(value);
    }
}

}  // namespace

double Track::at(const std::string& quantity, double time) const {
    const std::vector<double>& values = column(quantity);
    std::size_t best = 0;
    for (std::size_t k = 0; k < times.size(); ++k)
        if (std::abs(times[k] - time) < std::abs(times[best] - time)) best = k;
    return values[best];
}

double Track::largest(const std::string& quantity) const {
    double most = 0;
    for (const double value : column(quantity))
        if (!(std::abs(value) <= most)) most = std::abs(value);
    return most;
}

Track follow(const Scene& scene, double seconds, const std::vector<std::string>& quantities) {
    Track track;
    try {
        World world(scene);
        std::vector<Column> columns;
        std::vector<std::string> names(std::begin(kAlways), std::end(kAlways));
        names.insert(names.end(), quantities.begin(), quantities.end());
        for (const std::string& name : names)
            columns.push_back({find_quantity(name, *world.structure()), &track.columns[name]});
        EnergyGain gain(lifting_energy(world));
        Drives drives(world.frame());
        const auto note = [&] {
            const Frame& frame = world.frame();
            track.times.push_back(frame.time);
            sample(frame, columns);
            gain.note(frame.energy, drives.work(frame));
        };
        note();
        while (world.time() < seconds - 0.5 * world.dt()) {
            const double before = cpu_seconds();
            const StepStatus status = world.step();
            track.longest_step = std::max(track.longest_step, cpu_seconds() - before);
            if (!status.ok) {
                track.failure = status.message;
                break;
            }
            note();
            track.still += is_still(world.frame());
        }
        track.gain = gain.largest();
    } catch (const InputError& error) {
        track.refusal = error.what();
    }
    return track;
}

}  // namespace impuls::faults
