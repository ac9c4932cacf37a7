// Frames and surfaces as bytes (packets.h).
#include "studio/packets.h"

#include "impuls/scene.h"
#include "studio/columns.h"
#include "studio/matter.h"
#include "studio/put.h"

namespace impuls::studio {
namespace {

constexpr std::uint8_t kVersion = 1;

void put_header(std::string& out, PacketKind kind, std::uint16_t flags, std::uint32_t structure,
                std::size_t index, std::size_t n, std::size_t m, std::int64_t step, double time) {
    put(out, static_cast<std::uint8_t>(kind));
    put(out, kVersion);
    put(out, flags);
    put(out, structure);
    put(out, static_cast<std::uint32_t>(index));
    put(out, static_cast<std::uint32_t>(n));
    put(out, static_cast<std::uint32_t>(m));
    put(out, static_cast<std::uint32_t>(step));
    put(out, time);
}

}  // namespace

std::string frame_packet(const Frame& frame, const FramePlace& place) {
    const std::size_t contacts = place.has_contacts ? frame.contacts.size() : 0;
    std::string out;
    out.reserve(64 + frame.positions.size() * 20 + contacts * 40);
    int width = 0;
    for (const int column : place.columns) width += body_columns()[static_cast<std::size_t>(column)].parts;
    const int flags = (place.is_live ? kLive : 0) | (place.is_ghost ? kGhost : 0) | (width << 8);
    put_header(out, PacketKind::Frame, static_cast<std::uint16_t>(flags), place.structure, place.index,
               frame.positions.size(), contacts, frame.step, frame.time);
    for (std::size_t k = 0; k < frame.positions.size(); ++k) {
        put_vector(out, frame.positions[k]);
        const Quat& q = frame.orientations[k];
        for (const double part : {q.w, q.x, q.y, q.z}) put_unit(out, part);
    }
    for (std::size_t k = 0; k < contacts; ++k) {
        const Contact& contact = frame.contacts[k];
        put_vector(out, contact.point);
        put_vector(out, contact.normal);
        put(out, static_cast<float>(dot(contact.force, contact.normal)));
        put_vector(out, contact.force);
    }
    while (out.size() % 8 != 0) out.push_back('\0');
    for (const double energy : {frame.energy.kinetic, frame.energy.potential, frame.energy.total})
        put(out, energy);
    std::vector<float> numbers;
    for (const int column : place.columns) read_body_column(frame, column, numbers);
    for (const float number : numbers) put(out, number);
    append_matter(frame, out);
    return out;
}

std::string surface_packet(const TriangleMesh& mesh, std::uint32_t structure, std::size_t number) {
    std::string out;
    put_header(out, PacketKind::Surface, 0, structure, number, mesh.vertices.size(), mesh.triangles.size(), 0,
               0);
    for (const Vec3& v : mesh.vertices) put_vector(out, v);
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle) put(out, corner);
    return out;
}

}  // namespace impuls::studio
