import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { linkPages, readPages } from "../content.ts";
import { guides } from "../sidebar.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const reports = fileURLToPath(new URL("../reports", import.meta.url));
const axe = fileURLToPath(import.meta.resolve("axe-core"));
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
// Debian's, without windows if it is there
const executablePath =
  process.env["CHROMIUM"] ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path)) ??
  "chromium";
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** One page of each kind. */
const kinds = {
  landing: "/",
  guide: "/guides/sync/",
  operation: "/api/store/operations/getstore/",
  interface: "/interface/shelfleet/sync/",
  example: "/examples/overview/",
};

/** Words that people search for, and the page that must be among the first results. */
const searches = {
  "rate limit": "/guides/errors/",
  mirror: "/guides/sync/",
  certificate: "/guides/runtimes/",
  "resume token": "/guides/lists/",
};

void describe("the content of the site", () => {
  void it("has every guide in the sidebar", () => {
    const listed = Object.values(guides).flat().map(String);
    const present = globSync("docs/[a-z]*.md", { cwd: root }).map((file) => file.slice(5, -3));
    assert.deepEqual(listed.toSorted(), present.toSorted());
  });

  void it("gives every page a title", () => {
    assert.deepEqual(
      readPages(root).filter(({ title }) => title === ""),
      [],
    );
  });

  void it("leads links to pages of the site, turns others into text, and refuses dead ones", () => {
    const slugs = new Map([["docs/sync.md", "guides/sync"]]);
    const link = (text: string): string =>
      linkPages({ source: "docs/lists.md", slug: "guides/lists", title: "", text }, slugs, root);
    assert.equal(link("[a](sync.md#pull) [b](../LICENSE)"), "[a](/guides/sync/#pull) b");
    assert.equal(link("```ts\n[a](none.md)\n```\n"), "```ts\n[a](none.md)\n```\n");
    assert.throws(() => link("[a](none.md)"), /docs\/lists\.md: none\.md leads nowhere/);
  });
});

void describe("the site", () => {
  let browser: Browser;
  let server: Server;
  let origin: string;

  before(async () => {
    assert.ok(existsSync(join(dist, "index.html")), "npm run docs comes first");
    server = createServer(({ url = "/" }, response) => {
      const path = join(dist, decodeURIComponent(new URL(url, "http://x").pathname));
      const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
      if (!existsSync(file)) return void response.writeHead(404).end();
      response.setHeader("content-type", types[extname(file)] ?? "text/plain").end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath, args });
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  async function open(path: string, width: number, colorScheme: "light" | "dark"): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    const response = await page.goto(origin + path, { waitUntil: "networkidle" });
    assert.equal(response?.status(), 200, path);
    assert.deepEqual(problems, []);
    return page;
  }

  for (const [kind, path] of Object.entries(kinds))
    for (const [width, scheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const)
      void it(`has no accessibility problem and does not scroll sideways: ${kind}, ${width} px, ${scheme}`, async () => {
        const page = await open(path, width, scheme);
        await page.addScriptTag({ path: axe });
        const found = await page.evaluate(async () => {
          const { axe: checker } = globalThis as unknown as {
            axe: {
              run(
                options: object,
              ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
            };
          };
          const { violations } = await checker.run({
            runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
            // the theme's search button also shows its shortcut
            rules: { "label-content-name-mismatch": { enabled: false } },
          });
          return violations.map(
            ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)} ${nodes[0]?.failureSummary}`,
          );
        });
        await page.screenshot({ path: join(reports, `${kind}-${width}-${scheme}.png`) });
        const [scrolled, visible] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        });
        await page.close();
        assert.deepEqual(found, []);
        assert.equal(scrolled, visible);
      });

  void it("shows the line of the client beside cURL on the page of an operation", async () => {
    const page = await open(kinds.operation, 1280, "light");
    const main = page.locator("main");
    assert.match(await main.innerText(), /await store\.stores\.get\(/);
    assert.match(await main.innerHTML(), /cURL/);
    await page.close();
  });

  for (const [words, expected] of Object.entries(searches))
    void it(`finds ${expected} for "${words}"`, async () => {
      const page = await open("/guides/first-steps/", 1280, "light");
      await page
        .getByRole("button", { name: /search/i })
        .first()
        .click();
      await page
        .getByRole("searchbox")
        .or(page.locator("input.pagefind-ui__search-input"))
        .first()
        .fill(words);
      await page.waitForSelector(".pagefind-ui__result-link");
      const links = await page
        .locator(".pagefind-ui__result-link")
        .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
      await page.close();
      assert.ok(links.slice(0, 8).includes(expected), links.join(", "));
    });

  void it("has llms.txt", () => {
    assert.match(readFileSync(join(dist, "llms.txt"), "utf8"), /# shelfleet/);
  });
});
