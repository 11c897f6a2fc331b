/** Which window of this browser plays a seat: the one that took it last. Nothing but that is said. */

interface Taken {
  seat: string;
  window: string;
}

/** A seat in this window. Windows that have the same one open are told when it is taken here. */
export class SeatWindow {
  isElsewhere = $state(false);
  private readonly own = Math.random().toString(36).slice(2);
  private readonly name: string;
  private readonly channel: BroadcastChannel | null;

  constructor(table: string, seat: number | null) {
    this.name = `${table} ${seat}`;
    this.channel = seat === null || typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("brelan.seats");
    if (this.channel) this.channel.onmessage = ({ data }: MessageEvent<Taken>) => this.hear(data);
    this.take();
  }

  /** Play here; the other windows let go. */
  take(): void {
    this.isElsewhere = false;
    this.channel?.postMessage({ seat: this.name, window: this.own } satisfies Taken);
  }

  close(): void {
    this.channel?.close();
  }

  private hear({ seat, window }: Taken): void {
    if (seat === this.name && window !== this.own) this.isElsewhere = true;
  }
}
