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

/** Returns a part of the schema in the words that the compiler of types understands. */
function plain(key, value) {
  if (value?.$ref) return { $ref: value.$ref }; // a default beside it would make a second type
  if (value?.prefixItems) return { ...value, items: value.prefixItems, additionalItems: false };
  if (value?.minItems) return { type: "array", items: value.items }; // not a tuple of each length
  if (key === "args") return { type: "object", additionalProperties: true };
  return value;
}

const { $defs, title } = JSON.parse(readFileSync(SCHEMA, "utf8"), plain);
$defs.Text.properties.args.additionalProperties = {
  anyOf: [{ type: "number" }, { type: "string" }, { $ref: "#/$defs/Text" }],
};
for (const type of Object.values($defs)) {
  delete type.title; // the key is the name
  if (type.description) type.description = type.description.replace(/\n +/g, "\n");
}
const types = await compile({ title, $defs, type: "object" }, "Root", {
  additionalProperties: false,
  bannerComment: BANNER,
  declareExternallyReferenced: true,
  format: true,
  style: { printWidth: 100 },
  unreachableDefinitions: true,
});
const text = types
  .replace(/export interface \w+ \{\}\n/, "") // the root, around all others
  .replace(/( \*\n)? \* This interface was referenced by .*\n \* via the `definition` .*\n/g, "")
  .replace(/\/\*\*\n \*\/\n/g, "");
if (process.argv.includes("--print")) process.stdout.write(text);
else writeFileSync(TYPES, text);
