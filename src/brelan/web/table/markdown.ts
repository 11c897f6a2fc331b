import { Marked } from "marked";

const escaped = (text: string) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

const marked = new Marked({
  renderer: {
    html: ({ text }) => escaped(text),
    heading({ tokens, depth, text }) {
      const section = /^§?(\d+(?:\.\d+)*)/.exec(text)?.[1];
      const mark = section ? ` data-section="${section}" id="section-${section}"` : "";
      return `<h${depth + 1}${mark}>${this.parser.parseInline(tokens)}</h${depth + 1}>`;
    },
    table(token) {
      const cells = (row: typeof token.header, tag: string) => row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
      const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
      return `<div class="scroll" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${rows}</tbody></table></div>`;
    },
    link({ tokens }) {
      return this.parser.parseInline(tokens); // other files of the repository are not pages
    },
  },
});

/** A rulebook as HTML; headings carry `data-section`. */
export async function toHtml(markdown: string): Promise<string> {
  return marked.parse(markdown);
}
