// What is wrong with a motion (script.h): the degenerate cases of Erleben 2005, chapter 3 (points on one
// spot, times that do not increase, no direction to turn by), and values that are not finite.
#include <cmath>

#include "math/bspline.h"
#include "math/course.h"
#include "math/motion/arc_length.h"
#include "math/motion/script.h"

namespace impuls {
namespace {

class Checker {
  public:
    Checker(double duration, double steps, std::vector<ScriptProblem>& out)
        : duration_(duration), steps_(steps), out_(out) {}

    void operator()(const SplinePlace& d) {
        const std::size_t least = !d.through ? 4 : d.closed ? 3 : 2;
        if (d.closed && !d.through) say("/closed", "not for a B-spline of controls");
        if (d.points.size() < least)
            return say("/points", "at least " + std::to_string(least) + " are needed");
        const std::size_t count = d.points.size();
        for (std::size_t k = 0; k + 1 < count + (d.closed ? 1 : 0); ++k)
            if (d.through && d.points[k] == d.points[(k + 1) % count])
                return say("/points/" + std::to_string((k + 1) % count),
                           "is the same as the point before it");
        const ArcLength path(d.through ? Spline(d.points, d.closed, d.points.front())
                                       : Spline::of_controls(d.points, even_breaks(count)));
        if (!(path.total() > 0)) return say("/points", "are all on one spot");
        if (!path.stops().empty())
            say("/points",
                "make a cusp or stop, which no speed along the curve can pass: no three of them on "
                "one spot, none back where the curve came from");
        if (d.course.empty()) return;
        if (d.course.size() < 4) return say("/course", "at least 4 points are needed");
        for (std::size_t k = 1; k < d.course.size(); ++k)
            if (!(d.course[k].time > d.course[k - 1].time))
                say("/course/" + std::to_string(k) + "/time", "is not after the time before it");
    }
    void operator()(const KeyPlace& d) { keys(d.keys); }
    void operator()(const SplineTurn& d) { keys(d.keys); }
    void operator()(const KeyTurn& d) { keys(d.keys); }
    void operator()(const FormulaPlace& d) {
        course("/x", d.x);
        course("/y", d.y);
        course("/z", d.z);
    }
    void operator()(const FormulaTurn& d) {
        if (d.axis == Vec3{}) say("/axis", "has no direction");
        course("/angle", d.angle);
    }
    void operator()(const TablePlace& d) { table(d.times, d.positions.size(), "/positions"); }
    void operator()(const TableTurn& d) { table(d.times, d.orientations.size(), "/orientations"); }
    void operator()(const TangentTurn& d) {
        if (d.up == Vec3{}) say("/up", "has no direction");
    }
    void operator()(const LookAtTurn& d) {
        if (d.up == Vec3{}) say("/up", "has no direction");
    }

    std::string prefix{};

  private:
    void say(const std::string& path, const std::string& message) {
        out_.push_back({prefix + path, message});
    }
    template <class Keys>
    void keys(const Keys& list) {
        if (list.empty()) return say("/keys", "is empty");
        for (std::size_t k = 1; k < list.size(); ++k)
            if (!(list[k].time > list[k - 1].time))
                say("/keys/" + std::to_string(k) + "/time", "is not after the time before it");
    }
    void course(const char* at, const Course& c) {
        const CourseProblem problem = check_course(c, duration_, steps_, [](double x) {
            return std::isfinite(x) ? std::string() : std::string("is not finite");
        });
        if (!problem.message.empty()) say(at + problem.path, problem.message);
    }
    void table(const std::vector<double>& times, std::size_t count, const char* values) {
        if (times.empty()) return say("/times", "is empty");
        if (count != times.size()) return say(values, "is not as long as times");
        for (std::size_t k = 1; k < times.size(); ++k)
            if (!(times[k] > times[k - 1]))
                say("/times/" + std::to_string(k), "is not after the time before it");
    }

    double duration_, steps_;
    std::vector<ScriptProblem>& out_;
};

}  // namespace

std::vector<ScriptProblem> script_problems(const MotionDesc& motion, double duration, double steps) {
    std::vector<ScriptProblem> problems;
    Checker check(duration, steps, problems);
    if (!motion.place && !motion.turn) problems.push_back({"", "says neither place nor turn"});
    if (motion.place) {
        check.prefix = "/place";
        std::visit(check, *motion.place);
    }
    check.prefix = "/turn";
    if (motion.turn) std::visit(check, *motion.turn);
    if (motion.turn && !motion.place && std::holds_alternative<TangentTurn>(*motion.turn))
        problems.push_back({"/turn", "nothing moves along which it could turn: say place, too"});
    if (!problems.empty()) return problems;
    // The rest shows in what comes out.
    const Script script(motion, {});
    const double looks = std::min(std::max(1.0, steps), 1000.0);
    for (double k = 0; k <= looks; ++k) {
        const double t = motion.start + duration * k / looks;
        const Script::State s = script.at(t);
        const bool is_sound = is_finite(s.place.value) && is_finite(s.place.first) &&
                              is_finite(s.turn.rotation) && is_finite(s.turn.angular_velocity);
        if (is_sound) continue;
        problems.push_back({"", "is not finite at t = " + std::to_string(t - motion.start) + " s"});
        break;
    }
    return problems;
}

}  // namespace impuls
