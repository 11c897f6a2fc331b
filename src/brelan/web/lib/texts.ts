/**
 * Texts by key, in a small part of ICU MessageFormat: `{name}`, `{name.form}`,
 * `{n, plural, one {…} other {…}}` (`#` is the number) and `{who, select, you {…} other {…}}`.
 * The same as `brelan.i18n`.
 */

export type Lang = "fr" | "en";
export type Entries = Record<string, string>;

/** An argument that has texts of its own, such as a card or a seat; as a choice it is its kind. */
export interface Word {
  key: string;
  kind?: string | null;
  args?: Args;
}

export type Arg = number | string | Word;
export type Args = Record<string, Arg>;

/** A piece of a filled text; `words` are the keys of the words that it is part of, the widest first. */
export interface Part {
  text: string;
  words?: string[];
  seat?: number;
}

/** What may be said in place of a word's own text: the name of a person, say. */
export type Naming = (word: Word) => string | undefined;

export class Texts {
  constructor(
    readonly lang: Lang,
    readonly entries: Entries,
    private readonly naming: Naming = () => undefined,
  ) {}

  /** The same texts, which call words as `naming` does. */
  named(naming: Naming): Texts {
    return new Texts(this.lang, this.entries, naming);
  }

  has(key: string): boolean {
    return key in this.entries;
  }

  /** A text filled in; one that is missing is its key, so that it is seen. */
  say(key: string, args: Args = {}): string {
    return this.parts(key, args)
      .map((part) => part.text)
      .join("");
  }

  /** A text filled in, in pieces that say which words they are. */
  parts(key: string, args: Args = {}): Part[] {
    const found: Part[] = [];
    this.fill(this.entries[key] ?? key, args, found);
    return this.lang === "fr" ? elided(found) : found;
  }

  private fill(text: string, args: Args, into: Part[], number?: number): void {
    let at = 0;
    let plain = "";
    const end = () => {
      if (plain) into.push({ text: plain });
      plain = "";
    };
    while (at < text.length) {
      const letter = text[at];
      if (letter === "{") {
        const closing = closingOf(text, at);
        end();
        this.argument(text.slice(at + 1, closing), args, into);
        at = closing;
      } else {
        plain += letter === "#" && number !== undefined ? this.number(number) : letter;
      }
      at += 1;
    }
    end();
  }

  private number(value: number): string {
    return new Intl.NumberFormat(this.lang).format(value).replace("-", "−");
  }

  private argument(inside: string, args: Args, into: Part[]): void {
    const [name, kind, rest] = cut(inside);
    if (kind === undefined) {
      this.value(name, args, into);
      return;
    }
    const options = optionsOf(rest ?? "");
    const value = args[name];
    if (kind === "plural") {
      const number = Number(value);
      const exact = options[`=${number}`];
      const chosen = exact ?? options[this.plural(number)] ?? options["other"] ?? "";
      this.fill(chosen, args, into, number);
      return;
    }
    const wanted = typeof value === "object" ? (value.kind ?? "other") : String(value);
    this.fill(options[wanted] ?? options["other"] ?? "", args, into);
  }

  private value(path: string, args: Args, into: Part[]): void {
    const [name, form] = path.split(".") as [string, string?];
    const value = args[name];
    if (value === undefined) into.push({ text: `{${path}}` });
    else if (typeof value !== "object") into.push({ text: String(value) });
    else {
      const called = form === undefined ? this.naming(value) : undefined;
      const own: Part[] = [];
      if (called !== undefined) own.push({ text: called });
      else this.fill(this.entries[`${value.key}.${form ?? "name"}`] ?? value.key, value.args ?? {}, own);
      const seat = value.key === "seat" ? Number(value.args?.["number"]) : undefined;
      into.push(...own.map((part) => ({ ...part, words: [value.key, ...(part.words ?? [])], seat: part.seat ?? seat })));
    }
  }

  private plural(number: number): string {
    return number === 1 || (this.lang === "fr" && number === 0) ? "one" : "other";
  }
}

/** French drops the vowel of *de* and *que* before a name that begins with one. */
function elided(parts: Part[]): Part[] {
  return parts.map((part, at) => {
    const next = parts[at + 1];
    const begins = next?.seat !== undefined && /^[aeiouyhâàéèêëîïôöûü]/i.test(next.text);
    if (!begins) return part;
    return { ...part, text: part.text.replace(/(^|[\s( ])(d|qu|D|Qu)e $/, "$1$2’") };
  });
}

function closingOf(text: string, opening: number): number {
  let depth = 0;
  for (let at = opening; at < text.length; at++) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error(`a brace is not closed in: ${text}`);
}

function cut(inside: string): [string, string?, string?] {
  const first = inside.indexOf(",");
  if (first < 0) return [inside.trim()];
  const second = inside.indexOf(",", first + 1);
  return [inside.slice(0, first).trim(), inside.slice(first + 1, second).trim(), inside.slice(second + 1)];
}

function optionsOf(text: string): Record<string, string> {
  const options: Record<string, string> = {};
  let at = 0;
  for (;;) {
    const opening = text.indexOf("{", at);
    if (opening < 0) return options;
    const closing = closingOf(text, opening);
    options[text.slice(at, opening).trim()] = text.slice(opening + 1, closing);
    at = closing + 1;
  }
}
