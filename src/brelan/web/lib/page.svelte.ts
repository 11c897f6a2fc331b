import { pageTexts } from "./house";
import { settings } from "./settings.svelte";
import type { Args, Texts } from "./texts";

/** The texts of the page, in the language that is chosen: `page.t("error.home")`. */
class Page {
  texts = $state.raw<Texts | null>(null);

  /** Take the texts of the language; call it inside an effect. */
  async translate(): Promise<void> {
    const { lang } = settings;
    const found = await pageTexts(lang);
    if (settings.lang === lang) this.texts = found;
  }

  t = (key: string, args: Args = {}): string => this.texts?.say(key, args) ?? "";

  /** What a refusal means, in a sentence. */
  error = (code: string, args: Record<string, unknown> = {}): string => {
    const key = `error.${code}`;
    return this.texts?.has(key) ? this.t(key, args as Args) : this.t("error.unknown", { code });
  };
}

export const page = new Page();
