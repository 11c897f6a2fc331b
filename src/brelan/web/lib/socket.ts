import { Refused } from "./http";
import type { Command, Failed, Hinted, Message } from "./wire";

/** How the way to the server is. `elsewhere`: it refuses this socket; `error` says why. */
export type Link = "opening" | "open" | "lost" | "refused";

type Answered = { resolve: (answer: Hinted | null) => void; reject: (error: Refused) => void };
type WithoutId<C> = C extends unknown ? Omit<C, "id"> : never;

export interface Listener {
  /** The last ply that is known, to go on from; null: nothing is known yet. */
  since(): number | null;
  hear(message: Message): void;
  changed(link: Link, error: Refused | null): void;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const ALIVE_EVERY = 20_000;
const ANSWER_WITHIN = 10_000;
const OWN_CODES = 4000;

/**
 * A socket at a table that comes back by itself. A command that was not answered is sent again:
 * the server knows by its ply whether it was stored.
 */
export class TableSocket {
  private socket: WebSocket | null = null;
  private waiting = new Map<number, { command: Command; answered: Answered }>();
  private next = 1;
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private heardAt = 0;
  private isClosed = false;
  private refused: Failed | null = null;

  constructor(
    private readonly path: string,
    private readonly listener: Listener,
  ) {
    this.open();
    addEventListener("online", this.again);
    document.addEventListener("visibilitychange", this.again);
  }

  /** Say something; resolves when the server has answered, and rejects with its refusal. */
  ask(command: WithoutId<Command>): Promise<Hinted | null> {
    const id = this.next++;
    const whole = { ...command, id } as Command;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { command: whole, answered: { resolve, reject } });
      this.send(whole);
    });
  }

  /** Try to connect now rather than later. */
  again = (): void => {
    if (this.isClosed || document.visibilityState === "hidden") return;
    if (this.socket === null) {
      clearTimeout(this.timer);
      this.open();
    }
  };

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearInterval(this.pulse);
    removeEventListener("online", this.again);
    document.removeEventListener("visibilitychange", this.again);
    this.socket?.close();
    for (const { answered } of this.waiting.values()) answered.reject(new Refused("offline"));
    this.waiting.clear();
  }

  private open(): void {
    const since = this.listener.since();
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    if (since !== null) url.searchParams.set("since", String(since));
    const socket = new WebSocket(url);
    this.socket = socket;
    this.refused = null;
    this.listener.changed("opening", null);
    let isFirst = true;
    socket.onmessage = (event) => {
      this.heardAt = Date.now();
      const message = JSON.parse(event.data as string) as Message;
      if (isFirst && message.t !== "error") {
        isFirst = false;
        this.wait = FIRST_WAIT;
        this.listener.changed("open", null);
        this.beat(socket);
        queueMicrotask(() => this.resend(socket));
      }
      this.take(message);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      clearInterval(this.pulse);
      if (this.isClosed) return;
      const isRefused = this.refused !== null && event.code > OWN_CODES && event.code !== 4029;
      if (isRefused && this.refused && !["shutting_down", "database_unavailable"].includes(this.refused.code)) {
        this.listener.changed("refused", new Refused(this.refused.code, this.refused.args));
        return;
      }
      this.listener.changed("lost", null);
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  /** Notice a connection that died without a word. */
  private beat(socket: WebSocket): void {
    clearInterval(this.pulse);
    this.pulse = setInterval(() => {
      if (Date.now() - this.heardAt > ALIVE_EVERY + ANSWER_WITHIN) socket.close();
      else if (Date.now() - this.heardAt > ALIVE_EVERY - 1000) this.send({ t: "ping", id: 0 });
    }, ALIVE_EVERY / 2);
  }

  private resend(socket: WebSocket): void {
    for (const { command } of this.waiting.values()) {
      if (this.socket === socket) this.send(command);
    }
  }

  private send(command: Command): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  private take(message: Message): void {
    const id = "id" in message ? (message.id ?? null) : null;
    if (message.t === "error" && id === null) this.refused = message;
    const waiting = id === null ? undefined : this.waiting.get(id);
    if (id !== null) this.waiting.delete(id);
    if (message.t === "done") waiting?.answered.resolve(null);
    else if (message.t === "hint") waiting?.answered.resolve(message);
    else if (message.t === "error") waiting?.answered.reject(new Refused(message.code, message.args));
    else this.listener.hear(message);
  }
}
