// How the page is built: one folder of files with hashed names, which the program then carries inside (embed.mjs).
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
    plugins: [svelte()],
    build: {
        target: "es2022",
        chunkSizeWarningLimit: 1500,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rollupOptions: { output: { manualChunks: { three: ["three"] } } },
    },
    test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
