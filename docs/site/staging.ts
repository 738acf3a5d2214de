import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import type { Page } from "./page.ts";

/** Writes the pages into a separate folder, where every link leads to another page or out of the site. */
export function stage(pages: readonly Page[], root: string, folder: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  const places = new Map(pages.map(({ source, path }) => [source, path]));
  return pages.map((page) => {
    const file = join(folder, page.path);
    mkdirSync(dirname(file), { recursive: true });
    const head =
      page.group === ""
        ? []
        : [
            `title: ${JSON.stringify(page.title)}`,
            `group: ${page.group}`,
            `path: ${page.path.replace(/\.md$/, "")}`,
          ];
    const frontMatter = head.length === 0 ? "" : `---\n${head.join("\n")}\n---\n\n`;
    writeFileSync(file, frontMatter + linked(page, places, root, folder));
    return file;
  });
}

/** Replaces links to files of the repository with links to their pages, or with text if there is no page. */
function linked(page: Page, places: ReadonlyMap<string, string>, root: string, folder: string): string {
  return outsideCode(page.text, (prose) =>
    prose.replaceAll(
      /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
      (whole, image: string, text: string, target: string) => {
        if (/^(?:https?:|#)/.test(target)) return whole;
        const [path = "", ...anchor] = target.split("#");
        const source = join(dirname(page.source), path).replace(/\/$/, "");
        const place = places.get(source) ?? places.get(`${source}/README.md`);
        const here = dirname(page.path);
        if (place !== undefined) return `[${text}](${[relative(here, place), ...anchor].join("#")})`;
        if (!existsSync(join(root, source))) throw new Error(`${page.source}: ${target} leads nowhere`);
        return image === "" ? text : `![${text}](${relative(join(folder, here), join(root, source))})`;
      },
    ),
  );
}

function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part) => (part.startsWith("```") ? part : change(part)))
    .join("");
}
