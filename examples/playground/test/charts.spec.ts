import { mkdir, writeFile } from "node:fs/promises";
import { expect, test } from "./playground.ts";

test("the heat map has a cell for each store and day with photos", async ({ playground, page }) => {
  await playground.open("fill-rates");
  const drawing = page.getByRole("img", {
    name: /^Heat map of the fill rates of 24 stores on 28 days: \d+ days with photos/,
  });
  await expect(drawing).toBeVisible();
  const count = Number(/(\d+) days with/.exec((await drawing.getAttribute("aria-label")) ?? "")?.[1]);
  expect(count).toBeGreaterThan(300);
  await expect(drawing.locator("g[data-mark=cell] rect")).toHaveCount(count);
  await page.getByText("Show as a table").click();
  const cells = await page
    .getByRole("region", { name: /as a table/ })
    .getByRole("cell")
    .allTextContents();
  const filled = cells.filter((text) => text !== "").map(Number);
  expect(filled).toHaveLength(count);
  expect(Math.max(...filled)).toBeLessThanOrEqual(100);
  expect(new Set(filled).size).toBeGreaterThan(30);
});

test("the code of each chart is saved for the type check", async ({ playground }) => {
  const folder = new URL("../reports/drawings/", import.meta.url);
  await mkdir(folder, { recursive: true });
  await playground.open();
  for (const [view, call] of [
    ["fill-rates", "store.fillRates.across"],
    ["field-statuses", "fleet.vehicleFields.listVehicles"],
  ]) {
    await playground.go(view ?? "");
    await expect(playground.code).toContainText(call ?? "");
    await writeFile(new URL(`${view}.ts`, folder), (await playground.code.textContent()) ?? "");
  }
});

test("the heat map shows the fill rates of the API for each day of a store", async ({ playground, page }) => {
  await playground.open("calls/getFillRates");
  await page.getByLabel("groupBy").selectOption("day");
  await page.getByLabel("externalIds").fill("S-5");
  expect(await playground.send()).toBe("succeeded");
  const { groups } = (await playground.value()) as { groups: { day: string; fillRate: number }[] };
  await playground.go("fill-rates");
  await playground.loaded();
  await page.getByText("Show as a table").click();
  const row = page.getByRole("row", { name: /^S-5 / });
  await expect(row).toBeVisible();
  const displayed = (await row.getByRole("cell").allTextContents()).filter((text) => text !== "");
  expect(displayed).toEqual(groups.map(({ fillRate }) => fillRate.toFixed(0)));
});

test("the heat map shows percent even if the server returns fractions", async ({ playground, page }) => {
  await playground.open("fill-rates");
  await playground.loaded();
  const drawing = page.getByRole("img", { name: /^Heat map/ });
  const before = await drawing.getAttribute("aria-label");
  await playground.chooseReading("fill-rates.calculation", "fraction");
  await playground.loaded();
  await playground.tab("Journal").click();
  await expect(page.getByText(/^5\d requests/)).toBeVisible();
  expect(await drawing.getAttribute("aria-label")).toBe(before);
});

test("a chart shows the error if its data cannot be read", async ({ playground, page }) => {
  await playground.open("fill-rates");
  await expect(page.getByRole("img")).toBeVisible();
  await playground.setFault({ Operation: "listStores", Effect: "html" });
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(playground.error).toContainText("UnexpectedResponseError");
  await expect(page.getByRole("img")).toHaveCount(0);
});

test("the status map has a cell for each status, and the table counts the statuses", async ({
  playground,
  page,
}) => {
  await playground.open("field-statuses");
  const drawing = page.getByRole("img", {
    name: /^Map of \d+ statuses by vehicle and field: [1-9]\d* OK, [1-9]\d* WARNING, [1-9]\d* NOT_OK/,
  });
  await expect(drawing).toBeVisible();
  const table = page.getByTestId("statuses");
  await expect(table.getByRole("row")).toHaveCount(1 + 6);
  const numbers = (await table.getByRole("cell").allTextContents()).map(Number);
  const sum = numbers.reduce((one, other) => one + other, 0);
  await expect(drawing.locator("g[data-mark=cell] rect")).toHaveCount(sum);
  expect(await drawing.getAttribute("aria-label")).toContain(`Map of ${sum} statuses`);
});

test("a vehicle without a response has a cell if the reading of the server lists it", async ({
  playground,
  page,
}) => {
  await playground.open("field-statuses");
  const cells = page.getByRole("img").locator("g[data-mark=cell] rect");
  await playground.loaded();
  await expect(cells).not.toHaveCount(0);
  const before = await cells.count();
  await playground.chooseReading("fields.no-response", "null-response");
  await expect(cells).toHaveCount(6 * 36);
  expect(before).toBeLessThan(6 * 36);
});
