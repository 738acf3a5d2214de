import { expect, test } from "./playground.ts";

const folder = "reports/screenshots";

for (const scheme of ["light", "dark"] as const) {
  test(`screenshots of the views are saved in ${scheme} mode`, async ({ playground, page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await playground.open("calls/putContacts");
    await playground.send();
    await page.screenshot({ path: `${folder}/call-${scheme}.png` });
    await playground.go("lists/listVehicles");
    await playground.send("Load all pages");
    await playground.tab("Readings").click();
    await page.screenshot({ path: `${folder}/list-${scheme}.png` });
    for (const view of ["fill-rates", "field-statuses"]) {
      await playground.go(view);
      await expect(page.getByRole("img")).toBeVisible();
      await page.screenshot({ path: `${folder}/${view}-${scheme}.png` });
    }
  });
}
