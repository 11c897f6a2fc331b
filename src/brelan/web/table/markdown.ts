import { Marked } from "marked";

/** A heading of a rulebook that has a number: `7.3`, the Spy's bonus. */
export interface Heading {
  section: string;
  title: string;
  /** 1 for a chapter, 2 for a part of one. */
  depth: number;
}

interface Options {
  /** The rank of the title among headings; otherwise 2. */
  level?: number;
  /** Where a section is to be found: with it `§7.3` becomes a link wherever it is named. */
  link?: (section: string) => string;
}

const KINDS = ["title", "chapter", "part"] as const;
const escaped = (text: string) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
const sectionOf = (heading: string) => /^§?(\d+(?:\.\d+)*)/.exec(heading)?.[1];

function markedAt(level: number): Marked {
  return new Marked({
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens, depth, text }) {
        const section = sectionOf(text);
        const kind = KINDS[depth - 1] ?? "part";
        const mark = section ? ` data-section="${section}" id="section-${section}"` : "";
        const rank = depth + level - 1;
        return `<h${rank} class="${kind}"${mark}>${this.parser.parseInline(tokens).replace(/^§\S+/, '<span class="number">$&</span>')}</h${rank}>`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) => row.map((cell) => (cell.text || tag === "td" ? `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>` : "<td></td>")).join("");
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
        return `<div class="scroll" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${rows}</tbody></table></div>`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
      },
      link({ tokens }) {
        return this.parser.parseInline(tokens); // other files of the repository are not pages
      },
    },
  });
}

/** A rulebook as HTML; headings carry `data-section`, and are of the class `title`, `chapter` or `part`. */
export async function toHtml(markdown: string, { level = 2, link }: Options = {}): Promise<string> {
  const html = await markedAt(level).parse(markdown);
  if (!link) return html;
  const there = new Set(contentsOf(markdown).map(({ section }) => section));
  return html.replace(/<h\d[^>]*>.*?<\/h\d>|<pre.*?<\/pre>|<[^>]+>|§(\d+(?:\.\d+)*)/gs, (found, section?: string) =>
    section && there.has(section) ? `<a href="${escaped(link(section))}">${found}</a>` : found,
  );
}

/** The numbered headings of a rulebook, in their order. */
export function contentsOf(markdown: string): Heading[] {
  const found: Heading[] = [];
  for (const [, signs = "", text = ""] of markdown.matchAll(/^(#{2,3}) (.+)$/gm)) {
    const section = sectionOf(text);
    if (section) found.push({ section, title: text.replace(/^§\S+\s*/, "").replace(/[*`_]/g, ""), depth: signs.length - 1 });
  }
  return found;
}
