import { get, post, Refused } from "$lib/http";
import type { Lang } from "$lib/texts";
import type { Begun, ComparisonInfo, ComparisonTold, NewComparison, NewStudy, StudyInfo, StudyTold } from "$lib/wire";

const EVERY = 1000;
const LATER = 4000; // after an answer that did not come

/** A study or a comparison that is watched: asked for again and again, until it has ended. */
export class Watched<Info extends StudyInfo | ComparisonInfo, Told> {
  info = $state.raw<Info | null>(null);
  told = $state.raw<Told | null>(null);
  /** It cannot be shown at all. */
  problem = $state.raw<Refused | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLeft = false;
  private toldOf = "";

  constructor(
    private readonly kind: "studies" | "comparisons",
    readonly id: string,
    private lang: Lang,
  ) {}

  get isRunning(): boolean {
    return this.info?.status === "running";
  }

  /** Watch it, until it is left. */
  async watch(): Promise<void> {
    clearTimeout(this.timer);
    try {
      const info = await get<Info>(this.path);
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
    await post(`${this.path}/stop`);
    await this.watch();
  }

  leave(): void {
    this.isLeft = true;
    clearTimeout(this.timer);
  }

  private get path(): string {
    return `/api/lab/${this.kind}/${this.id}`;
  }

  private async tell(info: Info): Promise<void> {
    const wanted = `${info.look.number} ${this.lang}`;
    if (!info.look.matches || this.toldOf === wanted) return;
    const told = await get<Told>(`${this.path}/told/${this.lang}`);
    [this.told, this.toldOf] = [told, wanted];
  }
}

export type Study = Watched<StudyInfo, StudyTold>;
export type Comparison = Watched<ComparisonInfo, ComparisonTold>;

export const studyOf = (id: string, lang: Lang): Study => new Watched("studies", id, lang);
export const comparisonOf = (id: string, lang: Lang): Comparison => new Watched("comparisons", id, lang);

/** Begin a study; throws `Refused`. */
export async function study(wanted: NewStudy, lang: Lang): Promise<Study> {
  return studyOf((await post<Begun>("/api/lab/studies", wanted)).study, lang);
}

/** Begin a comparison; throws `Refused`. */
export async function compare(wanted: NewComparison, lang: Lang): Promise<Comparison> {
  return comparisonOf((await post<Begun>("/api/lab/comparisons", wanted)).study, lang);
}
