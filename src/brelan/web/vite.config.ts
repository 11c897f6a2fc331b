import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { icons } from "./build/icons.ts";

/** Where `npm run dev` finds the server: `brelan serve`. */
const server = process.env.BRELAN_SERVER ?? "http://127.0.0.1:8080";

/** Where a folder beside this file is; its path may hold spaces. */
const at = (folder: string): string => fileURLToPath(new URL(folder, import.meta.url));

export default defineConfig({
  plugins: [icons(), svelte(), compress()],
  resolve: { dedupe: ["svelte"], alias: { $lib: at("./lib"), $parts: at("./parts") } },
  build: { outDir: "../static", emptyOutDir: true, target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: { proxy: { "/api": { target: server, ws: true } }, fs: { allow: ["..", "../../.."] } },
});
