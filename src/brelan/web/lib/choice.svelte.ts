import type { LegalMove, Scene } from "./scene.svelte";

/**
 * A move that is being put together, part by part: what may be chosen next is what some legal move
 * still needs. The parts of a move are named by its game (`GameTable.parts`).
 */
export class Choice {
  /** What has been chosen so far. */
  picked = $state.raw<string[]>([]);
  /** What was asked for and is not allowed; a game may say why. */
  refused = $state.raw<string | null>(null);
  private readonly ways = $derived.by(() => {
    const { scene } = this;
    return scene.legal.map((move) => ({ move, parts: scene.table?.parts(move, scene) ?? [] }));
  });
  /** The legal moves that begin with what is chosen. */
  private readonly open = $derived(
    this.ways.filter(({ parts }) => this.picked.every((part, at) => parts[at] === part)),
  );
  /** What may be chosen next, and the moves that it leads to. */
  readonly next = $derived.by(() => {
    const found = new Map<string, LegalMove[]>();
    for (const { move, parts } of this.open) {
      const part = parts[this.picked.length];
      if (part !== undefined) found.set(part, [...(found.get(part) ?? []), move]);
    }
    return found;
  });
  /** The first parts of all legal moves: what one may change one's mind to. */
  readonly firsts = $derived(new Set(this.ways.map(({ parts }) => parts[0])));
  /** The move that is whole, and waits for a confirmation. */
  readonly whole = $derived(
    this.picked.length > 0
      ? (this.open.find(({ parts }) => parts.length === this.picked.length)?.move ?? null)
      : null,
  );

  constructor(private readonly scene: Scene) {}

  /** Whether something may be chosen now. */
  lit(part: string): boolean {
    return this.next.has(part) || (this.picked.length > 0 && !this.has(part) && this.firsts.has(part));
  }

  /** Whether something is chosen. */
  has(part: string): boolean {
    return this.picked.includes(part);
  }

  /**
   * Choose something. What is chosen already is given back, with all after it; a move that is whole
   * is made, unless its game asks for a confirmation. What may not be chosen is noted as refused.
   */
  pick(part: string): void {
    this.refused = null;
    if (this.next.has(part)) this.take(part);
    else if (this.has(part)) {
      if (this.whole && this.picked.at(-1) === part) this.confirm();
      else this.picked = this.picked.slice(0, this.picked.indexOf(part));
    } else if (this.firsts.has(part)) {
      this.picked = [];
      this.take(part);
    } else this.refused = part;
  }

  /** Take a thing in hand, so that where it may go is lit; it is not played by that alone. */
  lift(part: string): void {
    if (this.has(part) || !this.lit(part)) return;
    this.refused = null;
    this.picked = this.next.has(part) ? [...this.picked, part] : [part];
  }

  /** Put a thing that was lifted onto another. */
  drop(part: string, onto: string): void {
    if (!this.has(part)) this.lift(part);
    if (this.next.has(onto)) this.take(onto);
    else if (this.whole) this.confirm();
    else this.refused = onto;
  }

  /** Take back the last choice that was made by hand; says whether there was one. */
  undo(): boolean {
    this.refused = null;
    if (this.picked.length === 0) return false;
    let picked = this.picked.slice(0, -1);
    while (picked.length > 0 && this.isOnly(picked)) picked = picked.slice(0, -1);
    this.picked = picked;
    return true;
  }

  clear(): void {
    this.picked = [];
    this.refused = null;
  }

  /** Make the move that is whole. */
  confirm(): void {
    const move = this.whole;
    if (!move) return;
    this.clear();
    this.scene.play(move.id);
  }

  private take(part: string): void {
    this.picked = [...this.picked, part];
    const { scene } = this;
    const asks = (each: string) => scene.table?.asks?.(each, scene) ?? false;
    while (this.next.size === 1 && !this.whole) {
      const [only] = this.next.keys();
      if (asks(only)) return;
      this.picked = [...this.picked, only];
    }
    if (this.whole && this.next.size === 0 && !asks("confirm")) this.confirm();
  }

  /** Whether the last of some choices was the only one, and was not made by hand. */
  private isOnly(picked: string[]): boolean {
    const before = picked.slice(0, -1);
    const part = picked.at(-1) as string;
    if (before.length === 0 || (this.scene.table?.asks?.(part, this.scene) ?? false)) return false;
    const others = this.ways.filter(({ parts }) => before.every((each, at) => parts[at] === each));
    return others.every(({ parts }) => parts[before.length] === part);
  }
}
