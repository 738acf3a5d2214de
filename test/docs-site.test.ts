import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findMissing } from "../docs/site/completeness.ts";
import { followLinks } from "../docs/site/links.ts";
import { allPages } from "../docs/site/pages.ts";
import { stage } from "../docs/site/staging.ts";
import { addStaticNavigation } from "../docs/site/static-navigation.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "shelfleet-site-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

test("the docs site reports links to missing pages, files and headings, and ignores links to other sites", () => {
  write("style.css", "");
  write(
    "index.html",
    '<link href="style.css"> <a href="docs/a.html#b">b</a> <a href="https://example.com">c</a>',
  );
  write(
    "docs/a.html",
    '<h2 id="b">b</h2> <a href="#c">c</a> <a href="../none.html">d</a> <img src="../e.svg">',
  );
  expect(followLinks(folder)).toEqual({
    pages: 2,
    links: 5,
    dead: ["docs/a.html: #c", "docs/a.html: ../none.html", "docs/a.html: ../e.svg"],
  });
});

test("the docs site is incomplete without a page for every guide, entry point and gap", () => {
  const start = { source: "README.md", path: "README.md", group: "", title: "", text: "" };
  const pages = [start, { ...start, path: "docs/sync.md" }];
  const entries = [{ name: "shelfleet/mock", file: "", about: "" }];
  expect(findMissing(folder, pages, entries, [])).toEqual([
    "index.html",
    "docs/sync.html",
    "api/shelfleet-mock.html",
  ]);
  for (const path of ["index.html", "docs/sync.html", "api/shelfleet-mock.html"]) write(path, "");
  write("gaps.html", '<h3 id="photosstatus">photos.status</h3>');
  expect(findMissing(folder, pages, entries, ["photos.status", "keys.hex-case"])).toEqual([
    "gaps.html#keyshex-case",
  ]);
});

test("the docs site rewrites links to its own pages, turns links to other files into text, and rejects links to missing files", () => {
  const page = (source: string, text: string) => ({ source, path: source, group: "Guides", title: "", text });
  const root = new URL("..", import.meta.url).pathname;
  const stageText = (text: string): string => {
    const [, guide = ""] = stage([page("examples/README.md", ""), page("docs/sync.md", text)], root, folder);
    return readFileSync(guide, "utf8");
  };
  expect(stageText("[a](../examples#b), [c](../LICENSE), [d](#e)")).toContain(
    "[a](../examples/README.md#b), c, [d](#e)",
  );
  expect(stageText("![f](../docs/site/favicon.svg)")).toMatch(/!\[f\]\(.*\/docs\/site\/favicon\.svg\)/);
  expect(() => stageText("[c](../lost.md)")).toThrow("docs/sync.md: ../lost.md leads nowhere");
  expect(stageText("```ts\n[c](../lost.md)\n```\n")).toContain("[c](../lost.md)");
});

test("the docs site gives every page a title, and its page of gaps begins as the guide does", () => {
  const pages = allPages(new URL("..", import.meta.url).pathname);
  expect(pages.map(({ title }) => title)).not.toContain("");
  const gaps = pages.find(({ path }) => path === "gaps.md");
  expect(gaps?.text).toMatch(/^```ts\n/);
  expect(gaps?.text).toContain("## Options of the clients");
});

test("the docs site has a navigation without JavaScript", () => {
  const page = { source: "docs/sync.md", path: "docs/sync.md", group: "Lists", title: "Sync <x>", text: "" };
  const html = '<html data-base="../"><head></head><ul><li>Loading...</li></ul></html>';
  const result = addStaticNavigation(html, [page, page]);
  expect(result).toContain(
    '<li><span>Lists</span><ul><li><a href="../docs/sync.html">Sync &lt;x></a></li></ul></li>',
  );
  expect(result).not.toContain("Loading");
});
