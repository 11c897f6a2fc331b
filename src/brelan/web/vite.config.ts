import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { chunkOf } from "./build/chunks.ts";
import { compress } from "./build/compress.ts";
import { icons } from "./build/icons.ts";

/** Where `npm run dev` finds the server: `brelan serve`. */
const server = process.env.BRELAN_SERVER ?? "http://127.0.0.1:8080";

/** Where a folder beside this file is; its path may hold spaces. */
const at = (folder: string): string => fileURLToPath(new URL(folder, import.meta.url));

/** Modules that belong to one page stay with it; what pages share apart from these is put together by who needs it. */
const groups = [
  { name: chunkOf, includeDependenciesRecursively: false },
  { name: "shared", test: /\/web\/|icon:/, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 4000, includeDependenciesRecursively: false },
];
/** Such a file is not named for all those pages. */
const chunkFileNames = ({ name }: { name: string }): string => `assets/${name.split("~")[0]}-[hash].js`;

export default defineConfig({
  plugins: [icons(), svelte(), compress()],
  resolve: { dedupe: ["svelte"], alias: { $lib: at("./lib"), $parts: at("./parts") } },
  build: { outDir: "../static", emptyOutDir: true, target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, rolldownOptions: { output: { codeSplitting: { groups }, chunkFileNames } } },
  server: { proxy: { "/api": { target: server, ws: true } }, fs: { allow: ["..", "../../.."] } },
});
