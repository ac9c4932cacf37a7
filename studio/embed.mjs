// embed.mjs DIST OUT.cpp: compresses what Vite built and writes a source file that holds it (apps/studio/assets.h).
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const types = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
};
const [dist, out] = process.argv.slice(2);
const packed = resolve("packed");
mkdirSync(packed, { recursive: true });

function* filesIn(folder) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) yield* filesIn(path);
        else yield path;
    }
}

const files = [...filesIn(dist)].sort().map((path, k) => {
    const bytes = gzipSync(readFileSync(path), { level: 9 });
    const file = join(packed, `${k}.gz`);
    writeFileSync(file, bytes);
    return { target: "/" + relative(dist, path), type: types[extname(path)] ?? "application/octet-stream", file, bytes };
});
const declarations = files.map((_, k) => `extern const char impuls_asset_${k}[], impuls_asset_${k}_end[];`);
const blobs = files.map(
    ({ file }, k) =>
        `asm(".section .rodata\\nimpuls_asset_${k}:\\n.incbin \\"${file}\\"\\nimpuls_asset_${k}_end:\\n.byte 0\\n.text\\n");`,
);
const rows = files.map(
    ({ target, type, bytes }, k) => `        {"${target}", "${type}", {impuls_asset_${k}, ${bytes.length}}},`,
);
writeFileSync(
    out,
    `// Written by studio/embed.mjs.
#include "studio/assets.h"

extern "C" {
${declarations.join("\n")}
}
${blobs.join("\n")}

namespace impuls::studio {

std::span<const Asset> assets() {
    static const Asset all[] = {
${rows.join("\n")}
    };
    return all;
}

}  // namespace impuls::studio
`,
);
