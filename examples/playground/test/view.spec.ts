import { expect, type Playground, test } from "./playground.ts";

test("the page describes the two APIs and links to the guides", async ({ playground, page, site }) => {
  await playground.open();
  const banner = page.getByRole("banner");
  await expect(banner).toContainText("The store API manages the stores of a chain");
  await expect(banner).toContainText("The fleet API manages vehicles");
  const links = banner.getByRole("link", {
    name: /^(README|clients|reference server|readings|gaps|errors)$/,
  });
  await expect(links).toHaveCount(6);
  const files = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  for (const file of files) {
    const response = await page.request.get(new URL(file, site).href);
    expect(response.status(), file).toBe(200);
    expect(await response.text(), file).toContain("<h1");
  }
});

test("the links between the guides lead to existing pages and headings", async ({ page, site }) => {
  const folder = new URL("guides/", site);
  const files = ["readme", "first-steps", "testing", "gaps", "errors"];
  let found = 0;
  for (const file of files) {
    await page.goto(new URL(`${file}.html`, folder).href);
    const hrefs = await page
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs.filter((one) => one.startsWith(folder.href))) {
      const { hash } = new URL(href);
      const html = await (await page.request.get(href, { failOnStatusCode: true })).text();
      if (hash !== "")
        expect(html, `${file}: ${href}`).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
      found += 1;
    }
  }
  expect(found).toBeGreaterThan(10);
});

test("the panel shows the readings of the current operation, unless another operation is chosen", async ({
  playground,
  page,
}) => {
  await playground.open("calls/listPhotos");
  await playground.tab("Readings").click();
  const photos = page.getByRole("group", { name: "photos.status", exact: true });
  const put = page.getByRole("group", { name: "fleet.put", exact: true });
  await expect(photos).toBeVisible();
  await expect(put).toHaveCount(0);
  await playground.go("calls/updateVehicle");
  await expect(put).toBeVisible();
  await expect(photos).toHaveCount(0);
  await playground.go("field-statuses");
  await expect(page.getByRole("group", { name: "fields.no-response", exact: true })).toBeVisible();
  await expect(put).toHaveCount(0);
  await page.getByLabel("Gaps of").selectOption("updateVehicle");
  await playground.go("calls/listPhotos");
  await expect(put).toBeVisible();
  await page.getByRole("button", { name: /gaps?$/ }).click();
  await expect(photos).toBeVisible();
  await expect(put).toHaveCount(0);
});

test("the form of a fault has the current operation", async ({ playground }) => {
  await playground.open("calls/listPhotos");
  await playground.tab("Faults").click();
  const operation = playground.faultForm.getByRole("combobox", { name: "Operation" });
  await expect(operation).toHaveValue("listPhotos");
  await playground.go("calls/getStore");
  await expect(operation).toHaveValue("getStore");
});

async function edit(playground: Playground): Promise<void> {
  const { page } = playground;
  await page.getByLabel("externalId").first().fill("N-9");
  await page.getByRole("textbox", { name: /^body/ }).fill('{ "name": "Typed" }');
  await playground.setClients({ retry: "0", timeout: "1234" });
  await playground.fillFault({ Effect: "status", Status: "418", "path.externalId": "N-9" });
  await playground.tab("Server").click();
  await page.getByLabel("Requests per second").fill("7");
  await page.getByRole("button", { name: "Limit both APIs" }).click();
  await playground.tab("Key").click();
  await page.getByLabel("revoked").check();
  await playground.chooseReading("stores.omitted-fields", "reset");
}

test("edits survive a reload, and a reset restores the defaults of the server", async ({
  playground,
  page,
}) => {
  await playground.open("calls/putStore");
  await edit(playground);
  await page.reload();
  await expect(page.getByLabel("externalId").first()).toHaveValue("N-9");
  await expect(page.getByRole("textbox", { name: /^body/ })).toHaveValue('{ "name": "Typed" }');
  await expect(playground.code).toContainText('"N-9", { name: "Typed" }');
  await expect(playground.code).toContainText("timeout: 1_234");
  await expect(playground.code).toContainText('"stores.omitted-fields": "reset"');
  await expect(playground.code).toContainText("perSecond: 7");
  await playground.tab("Faults").click();
  await expect(playground.faultForm.getByLabel("path.externalId")).toHaveValue("N-9");
  await expect(playground.faultForm.getByRole("spinbutton", { name: "Status" })).toHaveValue("418");
  expect(await playground.send()).toBe("succeeded");
  expect(await playground.value()).toMatchObject({ externalId: "N-9", name: "Typed" });
  await playground.go("calls/listVehicles");
  expect(await playground.send()).toBe("failed");
  await expect(playground.error).toContainText("revoked");
  await playground.reset();
  await page.reload();
  expect(await playground.send()).toBe("succeeded");
  await expect(playground.code).not.toContainText("perSecond");
});

test("invalid values in the session storage are ignored", async ({ playground, page }) => {
  await playground.open("calls/getStore");
  await page.evaluate(() => {
    const names = [
      "drafts",
      "readings",
      "limits",
      "scopes",
      "key",
      "settings",
      "fault",
      "limits-form",
      "code",
    ];
    for (const [index, name] of names.entries())
      sessionStorage.setItem(
        `shelfleet-playground/1/${name}`,
        index % 2 === 0 ? '{ "getStore": 7 }' : "{ broken",
      );
  });
  await page.reload();
  await expect(page.getByLabel("externalId").first()).toHaveValue("S-1");
  expect(await playground.send()).toBe("succeeded");
  for (const tab of ["Readings", "Faults", "Server", "Key", "Clients"]) {
    await playground.tab(tab).click();
    await expect(page.getByRole("tabpanel").getByRole("heading").first()).toBeVisible();
  }
});

test.describe("the page on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("shows the form first and the list of operations collapsed above it", async ({ playground, page }) => {
    await playground.open("calls/getStore");
    await expect(page.getByLabel("externalId").first()).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeInViewport({ ratio: 1 });
    const list = page.getByRole("navigation", { name: "Operations" });
    await expect(list.getByRole("link", { name: "forStore" })).toBeHidden();
    await list.getByText("Choose another operation").click();
    await list.getByRole("link", { name: "forStore" }).click();
    await expect(page.getByRole("heading", { name: "store.fillRates.forStore" })).toBeInViewport();
    await expect(list.getByRole("link", { name: "forStore" })).toBeHidden();
    await expect(page.getByText("The fleet API manages vehicles")).toBeHidden();
    await page.getByText("About the two APIs").click();
    await expect(page.getByText("The fleet API manages vehicles")).toBeVisible();
  });

  test("scrolls to the response after a call", async ({ playground }) => {
    await playground.open("calls/getStore");
    expect(await playground.send()).toBe("succeeded");
    await expect(playground.response.getByRole("heading").first()).toBeInViewport();
  });
});
