import { expect, type Playground, test } from "./playground.ts";

/** The error of a client that does not retry, for each fault. */
const faults: [effect: string, error: string, more?: Record<string, string>][] = [
  ["reset", "ConnectionError"],
  ["close", "ConnectionError"],
  ["truncate", "ConnectionError"],
  ["malformed", "UnexpectedResponseError"],
  ["html", "UnexpectedResponseError"],
  ["status", "StoreApiError", { Status: "503" }],
  ["delay", "TimeoutError", { Milliseconds: "5000" }],
];

async function withoutRetries(playground: Playground): Promise<void> {
  await playground.setClients({ retry: "0", timeout: "400" });
}

test("each fault ends the call with its error", async ({ playground }) => {
  await playground.open("calls/getStore");
  await withoutRetries(playground);
  for (const [effect, error, more = {}] of faults) {
    await playground.setFault({ Operation: "getStore", Effect: effect, ...more });
    expect(await playground.send(), effect).toBe("failed");
    await expect(playground.error.getByRole("heading"), effect).toHaveText(error);
    expect(await playground.send(), effect).toBe("succeeded");
  }
});

test("a stalled response ends with a TimeoutError of the client", async ({ playground }) => {
  await playground.open("calls/getVehicle");
  await withoutRetries(playground);
  await playground.setFault({ Operation: "getVehicle", Effect: "stall", Position: "body" });
  expect(await playground.send()).toBe("failed");
  await expect(playground.error.getByRole("heading")).toHaveText("TimeoutError");
});

test("a failed GET is retried, and each attempt is shown", async ({ playground }) => {
  await playground.open("calls/getStore");
  await playground.setFault({ Effect: "status", Status: "500" });
  expect(await playground.send()).toBe("succeeded");
  await expect(playground.response.locator(".exchange")).toHaveCount(2);
  await expect(playground.response.locator(".exchange").first()).toContainText("500");
});

test("removing all faults keeps the data and the journal", async ({ playground, page }) => {
  await playground.open("calls/deleteVehicle");
  expect(await playground.send()).toBe("succeeded");
  await playground.setFault({ Operation: "getVehicle", Effect: "html", Requests: "" });
  await expect(playground.faults).toContainText('ref.on("getVehicle").fault("html");');
  await page.getByRole("button", { name: "Remove all" }).click();
  await playground.go("calls/getVehicle");
  expect(await playground.send()).toBe("succeeded");
  await page.getByLabel("id").fill("vehicle-36");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("404 NOT_FOUND");
});

test("the journal lists each request with its fault", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await playground.setFault({ Effect: "reset" });
  expect(await playground.send()).toBe("succeeded");
  await playground.tab("Journal").click();
  const rows = page.getByRole("region", { name: "Journal" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(/200\s*getStore\s*GET \/v1\/stores\/S-1/);
  await expect(rows.nth(2)).toContainText("no response (reset)");
});

test("a fault shows how many requests it still applies to, and disappears after the last one", async ({
  playground,
}) => {
  await playground.open("calls/getStore");
  await withoutRetries(playground);
  await playground.setFault({ Effect: "status", Status: "503", Requests: "2" });
  await expect(playground.tab("Faults")).toHaveText("Faults 1");
  await expect(playground.faults).toContainText('ref.on("getStore").always({ status: 503 }).times(2);');
  expect(await playground.send()).toBe("failed");
  await playground.tab("Faults").click();
  await expect(playground.faults).toContainText('ref.on("getStore").once({ status: 503 });');
  await expect(playground.faults).toContainText("the next request");
  expect(await playground.send()).toBe("failed");
  await playground.tab("Faults").click();
  await expect(playground.faults).toHaveCount(0);
  await expect(playground.tab("Faults")).toHaveText("Faults");
  expect(await playground.send()).toBe("succeeded");
});

test("removing one fault keeps the other faults", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await playground.setFault({ Effect: "html" });
  await playground.setFault({ Effect: "delay" });
  await expect(playground.faults).toHaveCount(2);
  await page.getByRole("button", { name: "Remove fault 1" }).click();
  await expect(playground.faults).toHaveCount(1);
  await expect(playground.faults).toContainText(".delay(1_000).times(1)");
});

test("a forced response has the headers and the body of the form", async ({ playground }) => {
  await playground.open("calls/getStore");
  await withoutRetries(playground);
  await playground.setFault({
    Effect: "status",
    Status: "429",
    "Response headers": "Retry-After: 3600\nX-Request-Id: seven",
    "Response body": '{ "error": { "code": "slow_down", "message": "Too fast" } }',
  });
  await expect(playground.faults).toContainText('headers: { "retry-after": "3600"');
  expect(await playground.send()).toBe("failed");
  const headers = playground.response.getByRole("table", { name: "Response headers" });
  await expect(headers.getByRole("row", { name: "retry-after 3600" })).toBeVisible();
  await expect(headers.getByRole("row", { name: "x-request-id seven" })).toBeVisible();
  await expect(playground.response.getByRole("region", { name: "Response body" })).toContainText("slow_down");
});

test("a fault applies only to requests that match its fields", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await withoutRetries(playground);
  await playground.setFault({ Effect: "status", "path.externalId": "S-2", Requests: "" });
  await expect(playground.faults).toContainText('ref.on("getStore", { path: { externalId: "S-2" } })');
  expect(await playground.send()).toBe("succeeded");
  await page.getByLabel("externalId").first().fill("S-2");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("503");
});

test("a fault applies only to matching bodies, after the skipped requests", async ({ playground }) => {
  await playground.open("calls/createDamage");
  await withoutRetries(playground);
  await playground.setFault({
    Operation: "*",
    Effect: "status",
    Status: "409",
    "Request body": '{ "description": "Scratch" }',
    "Skipped requests": "1",
    Requests: "",
  });
  const body = playground.page.getByRole("textbox", { name: /^body/ });
  expect(await playground.send()).toBe("succeeded");
  await body.fill('{ "description": "Scratch" }');
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("409");
});

test("the form of a fault shows which field is invalid, and the error of the server", async ({
  playground,
}) => {
  await playground.open("calls/getStore");
  const alert = playground.faultForm.getByRole("alert");
  const button = playground.faultForm.getByRole("button", { name: "Add the fault" });
  await playground.fillFault({ "Response headers": "Retry-After 2" });
  await expect(alert).toHaveText('Response headers: "Retry-After 2" is not a header. Expected "Name: value"');
  await expect(button).toBeDisabled();
  await playground.fillFault({ "Response headers": "", "Response body": "{ broken" });
  await expect(alert).toContainText("Response body must be JSON");
  await playground.fillFault({ "Response body": "", "Request headers": "ż: 1" });
  await button.click();
  await expect(alert).toContainText('"ż" is not the name of a header');
  await playground.fillFault({ "Request headers": "" });
  await expect(alert).toHaveCount(0);
  await expect(playground.faults).toHaveCount(0);
});
