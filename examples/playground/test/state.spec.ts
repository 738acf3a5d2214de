import { readFileSync } from "node:fs";
import { createReferenceServer, type ExportedState } from "../../../dist/mock.js";
import { expect, type Playground, test } from "./playground.ts";

test("limits that are set refuse requests with 429 until they are removed", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await playground.setClients({ retry: "0" });
  await playground.tab("Server").click();
  await expect(page.getByTestId("limits")).toHaveText("Store API: no limit. Fleet API: no limit.");
  await page.getByLabel("Requests a second").fill("0.001");
  await page.getByRole("button", { name: "Limit both APIs" }).click();
  const inForce = "0.001 a second, 2 at once";
  await expect(page.getByTestId("limits")).toHaveText(`Store API: ${inForce}. Fleet API: ${inForce}.`);
  await expect(playground.code).toContainText(
    'limits: { perSecond: 0.001, burst: 2, retryAfter: "seconds" }',
  );
  expect([await playground.send(), await playground.send()]).toEqual(["answered", "answered"]);
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("429");
  await expect(playground.answer.getByRole("row", { name: /^retry-after \d+/ })).toBeVisible();
  await playground.tab("Server").click();
  await page.getByRole("button", { name: "Remove the limits" }).click();
  expect(await playground.send()).toBe("answered");
  await expect(playground.code).not.toContainText("limits");
});

test("a wrong limit is said", async ({ playground, page }) => {
  await playground.open();
  await playground.tab("Server").click();
  await page.getByLabel("Requests a second").fill("0");
  await page.getByRole("button", { name: "Limit both APIs" }).click();
  await expect(page.getByRole("form", { name: "Rate limits" }).getByRole("alert")).toContainText("perSecond");
  await expect(page.getByTestId("limits")).toContainText("Store API: no limit");
});

async function download(playground: Playground): Promise<{ name: string; text: string }> {
  const { page } = playground;
  await playground.tab("Server").click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the state" }).click(),
  ]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

async function load(playground: Playground, name: string, text: string): Promise<void> {
  await playground.tab("Server").click();
  const buffer = Buffer.from(text);
  await playground.page
    .getByLabel("Load a state file")
    .setInputFiles({ name, mimeType: "application/json", buffer });
}

test("the state is downloaded, starts a server in Node, and is loaded again", async ({
  playground,
  page,
}) => {
  await playground.open("calls/putStore");
  await page.getByLabel("externalId").first().fill("N-7");
  await page.getByRole("textbox", { name: /^body/ }).fill('{ "name": "Kiosk at the lake" }');
  expect(await playground.send()).toBe("answered");
  const { name, text } = await download(playground);
  expect(name).toBe("shelfleet-state.json");
  const state = JSON.parse(text) as ExportedState;
  const ref = createReferenceServer({ state });
  expect(ref.state.store.stores.get("N-7")).toMatchObject({ name: "Kiosk at the lake" });
  await playground.reset();
  await playground.tab("Server").click();
  await expect(page.getByTestId("state")).toContainText(
    "Started from the seed. It has 24 stores, 36 vehicles",
  );
  await load(playground, "lake.json", text);
  await expect(page.getByTestId("state")).toContainText(
    "Started from lake.json. It has 25 stores, 36 vehicles",
  );
  await playground.go("calls/getStore");
  await page.getByLabel("externalId").first().fill("N-7");
  expect(await playground.send()).toBe("answered");
  expect(await playground.value()).toMatchObject({ name: "Kiosk at the lake" });
  await expect(playground.code).toContainText('JSON.parse(readFileSync("lake.json", "utf8"))');
});

test("a restart begins with the loaded state, a reset with the seed", async ({ playground, page }) => {
  await playground.open("calls/listStores");
  await load(playground, "one.json", '{ "version": 1, "store": { "stores": [] } }');
  await expect(page.getByTestId("state")).toContainText("It has 0 stores, 0 vehicles");
  await playground.tab("Readings").click();
  await page.getByRole("button", { name: "Restart with these" }).click();
  expect(await playground.send()).toBe("answered");
  expect(await playground.value()).toMatchObject({ items: [] });
  await playground.reset();
  expect(await playground.send()).toBe("answered");
  expect(await playground.value()).toMatchObject({ items: [{ externalId: "S-1" }, {}, {}, {}, {}] });
});

for (const [what, text, message] of [
  ["is not JSON", "{ broken", "wrong.json: not JSON"],
  ["has another version", '{ "version": 2 }', "wrong.json: state.version must be 1"],
  ["has a wrong property", '{ "version": 1, "stores": [] }', "stores"],
] as const) {
  test(`a state file that ${what} is refused with the reason, and the server stays`, async ({
    playground,
    page,
  }) => {
    await playground.open("calls/getStore");
    await load(playground, "wrong.json", text);
    await expect(page.getByRole("alert").filter({ hasText: "wrong.json" })).toContainText(message);
    await expect(page.getByTestId("state")).toContainText("Started from the seed. It has 24 stores");
    expect(await playground.send()).toBe("answered");
  });
}
