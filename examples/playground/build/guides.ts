import { readFileSync } from "node:fs";
import markdownIt from "markdown-it";

/** A guide that the page links to. */
export interface GuideLink {
  /** The path, relative to the page. */
  file: string;
  title: string;
}

/** The guides of the checkout, in the order in which the page links to them. */
const GUIDES: [source: string, title: string][] = [
  ["README.md", "README"],
  ["docs/first-steps.md", "first steps"],
  ["docs/testing.md", "reference server"],
  ["docs/gaps.md", "open questions"],
  ["docs/errors.md", "errors"],
];

export const guideLinks: readonly GuideLink[] = GUIDES.map(([source, title]) => ({
  file: fileOf(source),
  title,
}));

/** The page of each guide, by its file. */
export function guidePages(root: URL): Map<string, string> {
  const markdown = markdownIt({ html: true });
  return new Map(
    GUIDES.map(([source, title]) => {
      const body = markdown.render(readFileSync(new URL(source, root), "utf8"));
      return [fileOf(source), pageOf(title, withAnchors(withAccess(withLinks(body, source))))];
    }),
  );
}

function fileOf(source: string): string {
  return `guides/${(source.split("/").at(-1) ?? source).replace(/\.md$/, "").toLowerCase()}.html`;
}

/** Links between these guides lead to their pages; other relative links become plain text, and images are left out. */
function withLinks(html: string, source: string): string {
  return html
    .replaceAll(/<img [^>]*>/g, "")
    .replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (link, href: string, text: string) => {
      if (/^(https?:|#)/.test(href)) return link;
      const { pathname, hash } = new URL(href, `file:///${source}`);
      const known = GUIDES.some(([guide]) => `/${guide}` === pathname);
      return known ? `<a href="${fileOf(pathname).replace("guides/", "")}${hash}">${text}</a>` : text;
    });
}

/** Makes code and tables scrollable by keyboard, and turns empty header cells into data cells. */
function withAccess(html: string): string {
  return html
    .replaceAll("<th></th>", "<td></td>")
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
}

/** Headings get the anchors that links in Markdown expect. */
function withAnchors(html: string): string {
  return html.replace(/<(h[1-6])>(.*?)<\/\1>/gs, (_, tag: string, text: string) => {
    const plain = text.replace(/<[^>]*>/g, "").toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    return `<${tag} id="${anchor}">${text}</${tag}>`;
  });
}

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 50rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
  pre { overflow: auto; padding: .6rem; border: 1px solid #8888 }
  .table { overflow-x: auto; overflow-wrap: normal }
  table { border-collapse: collapse }
  th, td { padding: .3rem .6rem; border: 1px solid #8888; text-align: left; vertical-align: top }`;

function pageOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: shelfleet</title>
<style>${STYLE}
</style>
<main>
${body}</main>
</html>
`;
}
