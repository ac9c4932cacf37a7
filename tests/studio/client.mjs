// Raw sockets to the studio's server, as far as tests need them: requests by hand, a WebSocket that sends text and reads
// answers, events and frames, which it acknowledges without drawing them.
import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";
import { expect, kWait } from "./support.mjs";

// Sends lines of a request, gives the whole answer.
export function ask(port, lines, body = "") {
    return new Promise((resolve) => {
        const socket = connect(port, "127.0.0.1");
        let text = "";
        socket.on("data", (bytes) => {
            text += bytes.toString("latin1");
            if (/\r\n\r\n/.test(text)) socket.destroy();
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve(text));
        socket.write(lines.join("\r\n") + "\r\n\r\n" + body);
        setTimeout(() => socket.destroy(), kWait).unref();
    });
}
export const status = (answer) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

export class Client {
    static open(port, cookie, headers = {}) {
        return new Promise((resolve, reject) => {
            const client = new Client();
            const key = randomBytes(16).toString("base64");
            const all = { Host: `127.0.0.1:${port}`, Origin: `http://127.0.0.1:${port}`, Cookie: cookie, Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", ...headers };
            client.socket = connect(port, "127.0.0.1");
            client.socket.on("error", () => {});
            client.socket.on("data", (bytes) => {
                client.bytes = Buffer.concat([client.bytes, bytes]);
                if (!client.isOpen) {
                    const end = client.bytes.indexOf("\r\n\r\n");
                    if (end < 0) return;
                    const head = client.bytes.subarray(0, end).toString("latin1");
                    if (status(head) !== 101) return reject(new Error(head));
                    const accepted = createHash("sha1").update(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
                    if (!head.includes(accepted)) return reject(new Error("a wrong handshake"));
                    client.isOpen = true;
                    client.bytes = client.bytes.subarray(end + 4);
                    resolve(client);
                }
                client.take();
            });
            client.socket.write(["GET /socket HTTP/1.1", ...Object.entries(all).map(([k, v]) => `${k}: ${v}`), "", ""].join("\r\n"));
        });
    }
    bytes = Buffer.alloc(0);
    isOpen = false;
    messages = [];
    frame = null; // what to do with bytes
    waiting = [];
    next = 1;

    take() {
        for (;;) {
            if (this.bytes.length < 2) return;
            const short = this.bytes[1] & 127;
            const head = short < 126 ? 2 : short === 126 ? 4 : 10;
            if (this.bytes.length < head) return;
            const size = short < 126 ? short : short === 126 ? this.bytes.readUInt16BE(2) : Number(this.bytes.readBigUInt64BE(2));
            if (this.bytes.length < head + size) return;
            const isText = (this.bytes[0] & 15) === 1;
            const payload = this.bytes.subarray(head, head + size);
            this.bytes = this.bytes.subarray(head + size);
            if (!isText) {
                this.frame?.(payload);
                continue;
            }
            this.messages.push(JSON.parse(payload.toString()));
            this.waiting = this.waiting.filter((check) => !check());
        }
    }
    sendRaw(bytes, opcode = 1) {
        const payload = Buffer.from(bytes);
        const head = payload.length < 126 ? Buffer.from([128 | opcode, 128 | payload.length]) : Buffer.from([128 | opcode, 254, payload.length >> 8, payload.length & 255]);
        this.socket.write(Buffer.concat([head, Buffer.alloc(4), payload])); // a mask of zeros
    }
    until(wanted) {
        return new Promise((resolve, reject) => {
            const check = () => {
                const found = this.messages.find(wanted);
                if (found) resolve(found);
                return found !== undefined;
            };
            if (check()) return;
            this.waiting.push(check);
            setTimeout(() => reject(new Error("no such message came")), kWait).unref();
        });
    }
    ask(what, rest = {}) {
        const id = this.next++;
        this.sendRaw(JSON.stringify({ ...rest, id, do: what }));
        return this.until((m) => m.id === id);
    }
}

// By the token to a cookie.
export async function enter(studio) {
    const token = new URL(studio.address).searchParams.get("token");
    const answer = await ask(studio.port, [`GET /?token=${token} HTTP/1.1`, `Host: 127.0.0.1:${studio.port}`]);
    expect(status(answer) === 303 && /HttpOnly/.test(answer) && /SameSite=Strict/.test(answer), "the token gives a cookie");
    return { token, cookie: /Set-Cookie: ([^;]+)/i.exec(answer)[1] };
}

