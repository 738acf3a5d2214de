import { storeOperations } from "../../../generated/store.operations.ts";
import { expect, test } from "./playground.ts";

test("an operation that was found by search can be edited and sent", async ({ playground, page }) => {
  await playground.open();
  const list = page.getByRole("navigation", { name: "Operations" });
  await list.getByLabel("Find an operation").fill("forexp");
  await expect(list.getByRole("link")).toHaveCount(1);
  await list.getByRole("link", { name: "forExposition" }).click();
  await expect(page.getByLabel("externalId")).toHaveValue("S-1");
  await page.getByLabel("externalId").fill("S-2");
  await expect(playground.code).toContainText('store.fillRates.forExposition("S-2"');
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("StoreApiError");
  await expect(playground.error).toContainText("404 not_found");
});

test("a store that was created by PUT can be read until the server is reset", async ({
  playground,
  page,
}) => {
  await playground.open("calls/putStore");
  await page.getByLabel("externalId").fill("N-7");
  await page
    .getByRole("textbox", { name: /^body/ })
    .fill('{ "name": "Kiosk at the lake", "storeType": "Kiosk" }');
  expect(await playground.send()).toBe("succeeded");
  await playground.go("calls/getStore");
  await page.getByLabel("externalId").fill("N-7");
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.value()).toMatchObject({
    externalId: "N-7",
    name: "Kiosk at the lake",
    storeType: "Kiosk",
  });
  await page.getByRole("button", { name: "Reset the server" }).click();
  await expect(page.getByLabel("externalId")).toHaveValue("S-1");
  await page.getByLabel("externalId").fill("N-7");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("not_found");
});

test("a value outside the bounds of the contract is rejected without a request", async ({
  playground,
  page,
}) => {
  await playground.open("calls/listStores");
  await page.getByLabel("limit").fill(String(storeOperations.listStores.query.limit.maximum + 1));
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("InvalidRequestError");
  await expect(playground.response).toContainText("No request was sent.");
});

test("a body that is not JSON cannot be sent, and the form shows why", async ({ playground, page }) => {
  await playground.open("calls/createDamage");
  await page.getByRole("textbox", { name: /^body/ }).fill("{ broken");
  await expect(page.getByText("The body must be JSON")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await page.getByRole("button", { name: "Reset the form" }).click();
  expect(await playground.send()).toBe("succeeded");
});

test("an option of the client is used in the code and in the call", async ({ playground, page }) => {
  await playground.open("calls/listVehicles");
  await playground.chooseReading("fleet.version-header", "required");
  expect(await playground.send()).toBe("failed");
  await playground.tab("Clients").click();
  await page.getByLabel("apiVersion").fill("v1");
  await expect(playground.code).toContainText('apiVersion: "v1"');
  expect(await playground.send()).toBe("succeeded");
});

test("an invalid option of the client causes a ConfigurationError", async ({ playground, page }) => {
  await playground.open("calls/listVehicles");
  await playground.tab("Clients").click();
  await page.getByLabel("apiVersion").fill("ż");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error.getByRole("heading")).toHaveText("ConfigurationError");
});

test("the copy button copies the displayed code", async ({ playground, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.open("calls/getStore");
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await playground.code.textContent());
});
