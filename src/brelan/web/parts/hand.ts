/** A row of a hand: the first item in it, how many, and how far from one card to the next, in pixels. */
export interface HandRow {
  from: number;
  count: number;
  step: number;
}

/** How a hand is laid out. */
export interface HandLayout {
  rows: HandRow[];
  /** Rows above the last show this share of a card's height. */
  shown: number;
}

/** By touch this many pixels of each card stay in sight; with a mouse fewer do. */
export const TOUCH = 44;
export const MOUSE = 28;
/** Cards in one row of a phone. */
const PHONE_ROW = 8;

/**
 * Lay `count` cards of width `card` into `width` pixels, `gap` apart when there is room. On a phone up to eight stand
 * in a row, more in two, then three, of which the upper ones show their tops; elsewhere one row, and two only when
 * cards would be covered too much.
 */
export function layHand(count: number, width: number, card: number, gap: number, isTouch: boolean, isPhone: boolean): HandLayout {
  const least = isTouch ? TOUCH : MOUSE;
  const fits = Math.max(1, Math.floor((width - card) / least) + 1);
  const most = isPhone ? Math.min(PHONE_ROW, fits) : fits;
  const lines = Math.max(1, Math.ceil(count / most));
  const rows: HandRow[] = [];
  for (let line = 0, from = 0; line < lines; line++) {
    const cards = Math.ceil((count - from) / (lines - line));
    const step = cards > 1 ? Math.min(card + gap, (width - card) / (cards - 1)) : card + gap;
    rows.push({ from, count: cards, step });
    from += cards;
  }
  return { rows, shown: lines > 2 ? 0.43 : 0.56 };
}
