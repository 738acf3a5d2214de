import { mkdir, rm, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { storeOperations } from "../../../generated/store.operations.ts";
import { readOperations } from "../build/read-operations.ts";
import { expect, test } from "./playground.ts";

const root = new URL("../../../", import.meta.url);

/** The folder for the code of every call, which the compiler checks. */
const snippets = new URL("../reports/snippets/", import.meta.url);

const operations = (["store", "fleet"] as const).flatMap((api) =>
  readOperations(api, readFileSync(new URL(`specs/${api}.openapi.yaml`, root), "utf8")),
);

test.describe("each operation", () => {
  test.describe.configure({ mode: "serial" });

  test.beforeAll(async () => {
    await rm(snippets, { recursive: true, force: true });
    await mkdir(snippets, { recursive: true });
  });

  test("answers as documented by its form as it is filled in", async ({ playground, page }) => {
    await playground.open();
    for (const { id, api, call, statuses } of operations) {
      await playground.go(`calls/${id}`);
      const title = `${api}.${call}`;
      await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(title);
      await writeFile(new URL(`${id}.ts`, snippets), (await playground.code.textContent()) ?? "");
      expect(await playground.send(), id).toBe("answered");
      const status = await playground.status();
      expect(
        statuses.filter((documented) => documented < 300),
        id,
      ).toContain(status);
      expect(await page.getByRole("status").first().textContent()).toContain(`answered ${status}`);
    }
    await playground.tab("Journal").click();
    const count = operations.length;
    await expect(page.getByText(`${count} of ${count} operations, 0 that broke the contract`)).toBeVisible();
  });
});

test("a form finds its way from the list of operations to the answer", async ({ playground, page }) => {
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

test("what is put is read", async ({ playground, page }) => {
  await playground.open("calls/putStore");
  await page.getByLabel("externalId").fill("N-7");
  await page
    .getByRole("textbox", { name: /^body/ })
    .fill('{ "name": "Kiosk at the lake", "storeType": "Kiosk" }');
  expect(await playground.send()).toBe("answered");
  await playground.go("calls/getStore");
  await page.getByLabel("externalId").fill("N-7");
  expect(await playground.send()).toBe("answered");
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

test("what the contract bounds is refused before it is sent", async ({ playground, page }) => {
  await playground.open("calls/listStores");
  await page.getByLabel("limit").fill(String(storeOperations.listStores.query.limit.maximum + 1));
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("InvalidRequestError");
  await expect(playground.answer).toContainText("Nothing was sent.");
});

test("a body that is not JSON cannot be sent, and says why", async ({ playground, page }) => {
  await playground.open("calls/createDamage");
  await page.getByRole("textbox", { name: /^body/ }).fill("{ broken");
  await expect(page.getByText("This is not JSON")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await page.getByRole("button", { name: "Fill in again" }).click();
  expect(await playground.send()).toBe("answered");
});

test("an option of the client is in the code and in the call", async ({ playground, page }) => {
  await playground.open("calls/listVehicles");
  await playground.chooseReading("fleet.version-header", "required");
  expect(await playground.send()).toBe("failed");
  await playground.tab("Clients").click();
  await page.getByLabel("apiVersion").fill("v1");
  await expect(playground.code).toContainText('apiVersion: "v1"');
  expect(await playground.send()).toBe("answered");
});

test("a wrong option of the client is said where answers are", async ({ playground, page }) => {
  await playground.open("calls/listVehicles");
  await playground.tab("Clients").click();
  await page.getByLabel("apiVersion").fill("ż");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error.getByRole("heading")).toHaveText("ConfigurationError");
});

test("the code is copied as it is shown", async ({ playground, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.open("calls/getStore");
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await playground.code.textContent());
});
