import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { readGaps } from "../../specs/generate/gaps.ts";
import { gapsPage } from "./gaps-page.ts";
import type { Page } from "./page.ts";

/** The guides by task, in the order in which people come to them. */
export const guides = {
  Start: ["first-steps", "production", "errors", "runtimes"],
  Data: ["lists", "sync", "write", "guarantees"],
  Tests: ["testing", "faults", "other-languages", "prove"],
  Services: ["doctor"],
  Tables: ["scenarios", "operations"],
};

/** The table of gaps; on the site its page describes each gap in full. */
const gapsGuide = "docs/gaps.md";

/** All pages; the first is where the site begins. */
export function allPages(root: string): Page[] {
  const read = (source: string): string => readFileSync(root + source, "utf8");
  const known = globSync("docs/[a-z]*.md", { cwd: root });
  const lost = known.filter(
    (path) => path !== gapsGuide && !Object.values(guides).flat().includes(basename(path, ".md")),
  );
  if (lost.length > 0) throw new Error(`${lost.join(", ")}: a guide without a place in docs/site/pages.ts`);
  const document = (source: string, group: string, name = source): Page => ({
    source,
    path: name,
    group,
    ...titled(read(source)),
  });
  const others = [
    ...Object.entries(guides).flatMap(([group, names]) =>
      names.map((name) => document(`docs/${name}.md`, group)),
    ),
    {
      source: gapsGuide,
      path: "gaps.md",
      group: "Tables",
      title: "What the contracts leave open: gaps and readings",
      text: gapsPage(introductionOf(read(gapsGuide)), readGaps()),
    },
    { ...document("examples/README.md", "Examples"), title: "About the examples" },
    ...programs(root).map((source) => document(source, "Examples", `${dirname(source)}.md`)),
    ...globSync("examples/*.ts", { cwd: root })
      .toSorted()
      .map((source) => program(source, read(source))),
    document("bench/README.md", "Project", "bench.md"),
    document("CHANGELOG.md", "Project", "CHANGELOG.md"),
    document("docs/CONTRIBUTING.md", "Project", "CONTRIBUTING.md"),
    document("docs/SECURITY.md", "Project", "SECURITY.md"),
  ];
  return [document("README.md", ""), ...others];
}

/** What the guide of the gaps says before its table. */
function introductionOf(guide: string): string {
  const [introduction = ""] = titled(guide).text.split("\n## All gaps\n");
  return introduction;
}

/** The folders of `examples/` that explain themselves. */
function programs(root: string): string[] {
  return globSync("examples/*/README.md", { cwd: root }).toSorted();
}

/** The first heading is the title of its page. */
function titled(text: string): { title: string; text: string } {
  const [, title = "", rest = ""] = /^# ([^\n]*)\n(.*)$/s.exec(text) ?? [];
  return { title, text: rest.trimStart() };
}

/** A file with code: what its first comment says, then all of it. */
function program(source: string, code: string): Page {
  const [comment = ""] = /^(?:\/\/.*\n)+/.exec(code) ?? [];
  const description = comment
    .replaceAll(/^\/\/ ?/gm, "")
    .replaceAll(
      /(?:^ {2,}\S.*\n)+/gm,
      (commands) => `\`\`\`text\n${commands.replaceAll(/^ +/gm, "")}\`\`\`\n`,
    );
  const text = `${description}\n\`\`\`ts\n${code.slice(comment.length)}\`\`\`\n`;
  return { source, path: source.replace(/\.ts$/, ".md"), group: "Examples", title: basename(source), text };
}
