import { get, post, Refused } from "$lib/http";
import type { Lang } from "$lib/texts";
import type { Begun, NewStudy, StudyInfo, StudyTold } from "$lib/wire";

const EVERY = 1000;
const LATER = 4000; // after an answer that did not come

/** A study that is watched: asked for again and again, until it has ended. */
export class Study {
  info = $state.raw<StudyInfo | null>(null);
  told = $state.raw<StudyTold | null>(null);
  /** It cannot be shown at all. */
  problem = $state.raw<Refused | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLeft = false;
  private toldOf = "";

  constructor(
    readonly id: string,
    private lang: Lang,
  ) {}

  /** Begin a study; throws `Refused`. */
  static async begin(wanted: NewStudy, lang: Lang): Promise<Study> {
    const { study } = await post<Begun>("/api/lab/studies", wanted);
    return new Study(study, lang);
  }

  get isRunning(): boolean {
    return this.info?.status === "running";
  }

  /** Watch it, until it is left. */
  async watch(): Promise<void> {
    clearTimeout(this.timer);
    try {
      const info = await get<StudyInfo>(`/api/lab/studies/${this.id}`);
      await this.tell(info);
      if (this.isLeft) return;
      this.info = info;
      if (info.status === "running") this.timer = setTimeout(() => void this.watch(), EVERY);
    } catch (error) {
      if (this.isLeft) return;
      const refused = error instanceof Refused ? error : new Refused("internal");
      if (refused.status === 404) this.problem = refused;
      else this.timer = setTimeout(() => void this.watch(), LATER); // nothing is lost meanwhile
    }
  }

  /** Let it say the same in another language. */
  async speak(lang: Lang): Promise<void> {
    this.lang = lang;
    if (this.info) await this.tell(this.info);
  }

  /** End it with what is known; throws `Refused`. */
  async stop(): Promise<void> {
    await post(`/api/lab/studies/${this.id}/stop`);
    await this.watch();
  }

  leave(): void {
    this.isLeft = true;
    clearTimeout(this.timer);
  }

  private async tell(info: StudyInfo): Promise<void> {
    const wanted = `${info.look.number} ${this.lang}`;
    if (!info.look.matches || this.toldOf === wanted) return;
    const told = await get<StudyTold>(`/api/lab/studies/${this.id}/told/${this.lang}`);
    [this.told, this.toldOf] = [told, wanted];
  }
}
