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
    // the loops log the errors that they go on after
    page.on("console", (message) => message.type() === "debug" || problems.push(message.text()));
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
  const sides = { naive: "A loop around fetch", shelfleet: "shelfleet" } as const;
  const panel = (side: keyof typeof sides) => page.getByRole("region", { name: sides[side], exact: true });

  /** Runs both programs, and returns what each of them has in the end. */
  async function run(): Promise<Record<keyof typeof sides, string>> {
    await page.getByRole("button", { name: "Run both", exact: true }).click();
    await page.waitForFunction(
      () => document.querySelector<HTMLButtonElement>("button.run")?.disabled === false,
    );
    const end = async (side: keyof typeof sides): Promise<string> =>
      (await panel(side).locator("p.right, p.wrong").last().innerText()).replace("in the end: ", "");
    return { naive: await end("naive"), shelfleet: await end("shelfleet") };
  }

  /** The timeline of shelfleet since the last run began, one line each. */
  async function timeline(): Promise<string[]> {
    const lines = await panel("shelfleet").locator(".timeline li").all();
    const texts = await Promise.all(lines.map((line) => line.innerText()));
    return texts.slice(texts.lastIndexOf("run") + 1).map((text) => text.replaceAll(/\s+/g, " "));
  }

  it("pulls what is new although a response is lost, and the loop misses it for ever", async () => {
    assert.deepEqual(await run(), { naive: "all 4", shelfleet: "all 4" });
    await press("A protocol appears");
    await press("Lose the next response");
    const missing = "4 (1 missing), should be 5";
    assert.deepEqual(await run(), { naive: missing, shelfleet: "all 5" });
    const lines = await timeline();
    assert.match(lines[0] ?? "", /^GET \/v1\/stores\/S-1\/protocols.* read, response lost the range since/);
    assert.match(lines[1] ?? "", /^sent again after \d+ ms a read has no effect/);
    assert.deepEqual(await run(), { naive: missing, shelfleet: "all 5" });
  });

  it("mirrors a list although a response is lost, and the loop deletes rows that exist", async () => {
    await press("Mirror");
    assert.deepEqual(await run(), { naive: "all 30", shelfleet: "all 30" });
    await press("Lose the next response");
    const { naive, shelfleet } = await run();
    assert.match(naive, /missing\), should be 30$/);
    assert.equal(shelfleet, "all 30");
    await press("One vehicle is deleted, one gets another plate");
    assert.equal((await run()).shelfleet, "all 29");
    assert.ok((await timeline()).some((line) => /vehicle-1 404 does not exist the list lacks it/.test(line)));
  });

  it("writes a table although a response is lost, and nothing that is equal", async () => {
    await press("Plan and apply");
    await press("Lose the next response to a write");
    const { naive, shelfleet } = await run();
    assert.match(naive, /missing\), should be 3$/);
    assert.equal(shelfleet, "all 3");
    assert.ok((await timeline()).some((line) => /^PUT .* done, response lost /.test(line)));
    assert.equal((await run()).shelfleet, "all 3");
    assert.ok((await timeline()).every((line) => line.startsWith("GET ")));
    await page.getByRole("textbox").fill("externalId;name\nK-9;New\nK-9;Twice");
    await run();
    assert.match(await panel("shelfleet").getByRole("status").innerText(), /^failed: /);
  });

  it("creates a vehicle once although the response to its POST is lost, and the loop twice", async () => {
    await press("Ensure");
    await press("Lose the next response to a write");
    assert.deepEqual(await run(), { naive: "4 (1 twice), should be 3", shelfleet: "all 3" });
    const sent = (await timeline()).filter((line) => line.startsWith("POST "));
    assert.equal(sent.length, 3);
    await press("Somebody deletes WX 10002");
    assert.equal((await run()).shelfleet, "all 3");
  });

  it("says on every tab that a response will be lost, until it is", async () => {
    const pending = page.locator("#pending");
    assert.equal(await pending.innerText(), "");
    await press("Lose the next response");
    await press("Mirror");
    assert.equal(await pending.innerText(), "The next response to each program will be lost.");
    await run();
    assert.equal(await pending.innerText(), "");
  });

  it("shows the code that it runs, with colors, and cuts off no line", async () => {
    for (const [job, call] of Object.entries({
      Pull: "pull(store.protocols",
      Mirror: "mirror(fleet.vehicles",
      "Plan and apply": "applyPlan(store, plan)",
      Ensure: "ensure(fleet.vehicles",
    })) {
      await press(job);
      const code = panel("shelfleet").locator("pre");
      assert.ok((await code.innerText()).includes(call));
      assert.ok((await code.locator("span").count()) > 20);
      assert.match(await panel("naive").locator("pre").innerText(), /await fetch\(/);
      const [scrolled, visible] = await code.evaluate((pre) => [pre.scrollWidth, pre.clientWidth]);
      assert.equal(scrolled, visible);
    }
  });

  it("works with the keyboard alone", async () => {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // the second tab
    assert.equal(await page.getByRole("heading", { level: 2 }).innerText(), "Mirror");
    await page.getByRole("button", { name: "Run both", exact: true }).focus();
    await page.keyboard.press("Enter");
    await panel("shelfleet").locator("p.right").waitFor();
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
        await page.getByRole("button", { name: /^Lose the next response/ }).click();
        await run();
        const found = await page.evaluate(async () => {
          const { axe: checker } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          const { violations } = await checker.run();
          return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
        });
        await page.screenshot({
          path: join(folder, `../reports/${job}-${width}-${scheme}.png`),
          fullPage: true,
        });
        assert.deepEqual(found, []);
        const [scrolled, visible] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        });
        assert.equal(scrolled, visible);
      }
    });
});
