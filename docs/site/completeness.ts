import { existsSync } from "node:fs";
import type { EntryPoint } from "./interface.ts";
import { readPage } from "./links.ts";
import { modulePath } from "./page-router.ts";
import type { Page } from "./page.ts";

/** Returns the expected pages and gaps that the built site lacks. */
export function findMissing(
  site: string,
  pages: readonly Page[],
  entries: readonly EntryPoint[],
  gaps: readonly string[],
): string[] {
  const wanted = [
    "index.html",
    ...pages.slice(1).map(({ path }) => path.replace(/\.md$/, ".html")),
    ...entries.map(({ name }) => `${modulePath(name)}.html`),
  ];
  const without = wanted.filter((path) => !existsSync(`${site}/${path}`));
  if (without.length > 0) return without;
  const { ids } = readPage(`${site}/gaps.html`);
  return gaps
    .map(place)
    .filter((id) => !ids.has(id))
    .map((id) => `gaps.html#${id}`);
}

/** Returns the anchor of a gap on the page of all gaps. */
function place(gap: string): string {
  return gap.replace(".", "");
}
