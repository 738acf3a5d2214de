import { expect, type Playground, test } from "./playground.ts";

/** The error that a client throws if every attempt of a read has this fault. */
const faults: [deed: string, error: string, more?: Record<string, string>][] = [
  ["reset", "ConnectionError"],
  ["close", "ConnectionError"],
  ["truncate", "ConnectionError"],
  ["malformed", "UnexpectedResponseError"],
  ["html", "UnexpectedResponseError"],
  ["status", "StoreApiError", { Status: "503" }],
  ["delay", "TimeoutError", { Milliseconds: "5000" }],
];

async function withoutRetries(playground: Playground): Promise<void> {
  const { page } = playground;
  await playground.tab("Clients").click();
  await page.getByLabel("retry").selectOption("0");
  await page.getByLabel("timeout, ms").fill("400");
}

for (const [deed, error, more = {}] of faults) {
  test(`${deed} is a ${error}`, async ({ playground }) => {
    await playground.open("calls/getStore");
    await withoutRetries(playground);
    await playground.setFault({ Operation: "getStore", "What happens": deed, ...more });
    expect(await playground.send()).toBe("failed");
    await expect(playground.error.getByRole("heading")).toHaveText(error);
    expect(await playground.send()).toBe("answered");
  });
}

test("a stalled answer ends with the client's timeout", async ({ playground }) => {
  await playground.open("calls/getVehicle");
  await withoutRetries(playground);
  await playground.setFault({ Operation: "getVehicle", "What happens": "stall", Where: "body" });
  expect(await playground.send()).toBe("failed");
  await expect(playground.error.getByRole("heading")).toHaveText("TimeoutError");
});

test("a read is tried again, and each attempt is shown", async ({ playground }) => {
  await playground.open("calls/getStore");
  await playground.setFault({ "What happens": "status", Status: "500" });
  expect(await playground.send()).toBe("answered");
  await expect(playground.answer.locator(".exchange")).toHaveCount(2);
  await expect(playground.answer.locator(".exchange").first()).toContainText("500");
});

test("faults are taken back while the data stay", async ({ playground, page }) => {
  await playground.open("calls/deleteVehicle");
  expect(await playground.send()).toBe("answered");
  await playground.setFault({ Operation: "getVehicle", "What happens": "html", Requests: "" });
  await expect(page.getByRole("list", { name: "Faults that are set" })).toContainText(
    'ref.on("getVehicle").fault("html");',
  );
  await page.getByRole("button", { name: "Remove all" }).click();
  await playground.go("calls/getVehicle");
  expect(await playground.send()).toBe("answered");
  await page.getByLabel("id").fill("vehicle-36");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("404 NOT_FOUND");
});

test("the journal has each request with its fault", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await playground.setFault({ "What happens": "reset" });
  expect(await playground.send()).toBe("answered");
  await playground.tab("Journal").click();
  const rows = page.getByRole("region", { name: "Journal" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(/200\s*getStore\s*GET \/v1\/stores\/S-1/);
  await expect(rows.nth(2)).toContainText("none (reset)");
});
