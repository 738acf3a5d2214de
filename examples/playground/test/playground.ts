import { fileURLToPath } from "node:url";
import { test as base, type ConsoleMessage, expect, type Locator, type Page } from "@playwright/test";
import { serveFolder } from "./static-server.ts";

const folder = fileURLToPath(new URL("../dist", import.meta.url));

/** The page, used like a visitor uses it. */
export class Playground {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  /** Opens a view by its URL. */
  async open(route = ""): Promise<void> {
    await this.page.goto(`${this.#url}#/${route}`);
    await expect(this.page.getByRole("heading", { level: 1 })).toBeVisible();
  }

  /** Opens another view without a reload of the page, and waits until it has replaced the old one. */
  async go(route: string): Promise<void> {
    await this.page.evaluate(async (hash) => {
      if (location.hash === hash) return;
      const changed = new Promise((resolve) =>
        globalThis.addEventListener("hashchange", resolve, { once: true }),
      );
      location.hash = hash;
      await changed;
      // the page renders in a microtask after its own listener
      await new Promise((resolve) => setTimeout(resolve));
    }, `#/${route}`);
  }

  get response(): Locator {
    return this.page.getByTestId("response");
  }

  get error(): Locator {
    return this.page.getByTestId("error");
  }

  get code(): Locator {
    return this.page.getByTestId("code");
  }

  tab(name: string): Locator {
    return this.page.getByRole("tab", { name });
  }

  /** Sends the form that is shown and waits until the call is settled. */
  async send(button = "Send"): Promise<"succeeded" | "failed"> {
    const before = (await this.response.count()) > 0 ? await this.response.getAttribute("data-run") : "none";
    await this.page.getByRole("button", { name: button, exact: true }).click();
    await expect(this.response).not.toHaveAttribute("data-run", before ?? "");
    return this.settled();
  }

  /** Waits until the call of the view is settled. */
  async settled(): Promise<"succeeded" | "failed"> {
    await expect(this.response).toHaveAttribute("data-state", /succeeded|failed/);
    return (await this.response.getAttribute("data-state")) as "succeeded" | "failed";
  }

  /** Waits until the data of the chart are read and drawn. */
  async loaded(): Promise<void> {
    await expect(this.page.getByRole("main").getByRole("status")).toHaveText("Loaded.");
  }

  /** The response to the last request. */
  async status(): Promise<number> {
    return Number(await this.response.locator(".exchange").last().locator(".status").textContent());
  }

  /** The result of the client. */
  async value(): Promise<unknown> {
    const text = await this.response
      .getByRole("region", { name: "Return value of the client" })
      .textContent();
    return JSON.parse(text ?? "") as unknown;
  }

  async setFault(fields: Record<string, string>): Promise<void> {
    await this.fillFault(fields);
    await this.faultForm.getByRole("button", { name: "Add the fault" }).click();
  }

  get faultForm(): Locator {
    return this.page.getByRole("form", { name: "New fault" });
  }

  async fillFault(fields: Record<string, string>): Promise<void> {
    await this.tab("Faults").click();
    const matcher = this.faultForm.locator("details");
    const isOpen = (await matcher.getAttribute("open")) !== null;
    if (!isOpen && Object.keys(fields).some((label) => /^(path|query|Request )/.test(label)))
      await matcher.locator("summary").click();
    for (const [label, value] of Object.entries(fields)) {
      // the text of a label contains the options of its choice
      const field = this.faultForm.getByLabel(new RegExp(`^${label}`));
      if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") await field.selectOption(value);
      else await field.fill(value);
    }
  }

  /** The active faults in the panel. */
  get faults(): Locator {
    return this.page.getByRole("list", { name: "Active faults" }).getByRole("listitem");
  }

  /** Changes options of the clients, by their labels. */
  async setClients(options: { retry?: string; timeout?: string }): Promise<void> {
    await this.tab("Clients").click();
    if (options.retry !== undefined) await this.page.getByLabel("retry").selectOption(options.retry);
    if (options.timeout !== undefined) await this.page.getByLabel("timeout, ms").fill(options.timeout);
  }

  async reset(): Promise<void> {
    await this.page.getByRole("button", { name: "Reset the server" }).click();
  }

  async chooseReading(gap: string, reading: string): Promise<void> {
    await this.tab("Readings").click();
    await this.page.getByLabel("Gaps of").selectOption("");
    await this.page
      .getByRole("group", { name: gap, exact: true })
      .locator(`input[value="${reading}"]`)
      .check();
  }
}

interface Fixtures {
  playground: Playground;
  /** The errors in the browser's console. */
  consoleErrors: string[];
}

/** Each test has its own page. The console must stay empty, except for the browser's message about a failed request. */
export const test = base.extend<Fixtures, { site: string }>({
  site: [
    async ({ browser: _ }, use) => {
      const { url, close } = await serveFolder(folder, "/somewhere/below/");
      await use(url);
      close();
    },
    { scope: "worker" },
  ],
  consoleErrors: async ({ page }, use) => {
    const consoleErrors: string[] = [];
    page.on("console", (message) => {
      if (isConsoleError(message)) consoleErrors.push(message.text());
    });
    page.on("pageerror", (error) => consoleErrors.push(String(error)));
    await use(consoleErrors);
  },
  playground: async ({ page, site, consoleErrors }, use) => {
    await use(new Playground(page, site));
    expect(consoleErrors).toEqual([]);
  },
});

/** Whether a message is an error. Chromium also logs each failed request, which some tests cause on purpose. */
function isConsoleError(message: ConsoleMessage): boolean {
  const isNetwork =
    message.text().startsWith("Failed to load resource") && /reference\.test/.test(message.location().url);
  return ["error", "warning"].includes(message.type()) && !isNetwork;
}

export { expect } from "@playwright/test";
