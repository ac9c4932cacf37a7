// The one connection to the server: requests with answers, events, packets. It comes back by itself when the server
// was away.
import { readPacket, type FramePacket, type SurfacePacket } from "./packets";
import type { FilmEvent, HelloEvent, Issue, Json, SceneEvent, StatusEvent, StructureEvent } from "./types";

export type ServerEvent = SceneEvent | StatusEvent | StructureEvent | HelloEvent | FilmEvent;

export interface Handlers {
    event(event: ServerEvent): void;
    packet(packet: FramePacket | SurfacePacket): void;
    connection(isUp: boolean): void;
}

// What a request was refused with.
export class Refused extends Error {
    constructor(
        message: string,
        readonly issues: Issue[],
    ) {
        super(message);
    }
}

interface Waiting {
    resolve(value: unknown): void;
    reject(error: Error): void;
}

const kRetry = 1000; // ms

export class Connection {
    private socket: WebSocket | null = null;
    private waiting = new Map<number, Waiting>();
    private next = 1;

    constructor(private handlers: Handlers) {
        this.connect();
    }

    // Everything that was asked has been answered.
    get isIdle(): boolean {
        return this.waiting.size === 0;
    }

    // Resolves with the answer; rejects with Refused.
    ask<T = unknown>(what: string, rest: { [key: string]: Json } = {}): Promise<T> {
        const id = this.next++;
        return new Promise<T>((resolve, reject) => {
            if (this.socket?.readyState !== WebSocket.OPEN) {
                reject(new Refused("The studio's server does not answer.", []));
                return;
            }
            this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
            this.socket.send(JSON.stringify({ ...rest, id, do: what }));
        });
    }

    // A request whose answer nobody waits for.
    tell(what: string, rest: { [key: string]: Json } = {}): void {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ ...rest, do: what }));
    }

    private connect(): void {
        const socket = new WebSocket(`ws://${location.host}/socket`);
        socket.binaryType = "arraybuffer";
        socket.onopen = () => this.handlers.connection(true);
        socket.onmessage = (message) => this.take(message.data as string | ArrayBuffer);
        socket.onclose = () => {
            for (const one of this.waiting.values()) one.reject(new Refused("The connection was lost.", []));
            this.waiting.clear();
            this.handlers.connection(false);
            setTimeout(() => this.connect(), kRetry);
        };
        this.socket = socket;
    }

    private take(data: string | ArrayBuffer): void {
        if (typeof data !== "string") {
            this.handlers.packet(readPacket(data));
            return;
        }
        const json = JSON.parse(data) as { id?: number; event?: string; result?: unknown; error?: string; issues?: Issue[] };
        if (json.event !== undefined) {
            this.handlers.event(json as unknown as ServerEvent);
            return;
        }
        const one = this.waiting.get(json.id ?? 0);
        if (!one) return;
        this.waiting.delete(json.id ?? 0);
        if (json.error !== undefined) one.reject(new Refused(json.error, json.issues ?? []));
        else one.resolve(json.result);
    }
}
