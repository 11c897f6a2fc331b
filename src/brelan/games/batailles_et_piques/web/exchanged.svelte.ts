import { untrack } from "svelte";
import type { Scene } from "$lib/scene.svelte";
import { SLOTS, type SlotName } from "./knowledge";
import { ACT } from "./moves";

/** Slots whose card was exchanged since anything else happened there: what was known of it has ended. */
export class Exchanged {
  private slots = $state.raw<Set<string>>(new Set());

  /** Follow the last step of a table; call it inside an effect. */
  follow(scene: Scene): void {
    const { last } = scene;
    if (!last) return;
    const { places } = scene;
    const row = scene.dictionary?.row(last.move) ?? {};
    const slots = new Set(untrack(() => this.slots));
    if (row["act"] === ACT.slack && last.seat !== null) {
      const at = SLOTS.find((_, number) => row["own"] === 1 << number);
      slots.add(`${last.seat}-${at}`);
    }
    const forget = (seat: number | null, names: SlotName[]) => names.forEach((name) => slots.delete(`${seat}-${name}`));
    if (row["act"] === ACT.attack) {
      forget(places.attacker, places.attacking);
      forget(places.defender, places.attacked);
    }
    this.slots = slots;
  }

  has(seat: number, slot: SlotName): boolean {
    return this.slots.has(`${seat}-${slot}`);
  }
}
