import type { Lang } from "./texts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The day on which a moment falls, counted in days; moments are in seconds. */
function dayOf(seconds: number): number {
  const day = new Date(seconds * 1000);
  return Math.round(Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / 1000 / DAY);
}

/** When something was, in words: "five minutes ago", "yesterday", "last week"; both are seconds since 1970. */
export function ago(then: number, lang: Lang, now: number = Date.now() / 1000): string {
  const said = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  const passed = Math.max(0, now - then);
  const days = dayOf(now) - dayOf(then);
  if (passed < MINUTE) return said.format(0, "second");
  if (passed < HOUR) return said.format(-Math.round(passed / MINUTE), "minute");
  if (days <= 0) return said.format(-Math.round(passed / HOUR), "hour");
  if (days < 7) return said.format(-days, "day");
  if (days < 30) return said.format(-Math.floor(days / 7), "week");
  return new Intl.DateTimeFormat(lang, { day: "numeric", month: "long", year: "numeric" }).format(new Date(then * 1000));
}
