// Kinds of nodes and edges of the contact graph, and which nodes may be joined (Erleben 2005, section 5.1,
// tables 5.1 and 5.2). Pairs without an entry never interact: fixed-fixed, fixed-scripted,
// scripted-scripted, trigger-trigger, anything with a timer. Used by contact_graph.h and by the world.
#pragma once

#include <cstdint>

namespace impuls {

enum class NodeKind : std::uint8_t {
    Rigid,      // moved by forces: a body, or a range of particles as one
    Fixed,      // never moves
    Scripted,   // moved by its own velocity
    Link,       // moved by forces and held by joints
    Composite,  // container of rigid bodies
    Multibody,  // container of links
    Trigger,    // a volume that reports and does not push
    Rule,       // keeps its members from interacting with each other
    Timer       // ticks
};
inline constexpr int kNodeKinds = 9;

enum class EdgeKind : std::uint8_t {
    None,         // not permitted
    Logical,      // static: membership of a rule
    Structural,   // static: membership of a container
    Geometrical,  // dynamic: with a trigger
    Physical      // dynamic: may carry contacts
};

namespace detail {
inline constexpr EdgeKind o = EdgeKind::None, l = EdgeKind::Logical, s = EdgeKind::Structural,
                          g = EdgeKind::Geometrical, p = EdgeKind::Physical;
}

// clang-format off
inline constexpr EdgeKind kPermitted[kNodeKinds][kNodeKinds] = {
    //                rigid      fixed      scripted   link       composite  multibody  trigger    rule       timer
    /* rigid     */ { detail::p, detail::p, detail::p, detail::p, detail::s, detail::o, detail::g, detail::l, detail::o },
    /* fixed     */ { detail::p, detail::o, detail::o, detail::p, detail::o, detail::o, detail::g, detail::l, detail::o },
    /* scripted  */ { detail::p, detail::o, detail::o, detail::p, detail::o, detail::o, detail::g, detail::l, detail::o },
    /* link      */ { detail::p, detail::p, detail::p, detail::p, detail::o, detail::s, detail::g, detail::l, detail::o },
    /* composite */ { detail::s, detail::o, detail::o, detail::o, detail::o, detail::o, detail::o, detail::o, detail::o },
    /* multibody */ { detail::o, detail::o, detail::o, detail::s, detail::o, detail::o, detail::o, detail::o, detail::o },
    /* trigger   */ { detail::g, detail::g, detail::g, detail::g, detail::o, detail::o, detail::o, detail::o, detail::o },
    /* rule      */ { detail::l, detail::l, detail::l, detail::l, detail::o, detail::o, detail::o, detail::o, detail::o },
    /* timer     */ { detail::o, detail::o, detail::o, detail::o, detail::o, detail::o, detail::o, detail::o, detail::o },
};
// clang-format on

constexpr EdgeKind edge_kind(NodeKind a, NodeKind b) {
    return kPermitted[static_cast<int>(a)][static_cast<int>(b)];
}

// Static edges are made by the user and stay; dynamic ones come and go with the broad phase.
constexpr bool is_static(EdgeKind kind) {
    return kind == EdgeKind::Logical || kind == EdgeKind::Structural;
}

}  // namespace impuls
