import { get, post, Refused } from "$lib/http";
import type { Args } from "$lib/texts";
import type { Checked, Exported } from "$lib/wire";

/** Check the deal of a match that is over; what was found, in a sentence. */
export async function verified(
  table: string,
  t: (key: string, args?: Args) => string,
  error: (code: string, args?: Record<string, unknown>) => string,
): Promise<string> {
  try {
    const file = await get<Exported>(`/api/tables/${encodeURIComponent(table)}/export`);
    const checked = await post<Checked>("/api/verify", file);
    return checked.verified ? t("replay.verified") : t("replay.not_verified", { why: checked.why ?? "" });
  } catch (refused) {
    return refused instanceof Refused ? error(refused.code, refused.args) : error("internal");
  }
}
