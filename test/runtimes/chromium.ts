import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import type { BaseUrls, Outcomes, Runtime } from "./runtime.ts";

/** The part of playwright-core that is used. It does not exist before its private package is installed. */
interface Page {
  goto: (url: string) => Promise<unknown>;
  waitForFunction: (code: string) => Promise<unknown>;
  evaluate: <A>(code: (argument: A) => unknown, argument: A) => Promise<unknown>;
}

interface Browser {
  version: () => string;
  newPage: () => Promise<Page>;
  close: () => Promise<void>;
}

interface Playwright {
  chromium: { launch: (options: { executablePath: string; args: string[] }) => Promise<Browser> };
}

const playwright: string = "playwright-core";
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

async function launch(): Promise<Browser> {
  const { chromium } = (await import(playwright)) as Playwright;
  return chromium.launch({ executablePath, args });
}

async function version(): Promise<string> {
  const browser = await launch();
  const number = browser.version();
  await browser.close();
  return number;
}

/** The page, its script, and msw's service worker. */
async function startSite(project: string): Promise<Server> {
  const worker = readFileSync(join(project, "node_modules/msw/lib/mockServiceWorker.js"), "utf8");
  const files: Record<string, [type: string, text: string]> = {
    "/": ["text/html", '<!doctype html><title>walk</title><script type="module" src="/page.js"></script>'],
    "/page.js": ["text/javascript", await bundle(project, "page.mjs", { platform: "browser" })],
    "/mockServiceWorker.js": ["text/javascript", worker],
  };
  const site = createServer(({ url = "" }, response) => {
    const [type, text] = files[url] ?? ["text/plain", "there is no such file"];
    response.writeHead(url in files ? 200 : 404, { "content-type": type }).end(text);
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  return site;
}

async function walkIn(browser: Browser, site: Server, baseUrls: BaseUrls): Promise<Outcomes> {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  await page.waitForFunction("globalThis.walked");
  const { storeUrl, fleetUrl } = baseUrls;
  // runs in the page, which defines `walked`
  const walked = (at: BaseUrls): unknown => (globalThis as unknown as PageGlobals).walked(at);
  return (await page.evaluate(walked, { storeUrl, fleetUrl })) as Outcomes;
}

interface PageGlobals {
  walked: (baseUrls: BaseUrls) => Promise<Outcomes>;
}

/** The machine's Chromium: a page, and msw's service worker. */
export const chromium: Runtime = {
  name: "Chromium",
  locked: false,
  ways: ["network", "write", "mock", "msw", "msw2"],
  limits: ["write"],
  version,
  walk: async ({ project, baseUrls }) => {
    const site = await startSite(project);
    const browser = await launch();
    try {
      return await walkIn(browser, site, baseUrls);
    } finally {
      await browser.close();
      site.close();
    }
  },
};
