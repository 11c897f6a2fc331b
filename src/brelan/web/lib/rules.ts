import type { GameInfo, KnobInfo } from "./wire";

/** The value of a knob. */
export type Value = number | string;
/** Values of knobs by name. */
export type Values = Record<string, Value>;

/** The knobs that may be turned: all but the number of seats, which the seats decide. */
export const turnable = (game: GameInfo): KnobInfo[] => game.knobs.filter(({ name }) => name !== "players");

/** The value a knob has when nobody turns it. */
export const usualValue = (knob: KnobInfo, players: number): Value => knob.by_players[players] ?? knob.default;

/** Whether a value goes with a number of players. */
export function fits(knob: KnobInfo, value: Value, players: number): boolean {
  return knob.only_for[value]?.includes(players) ?? true;
}

/** The knobs that differ from what they are when nobody turns them. */
export function changedOf(game: GameInfo, turned: Values, players: number): Values {
  const changed = turnable(game).filter((knob) => knob.name in turned && turned[knob.name] !== usualValue(knob, players));
  return Object.fromEntries(changed.map(({ name }) => [name, turned[name]!]));
}

/** The preset that the values are; "" is the house's own rules, null none of them. */
export function presetOf(game: GameInfo, turned: Values, players: number): string | null {
  const changed = changedOf(game, turned, players);
  const isSame = (values: Values) => {
    const other = changedOf(game, values, players);
    return Object.keys({ ...changed, ...other }).every((name) => changed[name] === other[name]);
  };
  return isSame({}) ? "" : (Object.keys(game.presets).find((name) => isSame(game.presets[name]!)) ?? null);
}

/** The family of a knob, such as `copies` of `copies_7`, if it has sisters. */
export function familyOf(game: GameInfo, { name }: KnobInfo): string | null {
  const family = /^(.+)_[A-Z]?\d*$/.exec(name)?.[1] ?? null;
  const sisters = game.knobs.filter((knob) => knob.name.startsWith(`${family}_`) && /^[A-Z]?\d*$/.test(knob.name.slice(family!.length + 1)));
  return family && sisters.length > 2 ? family : null;
}

/** Values as they stand in an address: `order:ladder,hand_size:5`. */
export const written = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}:${value}`)
    .join(",");

/** The values of an address, those that the game has. */
export function readValues(game: GameInfo, text: string | null): Values {
  const found: Values = {};
  for (const each of (text ?? "").split(",")) {
    const [name, given] = each.split(":");
    const value = turnable(game)
      .find((knob) => knob.name === name)
      ?.values.find((known) => String(known) === given);
    if (value !== undefined) found[name!] = value;
  }
  return found;
}

/** The page on which a table with these rules is set up. */
export const setUp = (game: string, players: number, turned: Values): string => `#new=${game}&players=${players}${Object.keys(turned).length ? `&rules=${written(turned)}` : ""}`;
