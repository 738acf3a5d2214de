import { fileURLToPath } from "node:url";
import { test as base, type ConsoleMessage, expect, type Locator, type Page } from "@playwright/test";
import { serveFolder } from "./static-server.ts";

const folder = fileURLToPath(new URL("../dist", import.meta.url));

/** The page as somebody in front of it uses it. */
export class Playground {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  /** Opens a view by its address. */
  async open(route = ""): Promise<void> {
    await this.page.goto(`${this.#url}#/${route}`);
    await expect(this.page.getByRole("heading", { level: 1 })).toBeVisible();
  }

  /** Goes to another view without loading the page anew. */
  async go(route: string): Promise<void> {
    await this.page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${route}`);
  }

  get answer(): Locator {
    return this.page.getByTestId("answer");
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
  async send(button = "Send"): Promise<"answered" | "failed"> {
    const before = (await this.answer.count()) > 0 ? await this.answer.getAttribute("data-run") : "none";
    await this.page.getByRole("button", { name: button, exact: true }).click();
    await expect(this.answer).not.toHaveAttribute("data-run", before ?? "");
    return this.settled();
  }

  /** Waits until the call of the view is settled. */
  async settled(): Promise<"answered" | "failed"> {
    await expect(this.answer).toHaveAttribute("data-state", /answered|failed/, { timeout: 20_000 });
    return (await this.answer.getAttribute("data-state")) as "answered" | "failed";
  }

  /** The response to the last request. */
  async status(): Promise<number> {
    return Number(await this.answer.locator(".exchange").last().locator(".status").textContent());
  }

  /** The result of the client. */
  async value(): Promise<unknown> {
    const text = await this.answer.getByRole("region", { name: "What the client returns" }).textContent();
    return JSON.parse(text ?? "") as unknown;
  }

  async setFault(fields: Record<string, string>): Promise<void> {
    await this.fillFault(fields);
    await this.faultForm.getByRole("button", { name: "Set the fault" }).click();
  }

  get faultForm(): Locator {
    return this.page.getByRole("form", { name: "A fault" });
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

  /** The faults in force, as the panel lists them. */
  get faults(): Locator {
    return this.page.getByRole("list", { name: "Faults in force" }).getByRole("listitem");
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
  complaints: string[];
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
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (isComplaint(message)) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await use(complaints);
  },
  playground: async ({ page, site, complaints }, use) => {
    await use(new Playground(page, site));
    expect(complaints).toEqual([]);
  },
});

/** Chromium itself writes down each request that was refused or failed: that is what some tests are about. */
function isComplaint(message: ConsoleMessage): boolean {
  const isNetwork =
    message.text().startsWith("Failed to load resource") && /example\.com/.test(message.location().url);
  return ["error", "warning"].includes(message.type()) && !isNetwork;
}

export { expect } from "@playwright/test";
