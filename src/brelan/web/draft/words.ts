import type { Value } from "$lib/rules";
import type { Texts } from "$lib/texts";
import type { KnobInfo } from "$lib/wire";

/** What a knob is called; a game without words for it says how the rules call it. */
export function knobName(texts: Texts, { name }: KnobInfo): string {
  const key = `knob.${name}.name`;
  return texts.has(key) ? texts.say(key) : name.replaceAll("_", " ");
}

/** What a value of a knob is called: numbers are themselves. */
export function valueName(texts: Texts, { name }: KnobInfo, value: Value): string {
  if (typeof value === "number") return String(value);
  const key = `knob.${name}.value_${value}`;
  return texts.has(key) ? texts.say(key) : value.replaceAll("_", " ");
}

/** What a preset is called. */
export function presetName(texts: Texts, preset: string): string {
  const key = `preset.${preset}.name`;
  return texts.has(key) ? texts.say(key) : preset.replaceAll("_", " ");
}
