// Frames and surfaces as the page reads them: little-endian numbers behind a header of 32 bytes, which fit
// into typed arrays as they are. studio/src/protocol/packets.ts reads what is written here.
//
//     header   u8 kind, u8 version, u16 flags, u32 structure, u32 index, u32 n, u32 m, u32 step, f64 time
//     frame    n bodies: f32 x 3 position, i16 x 4 rotation (w, x, y, z; 32767 is 1): 20 bytes;
//              m contacts: f32 x 3 point, f32 x 3 normal, f32 force along it, f32 x 3 whole force: 40 bytes;
//              f64 x 3: kinetic, potential, total energy (after padding to 8 bytes);
//              f32 x n x w: the columns that the page watches, one after the other (w: flags >> 8);
//              blocks of what else is to be drawn (matter.h)
//     surface  n vertices: f32 x 3; m triangles: u32 x 3; `index` is its number in the structure
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/triangles.h"
#include "impuls/frame.h"

namespace impuls::studio {

enum class PacketKind : std::uint8_t { Frame = 1, Surface = 2 };

inline constexpr std::uint16_t kLive = 1;   // flag: as it was made, not on request
inline constexpr std::uint16_t kGhost = 2;  // flag: of another branch, to be compared

struct FramePlace {
    std::uint32_t structure = 0;
    std::size_t index = 0;
    bool is_live = false;
    bool has_contacts = false;   // else m is 0
    std::vector<int> columns{};  // columns.h
    bool is_ghost = false;
};
std::string frame_packet(const Frame& frame, const FramePlace& place);
std::string surface_packet(const TriangleMesh& mesh, std::uint32_t structure, std::size_t number);

}  // namespace impuls::studio
