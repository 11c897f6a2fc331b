/** The shapes and inks of avatars: the octagon, circle, lozenge, square, hexagon and shield. */
export const SHAPES = 6;

/**
 * The shape of a seat as its reader sees it: the octagon is the reader's own, the others keep the order of the
 * seats. `you` is null for those who watch.
 */
export function shapeOf(seat: number, you: number | null): number {
  if (you === null) return seat % SHAPES;
  return seat === you ? 0 : seat < you ? seat + 1 : seat;
}
