// What a frame holds beside its bodies and can be drawn, as blocks of numbers for the page. Groups are known
// by their columns alone, whoever made them:
//
//     position, orientation, kind (and size)    poses      f32 x 3 place, f32 size, i16 x 4 rotation, u32
//     kind: 28 bytes position                                  points     f32 x 3 corner_1, corner_2,
//     corner_3              triangles  f32 x 9, f32 the group's first number: 40 bytes corners (entries of
//     the group it names)   triangles  likewise
//
// Each block: u8 what, u8 bytes of the group's name, u16 0, u32 entries; the name, up to a multiple of 4; the
// entries. Called by packets.
#pragma once

#include <cstdint>
#include <string>

#include "impuls/frame.h"
#include "scene/frame_groups.h"

namespace impuls::studio {

enum class BlockKind : std::uint8_t { Points = 1, Poses = 2, Triangles = 3 };

// What the colours of a group of triangles mean; nullptr: it is none.
const ColumnDesc* number_of_triangles(const FrameGroup& group);

// Empty groups make no block.
void append_matter(const Frame& frame, std::string& out);

}  // namespace impuls::studio
