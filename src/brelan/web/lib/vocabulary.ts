import type { PlaceInfo, Vocabulary, Worded } from "./wire";

/** What a reader sees of a table, by the names of its places; hidden is null. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Places = Record<string, any>;
export type Knobs = Record<string, number | string>;
/** What a move consists of: its row of the table of moves, by column. */
export type Row = Record<string, number>;

const WORDS_IN_WIDE = 4;

/** What the numbers of a variant's views and moves mean. */
export class Dictionary {
  private readonly places = new Map<string, PlaceInfo>();
  private readonly members = new Map<string, Map<number, number | string | null>>();

  constructor(readonly vocabulary: Vocabulary) {
    for (const place of vocabulary.places) this.places.set(place.name, place);
    for (const [kind, members] of Object.entries(vocabulary.enumerations)) {
      const isPrinted = members.some((member) => (member.printed ?? null) !== null);
      const names = members.map(
        (member) => [member.number, isPrinted ? (member.printed ?? null) : member.name] as const,
      );
      this.members.set(kind, new Map(names));
    }
  }

  row(move: number): Row {
    const row = this.vocabulary.moves[move] ?? [];
    return Object.fromEntries(this.vocabulary.columns.map((name, at) => [name, row[at] ?? 0]));
  }

  /** How a move is written and said, where that does not depend on the view. */
  worded(seat: number, move: number): Worded | null {
    return this.vocabulary.wordings[seat]?.[move] ?? null;
  }

  /** What a number of an enumeration is called, or what is printed on that card. */
  called(kind: string, number: number): number | string | null {
    return this.members.get(kind)?.get(number) ?? null;
  }

  /** A view by the names of its places, as `View.as_dict()` tells it in Python. */
  read(view: number[], seat: number | null, knobs: Knobs): Places {
    const players = Number(knobs["players"]);
    const seen: Places = { seat, knobs };
    for (const [name, place] of this.places) {
      if (place.knob) continue;
      const sizing = place.sized_by ? this.places.get(place.sized_by) : undefined;
      const sizes = sizing ? this.entries(view, sizing) : null;
      let shown = this.plain(this.entries(view, place), place, 0, players, sizes);
      if (place.sight === "owner") {
        const rows = shown as unknown[];
        shown = Array.from({ length: players }, (_, row) => (row === seat ? rows[row] : null));
      }
      seen[name] = shown;
    }
    if ((seen["turn"] as number) >= players) seen["turn"] = null;
    return seen;
  }

  private entries(view: number[], place: PlaceInfo): unknown {
    const count = place.shape.reduce((product, length) => product * length, 1);
    let flat: (number | bigint)[];
    if (place.wide) {
      flat = Array.from({ length: count }, (_, at) => joined(view, place.at + WORDS_IN_WIDE * at));
    } else flat = view.slice(place.at, place.at + count);
    return shaped(flat, place.shape);
  }

  private plain(entries: unknown, place: PlaceInfo, axis: number, players: number, sizes: unknown): unknown {
    if (axis === place.shape.length) return this.one(entries as number, place);
    const rows = entries as unknown[];
    if (place.held === "counts" && axis === place.shape.length - 1) {
      const names = this.members.get(place.of ?? "") ?? new Map<number, string>();
      return [...names].flatMap(([card, name]) => Array<unknown>((rows[card] as number) ?? 0).fill(name));
    }
    let length = place.seat_axes.includes(axis) ? players : (place.shape[axis] as number);
    let inner = sizes;
    if (typeof sizes === "number") {
      length = sizes;
      inner = null;
    }
    const of = (row: number) => (inner === null ? null : (inner as unknown[])[row]);
    return Array.from({ length }, (_, row) => this.plain(rows[row], place, axis + 1, players, of(row)));
  }

  private one(number: number | bigint, place: PlaceInfo): unknown {
    if (place.held === "seat") return number ? Number(number) - 1 : null;
    const names = this.members.get(place.of ?? "");
    if (!names) return number;
    if (place.held === "set") {
      return [...names].filter(([member]) => (BigInt(number) >> BigInt(member)) & 1n).map(([, name]) => name);
    }
    return names.get(Number(number)) ?? null;
  }
}

/** The number of 64 bits that four of 16 make; those that fit are numbers of the usual kind. */
function joined(view: number[], at: number): number | bigint {
  let number = 0n;
  for (let word = 0; word < WORDS_IN_WIDE; word++) {
    number |= BigInt((view[at + word] ?? 0) & 0xffff) << BigInt(16 * word);
  }
  const signed = BigInt.asIntN(64, number);
  const plain = Number(signed);
  return Number.isSafeInteger(plain) ? plain : signed;
}

function shaped(flat: unknown[], shape: number[]): unknown {
  if (shape.length === 0) return flat[0];
  if (shape.length === 1) return flat;
  const step = flat.length / (shape[0] as number);
  return Array.from({ length: shape[0] as number }, (_, row) =>
    shaped(flat.slice(row * step, (row + 1) * step), shape.slice(1)),
  );
}
