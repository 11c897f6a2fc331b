import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compress } from "./build/compress";
import { icons } from "./build/icons";

/** Where `npm run dev` finds the server: `brelan serve`. */
const server = process.env.BRELAN_SERVER ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [icons(), svelte(), compress()],
  resolve: { dedupe: ["svelte"], alias: { $lib: new URL("./lib", import.meta.url).pathname, $parts: new URL("./parts", import.meta.url).pathname } },
  build: { outDir: "../static", emptyOutDir: true, target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: { proxy: { "/api": { target: server, ws: true } }, fs: { allow: ["..", "../../.."] } },
});
