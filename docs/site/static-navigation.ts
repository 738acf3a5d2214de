import { groupPages, type Page } from "./page.ts";

/**
 * Replaces the navigation that a script loads by a list of all written pages, for visitors without JavaScript; the script
 * replaces it again. Hides what does nothing without scripts. Adds the link to the playground.
 */
export function addStaticNavigation(html: string, pages: readonly Page[]): string {
  const base = /data-base="([^"]*)"/.exec(html)?.[1] ?? "./";
  const groups = groupPages(pages.slice(1));
  const items = [...groups].map(([group, members]) => {
    const links = members.map(
      ({ title, path }) => `<li><a href="${base}${path.replace(/\.md$/, ".html")}">${escape(title)}</a></li>`,
    );
    return `<li><span>${group}</span><ul>${links.join("")}</ul></li>`;
  });
  const reference = `<li><a href="${base}modules.html">API</a></li>`;
  return html
    .replace('<div id="tsd-toolbar-links">', (start) => `${start}<a href="${base}try/index.html">Try it</a>`)
    .replace("<li>Loading...</li>", () => `${items.join("")}${reference}`)
    .replace(
      "</head>",
      "<noscript><style>.settings, #tsd-search-trigger { display: none; }</style></noscript></head>",
    );
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
