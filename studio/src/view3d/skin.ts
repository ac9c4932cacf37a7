// The surface of a body that is made of particles, as a frame has them: its triangles, or a prism along each link, or an
// octahedron at each particle.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Vector3, type Box3 } from "three";
import { numbersOf, type FramePacket } from "../protocol/packets";
import type { ParticlesInfo } from "../protocol/types";

const kSides = 6; // of a prism
const kFaces = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5]; // of an octahedron

export class Skin {
    readonly geometry = new BufferGeometry();
    readonly count: number;
    private places: BufferAttribute;

    // `first` of the frame's particles is its own.
    constructor(
        private info: ParticlesInfo,
        private first: number,
    ) {
        this.count = info.count;
        const { triangles, links, count } = info;
        const corners = triangles.length > 0 ? count : links.length > 0 ? links.length * kSides : count * 6;
        this.places = new BufferAttribute(new Float32Array(3 * corners), 3).setUsage(DynamicDrawUsage);
        this.geometry.setAttribute("position", this.places);
        this.geometry.setIndex(triangles.length > 0 ? triangles : links.length > 0 ? this.prisms() : this.octahedra());
    }

    private prisms(): number[] {
        const faces: number[] = [];
        for (let link = 0; link < this.info.links.length / 2; ++link) {
            const base = 2 * kSides * link;
            for (let k = 0; k < kSides; ++k) {
                const [a, b] = [base + k, base + ((k + 1) % kSides)];
                faces.push(a, b, a + kSides, b, b + kSides, a + kSides);
            }
        }
        return faces;
    }
    private octahedra(): number[] {
        return [...Array(this.count).keys()].flatMap((k) => kFaces.map((corner) => 6 * k + corner));
    }

    // All points of the frame; a frame that has too few of them changes nothing.
    set(points: Float32Array): void {
        if (points.length < 3 * (this.first + this.count)) return;
        const own = points.subarray(3 * this.first, 3 * (this.first + this.count));
        const out = this.places.array as Float32Array;
        if (this.info.triangles.length > 0) out.set(own);
        else if (this.info.links.length > 0) this.setPrisms(own, out);
        else this.setOctahedra(own, out);
        this.places.needsUpdate = true;
        this.geometry.computeVertexNormals();
        this.geometry.boundingSphere = null;
        this.geometry.boundingBox = null;
    }

    private setPrisms(own: Float32Array, out: Float32Array): void {
        const { links, radius } = this.info;
        const [from, to, along, side, other] = [new Vector3(), new Vector3(), new Vector3(), new Vector3(), new Vector3()];
        for (let link = 0; link < links.length / 2; ++link) {
            from.fromArray(own, 3 * (links[2 * link] ?? 0));
            to.fromArray(own, 3 * (links[2 * link + 1] ?? 0));
            along.subVectors(to, from).normalize();
            // Across the link, and never near to it.
            side.set(0, 0, 0).setComponent(Math.abs(along.x) < 0.7 ? 0 : 1, 1);
            side.cross(along).normalize().multiplyScalar(radius);
            other.crossVectors(along, side);
            for (let k = 0; k < kSides; ++k) {
                const angle = (2 * Math.PI * k) / kSides;
                const [c, s] = [Math.cos(angle), Math.sin(angle)];
                [from, to].forEach((end, e) => {
                    const at = 3 * (2 * kSides * link + kSides * e + k);
                    out[at] = end.x + c * side.x + s * other.x;
                    out[at + 1] = end.y + c * side.y + s * other.y;
                    out[at + 2] = end.z + c * side.z + s * other.z;
                });
            }
        }
    }
    private setOctahedra(own: Float32Array, out: Float32Array): void {
        for (let k = 0; k < this.count; ++k) {
            for (let corner = 0; corner < 6; ++corner) {
                for (let i = 0; i < 3; ++i) {
                    const sign = corner >> 1 === i ? (corner % 2 === 0 ? 1 : -1) : 0;
                    out[3 * (6 * k + corner) + i] = (own[3 * k + i] ?? 0) + sign * this.info.radius;
                }
            }
        }
    }

    // Around its particles in a frame.
    boxIn(frame: FramePacket, out: Box3): boolean {
        const block = frame.matter.find((one) => one.name === "particles");
        if (!block || block.count < this.first + this.count) return false;
        out.setFromArray(numbersOf(frame, block).subarray(3 * this.first, 3 * (this.first + this.count)) as never);
        out.expandByScalar(this.info.radius);
        return true;
    }
}
