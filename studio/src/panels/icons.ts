// Pictures of shapes; one that is new gets a common one.
import Box from "@lucide/svelte/icons/box";
import Circle from "@lucide/svelte/icons/circle";
import Cone from "@lucide/svelte/icons/cone";
import CircleDot from "@lucide/svelte/icons/circle-dot";
import Cylinder from "@lucide/svelte/icons/cylinder";
import Dot from "@lucide/svelte/icons/dot";
import Egg from "@lucide/svelte/icons/egg";
import Filter from "@lucide/svelte/icons/funnel";
import Gem from "@lucide/svelte/icons/gem";
import Group from "@lucide/svelte/icons/group";
import Mountain from "@lucide/svelte/icons/mountain";
import Pill from "@lucide/svelte/icons/pill";
import Soup from "@lucide/svelte/icons/soup";
import Square from "@lucide/svelte/icons/square";
import Torus from "@lucide/svelte/icons/torus";
import Triangle from "@lucide/svelte/icons/triangle";

const icons: { [type: string]: typeof Box } = {
    sphere: Circle,
    ellipsoid: Egg,
    box: Box,
    cylinder: Cylinder,
    cone: Cone,
    capsule: Pill,
    plane: Square,
    point: Dot,
    compound: Group,
    height_field: Mountain,
    mesh: Triangle,
    tube: CircleDot,
    bowl: Soup,
    funnel: Filter,
    torus: Torus,
};
export const shapeIcon = (type: string) => icons[type] ?? Gem;
