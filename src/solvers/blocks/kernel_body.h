// The code of a Kernel (kernel.h), in an unnamed namespace: included once by each of its versions.
// It calls nothing of the standard library, so that no function compiled for newer processors is shared with
// older ones.
#pragma once

#include "solvers/blocks/impact_body.h"
#include "solvers/blocks/kernel.h"
#include "solvers/blocks/lanes.h"
#include "solvers/blocks/rows_body.h"

namespace impuls::block {
namespace {

template <class B>
void prepare(B* batches, std::size_t count, const Body* bodies, const Octet* given) {
    for (std::size_t k = 0; k < count; ++k) prepare_batch(batches[k], bodies, given);
}
template <class B>
void apply(const B* batches, std::size_t count, Motion* motion) {
    for (std::size_t k = 0; k < count; ++k) apply_batch(batches[k], motion);
}
template <bool kRelax, class B>
void sweep(B* batches, std::size_t count, const Pass& pass) {
    for (std::size_t k = 0; k < count; ++k) solve_batch<kRelax>(batches[k], pass);
}
template <class B>
bool has_excess(const B* batches, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
        if (any(is_excessive(batches[k]))) return true;
    return false;
}
template <class B>
void correct(B* batches, std::size_t count, Motion* by, float part) {
    for (std::size_t k = 0; k < count; ++k) correct_batch(batches[k], by, part);
}

template <class B>
void hand_out(const B* batches, std::size_t count, Octet* results) {
    for (std::size_t k = 0; k < count; ++k) leave_results(batches[k], results);
}

void extrapolate(Motion* motion, Motion* start, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        const Lanes now = record(motion[k]), before = record(start[k]);
        record(motion[k]) = now + (now - before);
        record(start[k]) = now;
    }
}
void advance(Motion* moved, const Motion* motion, std::size_t count, float h) {
    for (std::size_t k = 0; k < count; ++k) record(moved[k]) = record(moved[k]) + record(motion[k]) * all(h);
}

template <class B>
constexpr ContactKernel<B> make_contact_kernel() {
    return {prepare<B>,  apply<B>,        sweep<false, B>, sweep<true, B>, has_excess<B>, correct<B>,
            hand_out<B>, find_impacts<B>, compress<B>,     give_back<B>,   measure<B>,    rub_struck<B>};
}
constexpr Kernel make_kernel() {
    return {make_contact_kernel<RoundBatch>(),
            make_contact_kernel<Batch<1>>(),
            make_contact_kernel<Batch<4>>(),
            extrapolate,
            advance,
            make_row_kernel()};
}

}  // namespace
}  // namespace impuls::block
