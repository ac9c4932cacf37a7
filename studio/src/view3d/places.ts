// Where bodies are in a frame, for three.js.
import { Matrix4, Quaternion, Vector3 } from "three";
import { readPose, type FramePacket } from "../protocol/packets";

// At the origin where the frame does not have it.
export function poseIn(frame: FramePacket | null, body: number): Matrix4 {
    const pose = [0, 0, 0, 0, 0, 0, 1];
    if (frame && body < frame.bodies) readPose(frame, body, pose);
    return new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[3], pose[4], pose[5], pose[6]), new Vector3(1, 1, 1));
}
