import { expect, type Playground, test } from "./playground.ts";

/** Opens an operation whose next response never ends, with a long timeout. */
async function openStalled(playground: Playground, operation: string): Promise<void> {
  await playground.open(`calls/${operation}`);
  await playground.setClients({ timeout: "60000" });
  await playground.setFault({ Effect: "stall" });
}

test("a call shows its progress and can be cancelled", async ({ playground, page }) => {
  await openStalled(playground, "getStore");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("progressbar", { name: "Waiting for the response" })).toBeVisible();
  await expect(page.getByText(/^\d+\.\d s, 1 request$/)).toBeVisible();
  await expect(page.getByRole("status").first()).toHaveText("stores.get: sent, waiting for the response");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(playground.response).toHaveAttribute("data-state", "cancelled");
  await expect(page.getByRole("status").first()).toContainText("stores.get: cancelled after 1 request");
  await expect(playground.response).toContainText("The call was cancelled.");
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expect(playground.error).toHaveCount(0);
  expect(await playground.send()).toBe("succeeded");
});

test("a cancelled walk over a list keeps the pages that have arrived", async ({ playground, page }) => {
  await playground.open("lists/listStores");
  await playground.setClients({ timeout: "60000" });
  await playground.setFault({ Effect: "stall", "Skipped requests": "2" });
  await page.getByRole("button", { name: "Load all pages" }).click();
  await expect(page.getByTestId("pages").getByRole("row")).toHaveCount(1 + 2);
  await expect(page.getByText(/^\d+\.\d s, 3 requests$/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(playground.response).toHaveAttribute("data-state", "cancelled");
  await expect(page.getByTestId("pages").getByRole("row")).toHaveCount(1 + 2);
});

test("Ctrl+Enter and Cmd+Enter send the form from its fields and from the page", async ({
  playground,
  page,
}) => {
  await playground.open("calls/createDamage");
  await page.getByRole("textbox", { name: /^body/ }).press("Control+Enter");
  expect(await playground.settled()).toBe("succeeded");
  await expect(playground.response).toHaveAttribute("data-run", "1");
  await page.getByRole("heading", { level: 2 }).first().click();
  await page.keyboard.press("Meta+Enter");
  await expect(playground.response).toHaveAttribute("data-run", "2");
  expect(await playground.settled()).toBe("succeeded");
  await page.getByRole("textbox", { name: /^body/ }).fill("{ broken");
  await page.keyboard.press("Control+Enter");
  await expect(playground.response).toHaveAttribute("data-run", "2");
  await playground.tab("Faults").click();
  await playground.faultForm.getByRole("spinbutton", { name: "Status" }).press("Control+Enter");
  await playground.tab("Journal").click();
  await expect(page.getByText(/^2 requests, 0 contract violations/)).toBeVisible();
});

test("a call cannot be sent again while it runs", async ({ playground, page }) => {
  await openStalled(playground, "getStore");
  await page.getByLabel("externalId").first().press("Control+Enter");
  await expect(page.getByRole("progressbar")).toBeVisible();
  await page.getByLabel("externalId").first().press("Control+Enter");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(playground.response).toHaveAttribute("data-run", "1");
  await expect(playground.response).toHaveAttribute("data-state", "cancelled");
});

test("an error is shown only in the view of its call", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await page.getByLabel("externalId").first().fill("S-404");
  expect(await playground.send()).toBe("failed");
  for (const view of ["calls/listStores", "lists/listStores", "fill-rates", "field-statuses"]) {
    await playground.go(view);
    await expect(playground.response, view).toHaveCount(0);
    await expect(playground.error, view).toHaveCount(0);
    await expect(page.getByRole("status").first(), view).not.toContainText("StoreApiError");
  }
  await playground.go("calls/listStores");
  await expect(page.getByText("store.stores.list has not been called yet.")).toBeVisible();
  await playground.go("calls/getStore");
  await expect(playground.error).toContainText("404 not_found");
  await playground.reset();
  await expect(playground.error).toHaveCount(0);
});

test("a response that arrives while another view is shown appears in the view of its call", async ({
  playground,
  page,
}) => {
  await playground.open("calls/getStore");
  await playground.setFault({ Effect: "delay", Milliseconds: "500" });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await playground.go("calls/listVehicles");
  await expect(page.getByText("fleet.vehicles.list has not been called yet.")).toBeVisible();
  await playground.go("calls/getStore");
  expect(await playground.settled()).toBe("succeeded");
});

test("a chart removes its error while it reloads", async ({ playground, page }) => {
  await playground.open("fill-rates");
  await expect(page.getByRole("img")).toBeVisible();
  await playground.setFault({ Operation: "listStores", Effect: "html", Requests: "1" });
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(playground.error).toContainText("UnexpectedResponseError");
  await playground.setFault({ Operation: "listStores", Effect: "stall", Requests: "1" });
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByText("Loading…")).toBeVisible();
  await expect(playground.error).toHaveCount(0);
});
