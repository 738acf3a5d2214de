import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, type Playground, test } from "./playground.ts";

/** Each part of the page in a state that it has during use. */
const scenes: [name: string, route: string, prepare: (playground: Playground) => Promise<unknown>][] = [
  ["a successful call", "calls/putExpositions", (playground) => playground.send()],
  ["a rejected call", "calls/listVehicles", refused],
  ["a list", "lists/listStores", (playground) => playground.send("Load all pages")],
  ["the heat map", "fill-rates", waitForCharts],
  ["the field statuses", "field-statuses", waitForCharts],
  [
    "the journal",
    "calls/listStores",
    async (playground) => [await playground.send(), await playground.tab("Journal").click()],
  ],
  ["the readings", "calls/listStores", switched],
  ["the faults", "calls/listStores", (playground) => playground.setFault({ Effect: "stall" })],
  [
    "a fault for some requests",
    "calls/listStores",
    (playground) =>
      playground.setFault({
        Effect: "status",
        "query.limit": "5",
        "Response headers": "Retry-After: 1",
      }),
  ],
  ["an invalid fault", "calls/listStores", (playground) => playground.fillFault({ "Response body": "{" })],
  ["a running call", "calls/getStore", running],
  ["limits and state", "calls/listStores", limited],
  ["the key", "calls/listStores", (playground) => playground.tab("Key").click()],
  ["the clients", "calls/listStores", (playground) => playground.tab("Clients").click()],
];

/** The rules about colours. */
const colours = ["color-contrast", "link-in-text-block"];

async function violations(page: Page, rules?: string[]): Promise<unknown[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] });
  if (rules !== undefined) axe.withRules(rules);
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

test("the guides have no accessibility violations", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const guide of ["readme", "testing", "gaps"]) {
    await page.goto(`${site}guides/${guide}.html`);
    expect.soft(await violations(page), guide).toEqual([]);
  }
});

async function refused(playground: Playground): Promise<void> {
  await playground.tab("Key").click();
  await playground.page.getByRole("button", { name: "No scopes" }).click();
  await playground.send();
}

/** Shows the readings of one operation. Those of the others have the same structure. */
async function switched(playground: Playground): Promise<void> {
  await playground.chooseReading("fleet.put", "merge");
  await playground.page.getByLabel("Gaps of").selectOption("updateVehicle");
}

async function running(playground: Playground): Promise<void> {
  await playground.setClients({ timeout: "60000" });
  await playground.setFault({ Operation: "getStore", Effect: "stall" });
  await playground.page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(playground.page.getByRole("progressbar")).toBeVisible();
}

async function limited({ page }: Playground): Promise<void> {
  await page.getByRole("tab", { name: "Server" }).click();
  await page.getByRole("button", { name: "Limit both APIs" }).click();
}

async function waitForCharts({ page }: Playground): Promise<void> {
  await expect(page.getByRole("img")).toBeVisible();
  for (const details of await page.getByRole("main").locator("summary").all()) await details.click();
}

for (const [scheme, width, rules] of [
  ["light", 390, undefined],
  ["light", 1440, undefined],
  ["dark", 1440, colours], // the same elements in other colours
] as const) {
  test(`the page has no accessibility violations in ${scheme} mode at a width of ${width} px`, async ({
    playground,
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await playground.open();
    for (const [name, route, prepare] of scenes) {
      await page.setViewportSize({ width: 1440, height: 844 });
      await playground.go(route);
      await prepare(playground);
      await page.setViewportSize({ width, height: 844 });
      expect.soft(await violations(page, rules), name).toEqual([]);
      await page.getByRole("button", { name: "Reset the server" }).click();
    }
  });
}

// Plot draws a mark again, with a label, when the pointer enters or leaves a cell
for (const [view, name, property] of [
  ["fill-rates", "heat map", "Photos"],
  ["field-statuses", "status map", "Response"],
] as const) {
  test(`the ${name} has no accessibility violations after it has shown a tooltip`, async ({
    playground,
    page,
  }) => {
    await playground.open(view);
    const drawing = page.getByRole("img");
    const tooltip = drawing.getByText(property);
    await drawing.locator("g[data-mark=cell] rect").nth(40).hover({ force: true });
    await expect(tooltip).toBeVisible();
    await page.getByRole("heading", { level: 1 }).hover();
    await expect(tooltip).toHaveCount(0);
    expect(await violations(page)).toEqual([]);
  });
}

test("a call can be filled in and sent with only the keyboard", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the main content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("externalId")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("S-9");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Send" })).toBeFocused();
  const outline = await page.evaluate(
    () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
  );
  expect(outline).toBe("solid");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").first()).toContainText("stores.get: response 200");
  await expect(playground.response).toContainText('"externalId": "S-9"');
});

test("the arrow keys and End move between the tabs", async ({ playground, page }) => {
  await playground.open();
  await playground.tab("Response").focus();
  await page.keyboard.press("ArrowRight");
  await expect(playground.tab("Journal")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Journal" })).toBeVisible();
  await page.keyboard.press("End");
  await expect(playground.tab("Clients")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowRight");
  await expect(playground.tab("Response")).toBeFocused();
});

for (const width of [390, 1280]) {
  test(`the page does not scroll sideways at a width of ${width} px`, async ({ playground, page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const route of ["calls/putStore", "lists/listStores", "fill-rates", "field-statuses"]) {
      await playground.open(route);
      if (route.startsWith("lists")) await playground.send("Load all pages");
      if (route.startsWith("f")) await expect(page.getByRole("img")).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, route).toBeLessThanOrEqual(0);
    }
  });
}
