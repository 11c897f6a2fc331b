import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "vite";

const require = createRequire(import.meta.url);
const PREFIX = "icon:";

interface Collection {
  width?: number;
  height?: number;
  icons: Record<string, { body: string; width?: number; height?: number }>;
}

/**
 * `import rose from "icon:game-icons/rose"`: one drawing of a collection, as `{ body, box }`, and
 * nothing else of it. Collections are the packages `@iconify-json/…`.
 */
export function icons(): Plugin {
  const collections = new Map<string, Collection>();
  return {
    name: "brelan-icons",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const [collection, name] = id.slice(PREFIX.length + 1).split("/") as [string, string];
      let found = collections.get(collection);
      if (!found) {
        const file = require.resolve(`@iconify-json/${collection}/icons.json`);
        found = JSON.parse(readFileSync(file, "utf8")) as Collection;
        collections.set(collection, found);
      }
      const icon = found.icons[name];
      if (!icon) throw new Error(`there is no icon ${name} in ${collection}`);
      const box = `0 0 ${icon.width ?? found.width ?? 16} ${icon.height ?? found.height ?? 16}`;
      return `export default ${JSON.stringify({ body: icon.body, box })}`;
    },
  };
}
