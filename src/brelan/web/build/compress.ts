import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(css|html|js|json|svg|webmanifest)$/;
const LEAST = 512; // bytes; less is one packet anyway

/** Puts a `.br` and a `.gz` beside each text of the bundle that is shorter so, for the server. */
export function compress(): Plugin {
  let folder = "";
  return {
    name: "brelan-compress",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const file = join(folder, name);
        if (TEXT.test(name) && statSync(file).size >= LEAST) compressed(file);
      }
    },
  };
}

function compressed(file: string): void {
  const content = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  for (const [ending, short] of [
    ["br", brotliCompressSync(content, { params })],
    ["gz", gzipSync(content, { level: 9 })],
  ] as const)
    if (short.length < content.length) writeFileSync(`${file}.${ending}`, short);
}
