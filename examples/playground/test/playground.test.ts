import assert from "node:assert/strict";
import { readFileSync, existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { buildPlayground } from "../build.ts";

const folder = fileURLToPath(new URL("../dist", import.meta.url));
const axe = fileURLToPath(import.meta.resolve("axe-core"));
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};
// Debian's, without windows if it is there: it takes a third of the processor time
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

void describe("the page", () => {
  let browser: Browser;
  let server: Server;
  let page: Page;
  const problems: string[] = [];

  before(async () => {
    await buildPlayground(folder);
    server = createServer(({ url = "/" }, response) => {
      const file = join(folder, url === "/" ? "index.html" : url);
      response.setHeader("content-type", types[extname(file)] ?? "text/plain").end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await chromium.launch({ executablePath, args });
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => problems.push(message.text()));
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
  });
  afterEach(async () => {
    assert.deepEqual(problems.splice(0), []);
    await page.close();
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

  /** Runs the job and returns what it has done. */
  async function run(): Promise<string> {
    const button = page.getByRole("button", { name: "Run", exact: true });
    await button.click();
    await page.waitForFunction(
      () => document.querySelector<HTMLButtonElement>("button.run")?.disabled === false,
    );
    return page.getByRole("status").locator("p").innerText();
  }

  /** The timeline since the last run began, one line each. */
  async function timeline(): Promise<string[]> {
    const lines = await page.locator("#timeline li").all();
    const texts = await Promise.all(lines.map((line) => line.innerText()));
    return texts.slice(texts.lastIndexOf("run") + 1).map((text) => text.replaceAll(/\s+/g, " "));
  }

  const rows = (): Promise<number> => page.locator("tbody tr").count();

  it("pulls all, then what is new, although a response is lost", async () => {
    assert.equal(await run(), "4 new or changed, 4 saved");
    await press("A protocol appears");
    await press("Lose the next response");
    assert.equal(await run(), "1 new or changed, 5 saved");
    assert.equal(await rows(), 5);
    const [first = "", second = "", third = ""] = await timeline();
    assert.match(first, /^GET \/v1\/stores\/S-1\/protocols.* read, response lost$/);
    assert.match(second, /^no response: sent again after \d+ ms$/);
    assert.match(third, /^GET \/v1\/stores\/S-1\/protocols.* 200$/);
  });

  it("mirrors a list, and looks before it deletes", async () => {
    await press("Mirror");
    assert.equal(await run(), "30 new, 0 changed, 0 deleted");
    await press("One vehicle is deleted, one gets another plate");
    assert.equal(await run(), "0 new, 1 changed, 1 deleted");
    assert.equal(await rows(), 29);
    assert.match((await timeline()).at(-1) ?? "", /^GET .*\/vehicles\/vehicle-1 404 does not exist$/);
    assert.match(await page.locator("tbody").innerText(), /NEW 1/);
  });

  it("plans and applies a table, also after a lost response, and writes nothing twice", async () => {
    await press("Plan and apply");
    await press("Lose the next response");
    assert.equal(await run(), "3 written, 0 unchanged");
    assert.ok((await timeline()).some((line) => /^PUT .* done, response lost$/.test(line)));
    assert.equal(await run(), "0 written, 3 unchanged");
    assert.ok((await timeline()).every((line) => line.startsWith("GET ")));
    await press("Somebody renames S-2");
    assert.equal(await run(), "1 written, 2 unchanged");
    await page.getByRole("textbox").fill("externalId;name\nK-9;New\nK-9;Twice");
    assert.equal(await run(), "0 written, 0 unchanged");
    assert.match(await page.locator("tbody").innerText(), /occurs in several rows/);
  });

  it("creates a vehicle once although the response to its POST is lost", async () => {
    await press("Ensure");
    await press("Lose the next response");
    assert.equal(await run(), "3 written");
    const sent = (await timeline()).filter((line) => line.startsWith("POST "));
    assert.equal(sent.length, 3);
    assert.equal(sent.filter((line) => line.endsWith("done, response lost")).length, 1);
    assert.equal(await run(), "0 written");
    await press("Somebody deletes WX 10002");
    assert.equal(await run(), "1 written");
  });

  it("shows the code that it runs", async () => {
    for (const [job, call] of Object.entries({
      Pull: "pull(store.protocols",
      Mirror: "mirror(fleet.vehicles",
      "Plan and apply": "applyPlan(store, plan)",
      Ensure: "ensure(fleet.vehicles",
    })) {
      await press(job);
      assert.ok((await page.locator("pre").innerText()).includes(call));
    }
  });

  for (const [width, scheme] of [
    [1280, "light"],
    [390, "light"],
    [390, "dark"],
  ] as const)
    it(`has no accessibility problem and does not scroll sideways, ${width} px and ${scheme}`, async () => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: scheme });
      await page.addScriptTag({ path: axe });
      for (const job of ["Pull", "Mirror", "Plan and apply", "Ensure"]) {
        await press(job);
        await press("Lose the next response");
        await run();
        const found = await page.evaluate(async () => {
          const { axe: checker } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: object[] }> };
          };
          return (await checker.run()).violations;
        });
        assert.deepEqual(found, []);
        const [scrolled, visible] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        });
        assert.equal(scrolled, visible);
        await page.screenshot({ path: join(folder, `../reports/${job}-${width}-${scheme}.png`) });
      }
    });
});
