import { groupPages, type Page } from "./page.ts";

const install = "```sh\nnpm install shelfleet\n```\n";
const tableOfGuides = /^## Guides\n\n(.+\n\n)(?:\|.*\n)+\n/m;

/** Returns the start page of the site: README, with a card of links for each group of guides instead of their table. */
export function toLandingPage(readme: string, pages: readonly Page[]): string {
  if (!readme.includes(install) || !tableOfGuides.test(readme))
    throw new Error("README.md has no block with the installation, or no table of guides");
  const groups = groupPages(pages.filter(({ path }) => path.startsWith("docs/") || path === "gaps.md"));
  const cards = [...groups].map(
    ([group, guides]) =>
      `<div>\n\n**${group}**\n\n${guides.map(({ title, source }) => `- [${title}](${source})`).join("\n")}\n\n</div>`,
  );
  const links = `<div class="landing-links">\n\n[First calls](#call) [First test](#test) [Examples](examples/README.md)\n\n</div>`;
  return readme
    .replace(
      install,
      `${install}\n${links}\n\n<div class="landing-cards">\n\n${cards.join("\n\n")}\n\n</div>\n`,
    )
    .replace(tableOfGuides, "## Examples\n\n$1");
}
