import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The server that `npm run dev` passes /api on to; SANDTABLE overrides it.
const server = process.env.SANDTABLE ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../sandtable/server/page",
    emptyOutDir: true,
    target: "es2022",
    // The page asks nothing of other hosts and runs under a strict policy: no inlined files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
});
