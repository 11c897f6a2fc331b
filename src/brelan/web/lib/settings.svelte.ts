import type { Lang } from "./texts";

export type Theme = "system" | "light" | "dark";

interface Kept {
  lang: Lang;
  theme: Theme;
  sound: boolean;
  volume: number;
  speed: 0 | 0.5 | 1 | 2;
  letters: boolean;
}

const KEY = "brelan.settings";

function preferred(): Lang {
  const first = navigator.languages.find((each) => /^(fr|en)\b/i.test(each));
  return first?.toLowerCase().startsWith("fr") ? "fr" : "en";
}

function kept(): Partial<Kept> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>;
  } catch {
    return {};
  }
}

/** What somebody has chosen for this browser: kept there, and nowhere else. */
class Settings {
  lang = $state<Lang>(preferred());
  theme = $state<Theme>("system");
  sound = $state(false);
  volume = $state(0.7);
  /** How fast things move; 0: nothing travels. */
  speed = $state<Kept["speed"]>(1);
  /** Whether single letters are keys. */
  letters = $state(true);

  constructor() {
    const found = kept();
    if (found.lang === "fr" || found.lang === "en") this.lang = found.lang;
    if (found.theme && ["system", "light", "dark"].includes(found.theme)) this.theme = found.theme;
    if (typeof found.sound === "boolean") this.sound = found.sound;
    if (typeof found.volume === "number") this.volume = found.volume;
    if (found.speed !== undefined && [0, 0.5, 1, 2].includes(found.speed)) this.speed = found.speed;
    if (typeof found.letters === "boolean") this.letters = found.letters;
  }

  /** Keep what is chosen, and show it on the page; call it inside an effect. */
  apply(): void {
    const { lang, theme, sound, volume, speed, letters } = this;
    document.documentElement.lang = lang;
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    document.documentElement.dataset["motion"] = speed === 0 ? "none" : "";
    try {
      localStorage.setItem(KEY, JSON.stringify({ lang, theme, sound, volume, speed, letters }));
    } catch {
      // A browser that keeps nothing plays as well.
    }
  }
}

export const settings = new Settings();

/** Whether things may travel over the page. */
export function moves(): boolean {
  return settings.speed > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
let systemIsDark = $state(dark.matches);
dark.addEventListener("change", () => (systemIsDark = dark.matches));

/** Whether the page is dark now. */
export function isDark(): boolean {
  return settings.theme === "system" ? systemIsDark : settings.theme === "dark";
}
