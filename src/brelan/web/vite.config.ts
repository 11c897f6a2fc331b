import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { icons } from "./build/icons.ts";

/** Where `npm run dev` finds the server: `brelan serve`. */
const server = process.env.BRELAN_SERVER ?? "http://127.0.0.1:8080";

/** Where a folder beside this file is; its path may hold spaces. */
const at = (folder: string): string => fileURLToPath(new URL(folder, import.meta.url));

/** What several pages share is in few files, since each costs a request; the emblems of games stay apart. */
const shared = { name: "shared", minShareCount: 2, entriesAware: true };
const groups = [
  { ...shared, test: /icon:game-icons|\/games\//, entriesAwareMergeThreshold: 2000 },
  { ...shared, test: /\/web\/|\/svelte\/|icon:lucide/, entriesAwareMergeThreshold: 12_000 },
];
/** Such a file is not named for all those pages. */
const chunkFileNames = ({ name }: { name: string }): string => `assets/${name.split("~")[0]}-[hash].js`;

export default defineConfig({
  plugins: [icons(), svelte(), compress()],
  resolve: { dedupe: ["svelte"], alias: { $lib: at("./lib"), $parts: at("./parts") } },
  build: { outDir: "../static", emptyOutDir: true, target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, rolldownOptions: { output: { codeSplitting: { groups }, chunkFileNames } } },
  server: { proxy: { "/api": { target: server, ws: true } }, fs: { allow: ["..", "../../.."] } },
});
