import { mkdir, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { readOperations } from "../build/read-operations.ts";
import { expect, test } from "./playground.ts";

test("a walk shows its cursors page by page and can be resumed after any page", async ({
  playground,
  page,
}) => {
  await playground.open("lists/listStores");
  expect(await playground.send("Load all pages")).toBe("succeeded");
  const rows = page.getByTestId("pages").getByRole("row");
  await expect(rows).toHaveCount(1 + 5);
  await expect(rows.nth(1)).toContainText("S-1 … S-13");
  await expect(rows.last()).toContainText("null (last page)");
  expect(await playground.send("Resume after page 3")).toBe("succeeded");
  await expect(rows).toHaveCount(1 + 2);
  await expect(playground.code).toContainText("resume:");
});

test("numbered pages show their number and the totals, and can be resumed", async ({ playground, page }) => {
  await playground.open("lists/listVehicles");
  await page.getByLabel("limit").fill("10");
  expect(await playground.send("Load all pages")).toBe("succeeded");
  const rows = page.getByTestId("pages").getByRole("row");
  await expect(rows).toHaveCount(1 + 4);
  await expect(rows.nth(2)).toContainText("2 of 4, 36 items in total");
  expect(await playground.send("Resume after page 2")).toBe("succeeded");
  await expect(rows).toHaveCount(1 + 2);
  await expect(rows.nth(1)).toContainText("3 of 4");
});

test("a list with an ID in its path can be resumed", async ({ playground, page }) => {
  await playground.open("lists/listVehicleFieldVehicles");
  expect(await playground.send("Load two pages")).toBe("succeeded");
  expect(await playground.send("Resume after page 2")).toBe("succeeded");
  await expect(playground.code).toContainText('listVehicles("field-1", {');
  await expect(page.getByTestId("pages").getByRole("row").nth(1)).toContainText("3 of");
});

test("protocols are listed by time ranges if the server ignores cursors", async ({ playground, page }) => {
  await playground.open("lists/listProtocols");
  await playground.chooseReading("protocols.next-page", "ignored");
  expect(await playground.send("Load all pages")).toBe("succeeded");
  await expect(page.getByRole("heading", { name: /pages, 28 items/ })).toBeVisible();
});

for (const [list, action] of [
  ["listStores", "repeat-cursor"],
  ["listPhotos", "cycle"],
  ["listDamages", "clamp"],
] as const) {
  test(`the paging fault "${action}" ends a walk of ${list} with a PaginationError`, async ({
    playground,
  }) => {
    await playground.open(`lists/${list}`);
    await playground.setFault({ Effect: action, Requests: "" });
    expect(await playground.send("Load all pages")).toBe("failed");
    await expect(playground.error.getByRole("heading")).toHaveText("PaginationError");
  });
}

test("the code of each list is saved for the type check", async ({ playground, page }) => {
  const folder = new URL("../reports/walks/", import.meta.url);
  await mkdir(folder, { recursive: true });
  const operations = (["store", "fleet"] as const).flatMap((api) =>
    readOperations(api, readFileSync(new URL(`../../../specs/${api}.openapi.yaml`, import.meta.url), "utf8")),
  );
  const lists = operations.filter(({ id }) => id.startsWith("list"));
  await playground.open("lists");
  await expect(page.getByRole("navigation", { name: "Operations" }).getByRole("link")).toHaveCount(
    lists.length,
  );
  for (const { id, call } of lists) {
    await playground.go(`lists/${id}`);
    await expect(playground.code).toContainText(`.${call}(`);
    await writeFile(new URL(`${id}.ts`, folder), (await playground.code.textContent()) ?? "");
  }
});
