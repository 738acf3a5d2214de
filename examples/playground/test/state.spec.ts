import { readFileSync } from "node:fs";
import { createReferenceServer, type ExportedState } from "../../../dist/mock.js";
import { expect, type Playground, test } from "./playground.ts";

test("requests above the limits receive 429 until the limits are removed", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await playground.setClients({ retry: "0" });
  await playground.tab("Server").click();
  await expect(page.getByTestId("limits")).toHaveText("Store API: no limit. Fleet API: no limit.");
  await page.getByLabel("Requests per second").fill("0.001");
  await page.getByRole("button", { name: "Limit both APIs" }).click();
  const inForce = "0.001 per second, burst of 2";
  await expect(page.getByTestId("limits")).toHaveText(`Store API: ${inForce}. Fleet API: ${inForce}.`);
  await expect(playground.code).toContainText(
    'limits: { perSecond: 0.001, burst: 2, retryAfter: "seconds" }',
  );
  expect([await playground.send(), await playground.send()]).toEqual(["succeeded", "succeeded"]);
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("429");
  await expect(playground.response.getByRole("row", { name: /^retry-after \d+/ })).toBeVisible();
  await playground.tab("Server").click();
  await page.getByRole("button", { name: "Remove the limits" }).click();
  expect(await playground.send()).toBe("succeeded");
  await expect(playground.code).not.toContainText("limits");
});

test("an invalid limit is rejected with an error that names it", async ({ playground, page }) => {
  await playground.open();
  await playground.tab("Server").click();
  await page.getByLabel("Requests per second").fill("0");
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

test("a downloaded state starts a server in Node and can be loaded again", async ({ playground, page }) => {
  await playground.open("calls/putStore");
  await page.getByLabel("externalId").first().fill("N-7");
  await page.getByRole("textbox", { name: /^body/ }).fill('{ "name": "Kiosk at the lake" }');
  expect(await playground.send()).toBe("succeeded");
  const { name, text } = await download(playground);
  expect(name).toBe("shelfleet-state.json");
  const state = JSON.parse(text) as ExportedState;
  const ref = createReferenceServer({ state });
  expect(ref.state.store.stores.get("N-7")).toMatchObject({ name: "Kiosk at the lake" });
  await playground.reset();
  await playground.tab("Server").click();
  await expect(page.getByTestId("state")).toContainText(
    "started from the seed. It has 24 stores, 36 vehicles",
  );
  await load(playground, "lake.json", text);
  await expect(page.getByTestId("state")).toContainText(
    "started from lake.json. It has 25 stores, 36 vehicles",
  );
  await playground.go("calls/getStore");
  await page.getByLabel("externalId").first().fill("N-7");
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.value()).toMatchObject({ name: "Kiosk at the lake" });
  await expect(playground.code).toContainText('JSON.parse(readFileSync("lake.json", "utf8"))');
});

test("a restart uses the loaded state, and a reset uses the seed", async ({ playground, page }) => {
  await playground.open("calls/listStores");
  await load(playground, "one.json", '{ "version": 1, "store": { "stores": [] } }');
  await expect(page.getByTestId("state")).toContainText("It has 0 stores, 0 vehicles");
  await playground.tab("Readings").click();
  await page.getByRole("button", { name: "Restart with these" }).click();
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.value()).toMatchObject({ items: [] });
  await playground.reset();
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.value()).toMatchObject({ items: [{ externalId: "S-1" }, {}, {}, {}, {}] });
});

for (const [what, text, message] of [
  ["is not JSON", "{ broken", "wrong.json: the file must be JSON"],
  ["has another version", '{ "version": 2 }', "wrong.json: state.version must be 1"],
  ["has a wrong property", '{ "version": 1, "stores": [] }', "stores"],
] as const) {
  test(`a state file that ${what} is rejected with the reason, and the server keeps its data`, async ({
    playground,
    page,
  }) => {
    await playground.open("calls/getStore");
    await load(playground, "wrong.json", text);
    await expect(page.getByRole("alert").filter({ hasText: "wrong.json" })).toContainText(message);
    await expect(page.getByTestId("state")).toContainText("started from the seed. It has 24 stores");
    expect(await playground.send()).toBe("succeeded");
  });
}
