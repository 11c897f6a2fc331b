import { tableOf } from "./game";
import { get, post, Refused } from "./http";
import { AT_ONCE, linesOf, Scene, type Hinting, type Line } from "./scene.svelte";
import { settings } from "./settings.svelte";
import { TableSocket, type Link } from "./socket";
import { games, textsOf } from "./house";
import { Dictionary, type Knobs } from "./vocabulary";
import type { Asked, Happened, Hinted, Message, Snapshot, Step, TableInfo, Told, Vocabulary } from "./wire";

export interface Reaction {
  seat: number;
  reaction: string;
  at: number;
}

/** What the meaning of numbers depends on, as a query. */
function queryOf(knobs: Knobs): string {
  return new URLSearchParams(Object.entries(knobs).map(([name, value]) => [name, String(value)])).toString();
}

export async function dictionaryOf(game: string, knobs: Knobs): Promise<Dictionary> {
  return new Dictionary(await get<Vocabulary>(`/api/games/${game}/vocabulary?${queryOf(knobs)}`));
}

/** A match that goes on, or has ended, as one seat or a spectator sees it over a socket. */
export class LiveTable extends Scene {
  info = $state.raw<TableInfo | null>(null);
  link = $state<Link>("opening");
  /** Why the table cannot be seen, or a command was refused; it is shown until it is dismissed. */
  error = $state.raw<Refused | null>(null);
  /** Why the table cannot be seen at all. */
  gone = $state.raw<Refused | null>(null);
  asked = $state.raw<Asked | null>(null);
  reactions = $state.raw<Reaction[]>([]);
  private hinted = $state.raw<{ ply: number; found: Hinted } | null>(null);
  private isThinkingOfHint = $state(false);
  /** How many events happened while nobody looked here, after a return; null: nothing to tell. */
  missed = $state<number | null>(null);
  /** A move that was made and is not acknowledged yet. */
  sent = $state<number | null>(null);
  ply = $state(-1);
  /** Whether the game knows draws by agreement. */
  draws = $state(false);
  override readonly isWatched = true;
  /** How many events happened while nobody looked here, or too fast to be played: they can be seen. */
  away = $state(0);
  /** How many of them are played now, after a return. */
  returning = $state(0);
  /** Up to which event all was seen here. */
  private known = -1;
  private isBehind = false;
  private collecting: Happened[] | null = null;
  private socket: TableSocket | null = null;
  private wasLost = false;
  private isClosed = false;

  readonly id: string;

  /** `info` is the table as it was found a moment ago. */
  constructor(
    info: TableInfo,
    readonly seat: number | null,
  ) {
    super();
    this.id = info.table;
    document.addEventListener("visibilitychange", this.looked);
    this.game = info.game;
    this.me = seat;
    this.seen(info);
  }

  /** Take all that the table needs, and sit down. */
  async open(): Promise<void> {
    const { game, knobs } = this;
    try {
      const [dictionary, table, there] = await Promise.all([dictionaryOf(game, knobs), tableOf(game), games(), textsOf(settings.lang, game)]);
      this.dictionary = dictionary;
      this.table = table;
      this.draws = there.find((each) => each.id === game)?.draws ?? false;
      await this.translate();
    } catch (error) {
      this.gone = error instanceof Refused ? error : new Refused("internal");
      return;
    }
    if (this.isClosed) return;
    const query = this.seat === null ? "" : `?seat=${this.seat}`;
    this.socket = new TableSocket(`/api/tables/${this.id}/socket${query}`, {
      since: () => (this.ply >= 0 ? this.ply : null),
      hear: (message) => this.hear(message),
      changed: (link, error) => this.changed(link, error),
    });
  }

  /** Take the texts of the language that is chosen now. */
  async translate(): Promise<void> {
    if (this.table) this.texts = (await textsOf(settings.lang, this.game, this.table)).named(this.naming);
  }

  close(): void {
    this.isClosed = true;
    document.removeEventListener("visibilitychange", this.looked);
    this.socket?.close();
  }

  // ---------------------------------------------------------------- what is done

  play(move: number): void {
    const { ply, legal } = this;
    if (this.sent !== null || !legal.some((each) => each.id === move)) return;
    this.sent = move;
    this.hinted = null;
    this.legal = [];
    this.ask({ t: "move", ply, move })
      .catch((error: Refused) => {
        if (error.code === "behind") return; // it was stored, or something else has happened
        this.error = error;
        void this.refresh();
      })
      .finally(() => (this.sent = null));
  }

  override get hinting(): Hinting | null {
    if (!this.info?.options.hints || !this.isMine) return null;
    return {
      isThinking: this.isThinkingOfHint,
      found: this.hinted?.ply === this.ply ? this.hinted.found : null,
      ask: () => void this.askForHint(),
      forget: () => (this.hinted = null),
    };
  }

  private async askForHint(): Promise<void> {
    const { ply } = this;
    this.isThinkingOfHint = true;
    try {
      const answer = await this.ask({ t: "hint", ply, level: "expert" });
      if (answer) this.hinted = { ply, found: answer };
    } catch (error) {
      if ((error as Refused).code !== "behind") this.error = error as Refused;
    } finally {
      this.isThinkingOfHint = false;
    }
  }

  /** Say something that is no move; a refusal is shown. */
  async tell(command: Parameters<TableSocket["ask"]>[0]): Promise<void> {
    try {
      await this.ask(command);
    } catch (error) {
      this.error = error as Refused;
    }
  }

  /** Open the next table of the same people, or find it; returns its id. */
  async rematch(): Promise<string> {
    return (await post<{ table: string }>(`/api/tables/${this.id}/rematch`)).table;
  }

  /** Show what happened while nobody looked here, move by move. */
  async seeAway(): Promise<void> {
    if (this.isMoving || this.collecting) return;
    const since = this.known;
    this.away = 0;
    this.collecting = [];
    try {
      const query = this.seat === null ? "" : `?seat=${this.seat}`;
      const [told] = await Promise.all([get<Told>(`/api/tables/${this.id}/history${query}`), this.ask({ t: "sync", since })]);
      const events = this.collecting;
      const steps = events.flatMap((event) => event.steps);
      const all = told.readers[0];
      const last = events.at(-1);
      if (!last || !all || steps.length === 0 || last.ply !== this.ply || this.isMoving) {
        this.seenAll();
        return;
      }
      const before = all.steps.length - steps.length;
      const sentences = steps.reduce((count, step) => count + step.story.length, 0);
      const { legal, turn, result } = this;
      this.legal = [];
      this.result = null;
      this.isBehind = false;
      this.lines = [...this.lines.slice(0, this.lines.length - sentences), { seat: null, text: { key: "story.meanwhile" } }];
      this.jump(before > 0 ? (all.steps[before - 1] as Step).view : all.first);
      this.isWanted = true;
      this.returning = events.length;
      this.show(steps, () => ([this.legal, this.turn, this.result, this.returning] = [legal, turn, result, 0]));
    } catch {
      this.seenAll(); // what has happened stands in the story
    } finally {
      this.collecting = null;
    }
  }

  /** Nothing is offered to be seen any more. */
  seenAll(): void {
    this.away = 0;
    this.isBehind = false;
    this.known = this.ply;
    if (this.seat !== null && document.visibilityState === "visible") noteSeen(this.id, this.seat, this.ply);
  }

  protected override unseen(): void {
    this.isBehind = true;
  }

  protected override rested(): void {
    this.offer();
  }

  /** Whoever goes sees nothing more; whoever comes back sees what has happened. */
  private looked = (): void => {
    if (document.visibilityState === "hidden") this.skip();
    else this.offer();
  };

  /** What was missed is played where it is not much; else it can be asked for. */
  private offer(): void {
    if (this.ply < 0 || this.isMoving || document.visibilityState === "hidden") return;
    const count = this.ply - this.known;
    if (!this.isBehind || count <= 0) this.seenAll();
    else if (count > AT_ONCE) this.away = count;
    else void this.seeAway();
  }

  private ask(command: Parameters<TableSocket["ask"]>[0]) {
    return this.socket?.ask(command) ?? Promise.reject(new Refused("offline"));
  }

  private async refresh(): Promise<void> {
    await this.ask({ t: "sync", since: this.ply }).catch(() => undefined);
  }

  // ---------------------------------------------------------------- what is heard

  private changed(link: Link, error: Refused | null): void {
    if (link === "lost") this.wasLost = true;
    if (link === "refused") this.gone = error;
    this.link = link;
  }

  private seen(info: TableInfo): void {
    this.info = info;
    this.knobs = info.knobs;
    this.seats = info.seats;
  }

  private hear(message: Message): void {
    if (message.t === "table") this.seen(message);
    else if (message.t === "snapshot") this.stand(message);
    else if (message.t === "event") {
      if (this.collecting && message.ply <= this.ply) this.collecting.push(message);
      else this.happened(message);
    }
    else if (message.t === "reaction") {
      const at = Date.now();
      this.reactions = [...this.reactions.filter((each) => at - each.at < 5000), { seat: message.seat, reaction: message.reaction, at }];
    }
  }

  /** What is told of a match that was not dealt for this table, before its story. */
  private get beginning(): Line[] {
    const { origin } = this.info ?? {};
    if (!origin) return [];
    return [{ seat: null, text: { key: origin.as_dealt ? "what_if.told_lay" : "what_if.told_drawn", args: { at: origin.ply } } }];
  }

  private stand(snapshot: Snapshot): void {
    const known = this.ply < 0 && this.seat !== null && !snapshot.result ? lastSeen(this.id, this.seat) : null;
    this.isBehind = known !== null && known < snapshot.ply;
    this.known = known ?? snapshot.ply;
    this.wasLost = false;
    this.ply = snapshot.ply;
    this.jump(snapshot.view);
    this.lines = [...this.beginning, ...linesOf(snapshot.story, null)];
    this.asked = snapshot.asked ?? null;
    this.settle(snapshot);
    this.offer();
  }

  private happened(event: Happened): void {
    if (event.ply <= this.ply && event.kind !== "start") return;
    if (this.wasLost && event.seat !== this.me) {
      this.missed = (this.missed ?? 0) + 1;
    }
    this.ply = event.ply;
    this.legal = [];
    if (event.first) this.jump(event.first);
    this.asking(event);
    const isEnd = event.steps.length === 0 && (event.kind === "resign" || event.kind === "timeout");
    if (isEnd) {
      const text = { key: "table.resigned", args: { who: this.who(event.seat ?? 0) } };
      const late = { key: "house.time_is_up", args: { who: this.who(event.seat ?? 0) } };
      this.lines = [...this.lines, { seat: null, text: event.kind === "resign" ? text : late }];
    }
    this.show(event.steps, () => this.settle(event));
  }

  private asking(event: Happened): void {
    const seat = event.seat ?? 0;
    if (event.kind === "asked") this.asked = { kind: "takeback", seat, agreed: [] };
    else if (event.kind === "offered") this.asked = { kind: "draw", seat, agreed: [] };
    else if (event.kind === "agreed" && this.asked) this.asked = { ...this.asked, agreed: [...this.asked.agreed, seat] };
    else this.asked = null;
  }

  private settle(now: Happened | Snapshot): void {
    if (now.ply < this.ply) return;
    this.wasLost = false;
    void this.glide(() => {
      this.turn = now.turn;
      this.clocks = now.clocks ? { ...now.clocks, at: Date.now() } : null;
      this.result = now.result ?? null;
      this.hinted = null;
      this.choice.clear();
      this.legal = this.movesOf(now.legal, now.words);
    });
  }
}

const SEEN = "brelan.seen.";

/** How many events of a table were seen from a seat on this device; null: it was never looked at. */
function lastSeen(table: string, seat: number): number | null {
  try {
    const found = localStorage.getItem(`${SEEN}${table}.${seat}`);
    return found === null ? null : Number(found);
  } catch {
    return null;
  }
}

function noteSeen(table: string, seat: number, ply: number): void {
  try {
    localStorage.setItem(`${SEEN}${table}.${seat}`, String(ply));
  } catch {
    // Then nothing is offered to be seen again.
  }
}
