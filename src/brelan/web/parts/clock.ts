/** Below this many milliseconds a clock is low. */
export const LOW = 20_000;

/** A time that is left, in milliseconds: days from 48 hours on, h:mm from an hour on, else mm:ss. Tenths are not shown. */
export function timeLeft(ms: number, day = "d"): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds >= 48 * 3600) return `${Math.floor(seconds / 86400)}\u00a0${day}`;
  const minutes = Math.floor(seconds / 60);
  const two = (n: number) => String(n).padStart(2, "0");
  return minutes >= 60 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
