import type { Action } from "svelte/action";
import { moves } from "./settings.svelte";

/** How far a pointer travels, in pixels, before a press becomes a drag. */
const THRESHOLD = 6;

export interface DragOptions {
  /** Whether it can be dragged now; when false, a press stays a press. Default: true. */
  enabled?: boolean;
  /** Where it stands, for those who are told of the drag. */
  at?: string;
  /** The drag has begun: show where it can be laid. */
  onlift?: (at: string | undefined) => void;
  /**
   * It was let go over an element with `data-drop`, whose value is `target`. What is dragged stays there until
   * the promise that this returns, if any, is settled.
   */
  ondrop?: (target: string) => unknown;
  /** The drag has ended, dropped or not. */
  onend?: () => void;
  /** It was pressed and let go without a drag. Leave it out where the element has a `click` handler. */
  ontap?: () => void;
}

/**
 * Let an element be dragged with mouse, pen or finger. It follows the pointer by `transform`; elements with
 * `data-drop="…"` are where it can be let go, and the one under the pointer carries `data-over`. While dragged, the
 * element carries `data-dragged` and the root `data-dragging`. Escape, or letting go elsewhere, puts it back.
 * A drag is followed by no `click`.
 */
export const drag: Action<HTMLElement, DragOptions> = (node, given) => {
  let options = given;
  let pointer: number | null = null;
  let from = { x: 0, y: 0 };
  let dragged = false;
  let over: HTMLElement | null = null;
  let swallow = false;

  const isEnabled = () => options.enabled !== false && Boolean(options.ondrop);
  const touchable = () => (node.style.touchAction = isEnabled() ? "none" : "");

  function targetAt(x: number, y: number): HTMLElement | null {
    for (const element of document.elementsFromPoint(x, y)) {
      if (node.contains(element)) continue;
      const target = element.closest<HTMLElement>("[data-drop]");
      if (target && target !== node) return target;
    }
    return null;
  }

  function hover(target: HTMLElement | null) {
    if (target === over) return;
    over?.removeAttribute("data-over");
    over = target;
    over?.setAttribute("data-over", "");
  }

  function down(event: PointerEvent) {
    if (!event.isPrimary || event.button !== 0 || pointer !== null) return;
    if (!isEnabled() && !options.ontap) return;
    swallow = false;
    pointer = event.pointerId;
    from = { x: event.clientX, y: event.clientY };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
    addEventListener("blur", cancel);
    addEventListener("keydown", key, true);
  }

  function move(event: PointerEvent) {
    if (event.pointerId !== pointer) return;
    const x = event.clientX - from.x, y = event.clientY - from.y;
    if (!dragged) {
      if (!isEnabled() || Math.hypot(x, y) < THRESHOLD) return;
      dragged = true;
      node.setPointerCapture(event.pointerId);
      node.setAttribute("data-dragged", "");
      document.documentElement.setAttribute("data-dragging", "");
      node.style.zIndex = "50";
      options.onlift?.(options.at);
    }
    event.preventDefault();
    node.style.transform = `translate(${x}px, ${y}px) rotate(-3deg) scale(1.06)`;
    hover(targetAt(event.clientX, event.clientY));
  }

  async function up(event: PointerEvent) {
    if (event.pointerId !== pointer) return;
    const wasDragged = dragged;
    const target = wasDragged ? targetAt(event.clientX, event.clientY)?.dataset.drop : undefined;
    release();
    if (!wasDragged) return options.ontap?.();
    swallow = true;
    setTimeout(() => (swallow = false), 0);
    try {
      if (target !== undefined) await options.ondrop?.(target);
    } finally {
      options.onend?.();
      putBack();
    }
  }

  function cancel() {
    const wasDragged = dragged;
    release();
    if (!wasDragged) return;
    options.onend?.();
    putBack();
  }

  function key(event: KeyboardEvent) {
    if (event.key !== "Escape" || !dragged) return;
    event.preventDefault();
    event.stopPropagation();
    swallow = true;
    cancel();
  }

  /** Stop following the pointer; the element stays where it is. */
  function release() {
    hover(null);
    pointer = null;
    dragged = false;
    document.documentElement.removeAttribute("data-dragging");
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("blur", cancel);
    removeEventListener("keydown", key, true);
  }

  function putBack() {
    const transform = node.style.transform;
    node.removeAttribute("data-dragged");
    node.style.transform = "";
    node.style.zIndex = "";
    if (transform && node.isConnected && moves()) node.animate([{ transform }, { transform: "none" }], { duration: 160, easing: "cubic-bezier(.2,.7,.2,1)" });
  }

  function click(event: MouseEvent) {
    if (!swallow) return;
    swallow = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  const native = (event: DragEvent) => event.preventDefault();
  node.addEventListener("pointerdown", down);
  node.addEventListener("click", click, true);
  node.addEventListener("dragstart", native);
  touchable();
  return {
    update(next) {
      options = next;
      touchable();
    },
    destroy() {
      cancel();
      node.removeEventListener("pointerdown", down);
      node.removeEventListener("click", click, true);
      node.removeEventListener("dragstart", native);
    },
  };
};
