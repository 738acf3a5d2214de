import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

// Builds the Storybook of the current project and renders each story in Chromium. Fails if a story or its play
// function fails.

/** The parts of playwright-core and vite that are used. They do not exist before their private package is installed. */
interface Page {
  goto: (url: string) => Promise<unknown>;
  waitForFunction: (code: string) => Promise<unknown>;
  evaluate: (code: string) => Promise<unknown>;
}

interface Playwright {
  chromium: {
    launch: (options: { executablePath: string; args: string[] }) => Promise<{
      newPage: () => Promise<Page>;
      close: () => Promise<void>;
    }>;
  };
}

interface Vite {
  preview: (options: object) => Promise<{ resolvedUrls: { local: string[] }; close: () => Promise<void> }>;
}

const playwright: string = "playwright-core";
const vite: string = "vite";
const folder = "storybook-static";

/** Storybook's own channel tells how a story ended. */
const channel = "globalThis.__STORYBOOK_ADDONS_CHANNEL__";
const failures = ["playFunctionThrewException", "storyThrewException", "storyErrored", "storyMissing"];
const failure = `${JSON.stringify(failures)}.map((event) => ${channel}.last(event)?.[0]).filter(Boolean).map((it) => it.message ?? JSON.stringify(it))`;

function node(...args: string[]): void {
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
}

async function render(address: string, ids: readonly string[]): Promise<string[]> {
  const { chromium } = (await import(playwright)) as Playwright;
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
  const output: string[] = [];
  for (const id of ids) {
    const page = await browser.newPage();
    await page.goto(`${address}iframe.html?id=${id}&viewMode=story`);
    await page.waitForFunction(`${channel}?.last("storyFinished") !== undefined`);
    const thrown = (await page.evaluate(failure)) as unknown[];
    output.push(...thrown.map((it) => `${id}: ${String(it)}`));
  }
  await browser.close();
  return output;
}

node("node_modules/msw/cli/index.js", "init", "public/", "--no-save");
node(
  "node_modules/storybook/dist/bin/dispatcher.js",
  "build",
  "--quiet",
  "--disable-telemetry",
  "-o",
  folder,
);
const { entries } = JSON.parse(readFileSync(`${folder}/index.json`, "utf8")) as { entries: object };
const { preview } = (await import(vite)) as Vite;
const site = await preview({ build: { outDir: folder }, preview: { host: "127.0.0.1", port: 0 } });
const output = await render(site.resolvedUrls.local[0] ?? "", Object.keys(entries));
await site.close();
if (Object.keys(entries).length === 0) output.push("there is no story");
for (const line of output) console.error(line);
process.exit(output.length === 0 ? 0 : 1);
