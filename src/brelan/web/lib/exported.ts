import { post, Refused } from "./http";
import type { Checked, Exported } from "./wire";

/** Why a file is not good: the last part of a key `verify.why.…`. */
export type Fault = "other_rules" | "changed" | "game" | "moves" | "not_a_match" | "result" | "secret" | "too_large";

/** What came of a file: what it holds, or why it is not good. */
export type Found = { file: Exported; checked: Checked } | { fault: Fault; said: string };

/** How the server begins what it says of a file, in the order in which it looks. */
const SAID: [RegExp, Fault][] = [
  [/^this is not an exported match/, "not_a_match"],
  [/^exported in format/, "other_rules"],
  [/^unknown game/, "game"],
  [/^played by version/, "other_rules"],
  [/^the secret is not/, "secret"],
  [/^the moves lead to another result/, "result"],
  [/^event \d+|^this exported match does not replay|^something was taken back/, "moves"],
];

const faultOf = (why: string): Fault => SAID.find(([begins]) => begins.test(why))?.[1] ?? "changed";

/** Have a file checked that is said to be an exported match; throws `Refused` where the server cannot do it. */
export async function check(text: string): Promise<Found> {
  let file: Exported;
  try {
    file = JSON.parse(text) as Exported;
  } catch {
    return { fault: "not_a_match", said: "" };
  }
  if (typeof file !== "object" || file === null || !("brelan_match" in file)) return { fault: "not_a_match", said: "" };
  try {
    const checked = await post<Checked>("/api/verify", file);
    if (checked.verified) return { file, checked };
    return { fault: faultOf(checked.why ?? ""), said: checked.why ?? "" };
  } catch (refused) {
    if (refused instanceof Refused && refused.code === "too_large") return { fault: "too_large", said: "" };
    if (refused instanceof Refused && refused.code === "bad_request") return { fault: "not_a_match", said: "" };
    throw refused;
  }
}
