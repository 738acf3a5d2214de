import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";

/** A page of the site that is written from a file of the repository. */
export interface Page {
  /** Below the root of the repository. */
  readonly source: string;
  /** The path of the page on the site, without slashes at the ends. */
  readonly slug: string;
  readonly title: string;
  readonly text: string;
}

/** Returns the pages of the guides, the examples and the project. */
export function readPages(root: string): Page[] {
  const read = (source: string): string => readFileSync(join(root, source), "utf8");
  const document = (source: string, slug: string): Page => ({ source, slug, ...splitTitle(read(source)) });
  return [
    ...globSync("docs/[a-z]*.md", { cwd: root }).map((source) =>
      document(source, `guides/${basename(source, ".md")}`),
    ),
    document("examples/README.md", "examples/overview"),
    ...globSync("examples/*/README.md", { cwd: root }).map((source) =>
      document(source, `examples/${basename(dirname(source))}`),
    ),
    ...globSync("examples/*.ts", { cwd: root }).map((source) => toProgramPage(source, read(source))),
    document("CHANGELOG.md", "project/changelog"),
    document("docs/CONTRIBUTING.md", "project/contributing"),
    document("docs/SECURITY.md", "project/security"),
    document("bench/README.md", "project/benchmarks"),
  ];
}

/** The first heading is the title of the page. */
function splitTitle(text: string): { title: string; text: string } {
  const [, title = "", rest = ""] = /^# ([^\n]*)\n(.*)$/s.exec(text) ?? [];
  return { title, text: rest.trimStart() };
}

/** A program: what its first comment says, then its code. */
function toProgramPage(source: string, code: string): Page {
  const [comment = ""] = /^(?:\/\/.*\n)+/.exec(code) ?? [];
  const description = comment
    .replaceAll(/^\/\/ ?/gm, "")
    .replaceAll(/(?:^ {2,}\S.*\n)+/gm, (lines) => `\`\`\`sh\n${lines.replaceAll(/^ +/gm, "")}\`\`\`\n`);
  const name = basename(source);
  const text = `${description}\n\`\`\`ts\n${code.slice(comment.length)}\`\`\`\n`;
  return { source, slug: `examples/${name.replaceAll(".", "-")}`, title: name, text };
}

/** Writes the pages with front matter. Links to files of the repository lead to their pages, or become text. */
export function writePages(pages: readonly Page[], root: string, folder: string): void {
  for (const name of ["guides", "examples", "project", "interface"])
    rmSync(join(folder, name), { recursive: true, force: true });
  const slugs = new Map(pages.map(({ source, slug }) => [source, slug]));
  slugs.set("README.md", "");
  for (const page of pages) {
    const file = join(folder, `${page.slug}.md`);
    mkdirSync(dirname(file), { recursive: true });
    const head = [`title: ${JSON.stringify(page.title)}`, "editUrl: false"];
    writeFileSync(file, `---\n${head.join("\n")}\n---\n\n${linkPages(page, slugs, root)}`);
  }
}

/** Replaces links to files of the repository. @throws if one leads nowhere */
export function linkPages({ source, text }: Page, slugs: ReadonlyMap<string, string>, root: string): string {
  return outsideCode(text, (prose) =>
    prose.replaceAll(
      /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
      (whole, image: string, words: string, target: string) => {
        if (/^(?:https?:|#)/.test(target)) return whole;
        const [path = "", anchor] = target.split("#");
        const file = join(dirname(source), path).replace(/\/$/, "");
        const slug = slugs.get(file) ?? slugs.get(`${file}/README.md`);
        const hash = anchor === undefined ? "" : `#${anchor}`;
        if (slug !== undefined) return `[${words}](${`/${slug}/`.replace("//", "/")}${hash})`;
        if (!existsSync(join(root, file))) throw new Error(`${source}: ${target} leads nowhere`);
        return image === "" ? words : `![${words}](/images/${basename(file)})`;
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
