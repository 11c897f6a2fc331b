/**
 * Writes `lib/wire.ts`: the messages of docs/protocol.schema.json as TypeScript types.
 *
 * `npm run wire` writes it; `npm run wire -- --print` prints it instead, for a test to compare.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const SCHEMA = new URL("../../../../docs/protocol.schema.json", import.meta.url);
const TYPES = new URL("../lib/wire.ts", import.meta.url);
const BANNER = `/**
 * The messages of the server, as types. Written by \`npm run wire\` from docs/protocol.schema.json:
 * do not edit. \`Message\` is what comes over a socket, \`Command\` what goes.
 */`;

// A default beside a reference would make a second type of the first.
const { $defs, title } = JSON.parse(readFileSync(SCHEMA, "utf8"), (_, value) =>
  value?.$ref ? { $ref: value.$ref } : value,
);
for (const type of Object.values($defs)) {
  delete type.title; // the key is the name
  if (type.description) type.description = type.description.replace(/\n +/g, "\n");
}
const types = await compile({ title, $defs, type: "object" }, "Root", {
  additionalProperties: false,
  bannerComment: BANNER,
  declareExternallyReferenced: true,
  format: true,
  ignoreMinAndMaxItems: true,
  style: { printWidth: 100 },
  unreachableDefinitions: true,
});
const text = types
  .replace(/export interface \w+ \{\}\n/, "") // the root, around all others
  .replace(/( \*\n)? \* This interface was referenced by .*\n \* via the `definition` .*\n/g, "")
  .replace(/\/\*\*\n \*\/\n/g, "");
if (process.argv.includes("--print")) process.stdout.write(text);
else writeFileSync(TYPES, text);
