import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { expect, Playground, test } from "./playground.ts";

interface Gap {
  id: string;
  question: string;
  readings: Record<string, string>;
  affects?: string[];
}

/** The gaps in specs/gaps.yaml, read without the package. */
function gapsOfTheServer(): Gap[] {
  const text = readFileSync(new URL("../../../specs/gaps.yaml", import.meta.url), "utf8");
  const all = parse(text) as Gap[];
  return all.filter(({ affects }) => affects?.includes("mock"));
}

function asPrinted(text: string): string {
  return text.replaceAll("`", "").replace(/\s+/g, " ").trim();
}

test("a chosen reading changes the response until the defaults are restored", async ({
  playground,
  page,
}) => {
  await playground.open("calls/getStoreFillRates");
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.value()).toHaveProperty("groups");
  await playground.chooseReading("fill-rates.shape", "items");
  await expect(playground.tab("Readings")).toContainText("1");
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.value()).toHaveProperty("items");
  await playground.tab("Readings").click();
  await page.getByRole("button", { name: "Use the defaults" }).click();
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.value()).toHaveProperty("groups");
});

test("the panel lists every gap of the server with its question and its readings", async ({
  playground,
  page,
}) => {
  await playground.open("calls/listStores");
  await playground.tab("Readings").click();
  await page.getByLabel("Gaps of").selectOption("");
  const found = gapsOfTheServer();
  expect(found.length).toBeGreaterThan(60);
  await expect(page.locator("fieldset.gap")).toHaveCount(found.length);
  for (const { id, question, readings } of found) {
    const group = page.getByRole("group", { name: id, exact: true });
    await expect(group.getByRole("radio")).toHaveCount(Object.keys(readings).length);
    await expect(group).toContainText(asPrinted(question));
    for (const meaning of Object.values(readings)) await expect(group).toContainText(asPrinted(meaning));
  }
});

test("the link of an operation shows only its gaps", async ({ playground, page }) => {
  await playground.open("calls/listPhotos");
  await page.getByRole("button", { name: /gaps?$/ }).click();
  await expect(page.getByRole("group", { name: "photos.status" })).toBeVisible();
  await expect(page.getByRole("group", { name: "fleet.put" })).toHaveCount(0);
});

test("a reading that affects the seed data applies after a restart", async ({ playground, page }) => {
  await playground.open("calls/listProtocols");
  await playground.chooseReading("protocols.id-format", "uuid");
  await page.getByRole("button", { name: "Restart with these" }).click();
  expect(await playground.send()).toBe("succeeded");
  const { items } = (await playground.value()) as { items: { protocolId: string }[] };
  expect(items[0]?.protocolId).toMatch(/^[\da-f]{8}-/);
});

test("the clients use the readings of the server that they have an option for", async ({ playground }) => {
  await playground.open("lists/listPhotos");
  await playground.chooseReading("photos.page-shape", "data-cursor");
  await expect(playground.code).toContainText('"photos.page-shape": "data-cursor"');
  expect(await playground.send("Load two pages")).toBe("succeeded");
  await playground.tab("Clients").click();
  await playground.page.getByLabel("Configure the clients").uncheck();
  expect(await playground.send("Load two pages")).toBe("failed");
  await expect(playground.error).toContainText("photos.page-shape");
});

test("a key without the scope causes a ScopeError with an explanation", async ({ playground, page }) => {
  await playground.open("calls/listVehicles");
  await playground.tab("Key").click();
  await page.getByRole("button", { name: "No scopes" }).click();
  await page.getByRole("group", { name: "Scopes", exact: true }).getByLabel("damages:read").check();
  const list = page.getByRole("navigation", { name: "Operations" });
  await expect(list.getByRole("link", { name: /create forbidden/ })).toHaveCount(6 - 1);
  expect(await playground.send()).toBe("failed");
  await expect(playground.error.getByRole("heading")).toHaveText("ScopeError");
  await expect(playground.error.locator(".explanation")).toContainText("vehicles:read");
  await expect(playground.error).toContainText('.available["damages:read"]');
});

test("the reading of the server decides whether a disputed scope is sufficient", async ({
  playground,
  page,
}) => {
  await playground.open("calls/getDamage");
  await playground.tab("Key").click();
  await page.getByRole("button", { name: "No scopes" }).click();
  await page.getByRole("group", { name: "Scopes", exact: true }).getByLabel("vehicles:read").check();
  await expect(page.getByRole("link", { name: "get disputed", exact: false }).first()).toBeVisible();
  expect(await playground.send()).toBe("succeeded");
  await playground.chooseReading("scopes.get-damage", "table");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error.getByRole("heading")).toHaveText("ScopeError");
});

test("a revoked key is rejected until the server is reset", async ({ playground, page }) => {
  await playground.open("calls/listVehicles");
  await playground.tab("Key").click();
  await page.getByLabel("revoked").check();
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("revoked");
  await page.getByRole("button", { name: "Reset the server" }).click();
  expect(await playground.send()).toBe("succeeded");
});

test("an open page sends no requests to other hosts", async ({ playground, page }) => {
  const outside: string[] = [];
  page.on("request", (request) => {
    const { hostname } = new URL(request.url());
    if (hostname !== "127.0.0.1" && !hostname.endsWith(".reference.test")) outside.push(request.url());
  });
  await playground.open("calls/listStores");
  expect(await playground.send()).toBe("succeeded");
  await playground.go("fill-rates");
  await expect(page.getByRole("img")).toBeVisible();
  expect(outside).toEqual([]);
});

test("a reload restores the seed data, and another tab has a separate server", async ({
  playground,
  page,
  site,
  context,
}) => {
  await playground.open("calls/deleteDamage");
  expect(await playground.send()).toBe("succeeded");
  await page.reload();
  expect(await playground.send()).toBe("succeeded");
  const other = new Playground(await context.newPage(), site);
  await other.open("calls/deleteDamage");
  expect(await other.send()).toBe("succeeded");
  await other.page.close();
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("404 NOT_FOUND");
});
