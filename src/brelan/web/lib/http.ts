/** What the server, or the way to it, refuses: a code of the protocol, and what it speaks of. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly args: Record<string, unknown> = {},
    readonly status = 0,
  ) {
    super(code);
  }
}

/** Ask the server; throws `Refused`, with the code `offline` where nobody answers. */
export async function call<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused("offline");
  }
  const isJson = (response.headers.get("content-type") ?? "").includes("json");
  if (response.ok) return (isJson ? await response.json() : await response.text()) as T;
  const failed = isJson ? ((await response.json()) as { code?: string; args?: object }) : {};
  throw new Refused(failed.code ?? "internal", { ...failed.args }, response.status);
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>("POST", path, body);
