import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createReferenceServer } from "../../../dist/mock.js";
import { readOperations } from "../build/read-operations.ts";
import { expect, test } from "./playground.ts";

const run = promisify(execFile);
const root = new URL("../../../", import.meta.url);

/** A project with only the built package. */
const project = new URL("../reports/run/", import.meta.url);

const operations = (["store", "fleet"] as const).flatMap((api) =>
  readOperations(api, readFileSync(new URL(`specs/${api}.openapi.yaml`, root), "utf8")),
);

/** Without the colors that a test runner enables. */
const env = { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "" };

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** Saves code in the project and runs it in Node. */
async function runInNode(name: string, code: string): Promise<Result> {
  const file = new URL(`${name}.ts`, project);
  await writeFile(file, code);
  try {
    return {
      code: 0,
      ...(await run(process.execPath, [fileURLToPath(file)], { cwd: fileURLToPath(project), env })),
    };
  } catch (error) {
    return error as Result; // of `execFile`: exit code and outputs
  }
}

test.describe("the code of the page, run in Node with the built package,", () => {
  test.describe.configure({ mode: "serial" });

  test.beforeAll(async () => {
    await rm(project, { recursive: true, force: true });
    await mkdir(new URL("node_modules/", project), { recursive: true });
    await symlink(fileURLToPath(root), new URL("node_modules/shelfleet", project));
  });

  test("logs the documented response that the page shows for the initial values of each operation", async ({
    playground,
    page,
  }) => {
    test.setTimeout(240_000);
    await playground.open();
    let expected = "";
    let program = "";
    for (const { id, api, call, statuses } of operations) {
      await playground.go(`calls/${id}`);
      await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(`${api}.${call}`);
      await playground.reset();
      await expect(playground.response).toHaveCount(0);
      const code = (await playground.code.textContent()) ?? "";
      expect(await playground.send(), id).toBe("succeeded");
      const status = await playground.status();
      expect(status, id).toBeLessThan(300);
      expect(statuses, id).toContain(status);
      expect(await page.getByRole("status").first().textContent()).toContain(`response ${status}`);
      const displayed = await playground.response
        .getByRole("region", { name: "Return value of the client" })
        .textContent();
      await writeFile(new URL(`${id}.ts`, project), code);
      program += `console.log("${id}");\nawait import("./${id}.ts");\n`;
      expected += `${id}\n${displayed}\n`;
    }
    expect(await runInNode("all", program)).toEqual({ code: 0, stdout: expected, stderr: "" });
    await playground.tab("Journal").click();
    await expect(page.getByText(/\d+ requests?, 0 contract violations/)).toBeVisible();
  });

  test("uses the readings, limits and faults of the page after it is copied", async ({
    playground,
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await playground.open("calls/getStoreFillRates");
    await playground.chooseReading("fill-rates.shape", "items");
    await playground.tab("Server").click();
    await page.getByRole("button", { name: "Limit both APIs" }).click();
    await playground.setFault({
      Effect: "status",
      Status: "503",
      "Response headers": "Retry-After: 0",
      "path.externalId": "S-1",
    });
    await page.getByRole("button", { name: "Copy" }).click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('ref.on("getStoreFillRates", { path: { externalId: "S-1" } }).once(');
    expect(await playground.send()).toBe("succeeded");
    const { code, stdout } = await runInNode("copied", copied);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(await playground.value());
    expect(JSON.parse(stdout)).toHaveProperty("items");
    const refused = copied
      .replace("burst: 2", "burst: 1")
      .replace("timeout: 2_000", "timeout: 2_000, retry: 0");
    expect((await runInNode("refused", refused)).stderr).toContain("503");
  });

  test("fails like the page if the key lacks the scope", async ({ playground, page }) => {
    await playground.open("calls/listVehicles");
    await playground.tab("Key").click();
    await page.getByRole("button", { name: "No scopes" }).click();
    const result = await runInNode("without-scope", (await playground.code.textContent()) ?? "");
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("ScopeError");
    expect(await playground.send()).toBe("failed");
    await expect(playground.error.getByRole("heading")).toHaveText("ScopeError");
  });

  for (const list of ["listStores", "listVehicles", "listPhotos"]) {
    test(`reads the same pages of ${list} as the page`, async ({ playground }) => {
      await playground.open(`lists/${list}`);
      const code = (await playground.code.textContent()) ?? "";
      expect(await playground.send("Load all pages")).toBe("succeeded");
      const pages = (await playground.value()) as { items: number; resume: string | null }[];
      const lines = pages.map(({ items, resume }) => `${items} ${resume}\n`);
      expect(lines.length).toBeGreaterThan(1);
      expect(await runInNode(`walk-${list}`, code)).toEqual({ code: 0, stdout: lines.join(""), stderr: "" });
    });
  }

  test("reads the data of the charts", async ({ playground, page }) => {
    await playground.open("fill-rates");
    const rates = await runInNode("fill-rates", (await playground.code.textContent()) ?? "");
    expect(rates).toMatchObject({ code: 0, stderr: "" });
    expect(rates.stdout.match(/^S-\d+ \{/gm)).toHaveLength(24);
    await playground.go("field-statuses");
    await playground.loaded();
    const cells = page.getByRole("img").locator("g[data-mark=cell] rect");
    await expect(cells).not.toHaveCount(0);
    const statuses = await runInNode("field-statuses", (await playground.code.textContent()) ?? "");
    expect(statuses.stdout.trim().split("\n")).toHaveLength(await cells.count());
  });

  test("reads the state file that was loaded in the page", async ({ playground, page }) => {
    await playground.open("calls/listStores");
    const ref = createReferenceServer({ store: { stores: 1 }, fleet: { vehicles: 1 } });
    const text = JSON.stringify(ref.exportState());
    await playground.tab("Server").click();
    const file = { name: "state.json", mimeType: "application/json", buffer: Buffer.from(text) };
    await page.getByLabel("Load a state file").setInputFiles(file);
    await expect(page.getByTestId("state")).toContainText("It has 1 store, 1 vehicle,");
    await writeFile(new URL("state.json", project), text);
    const code = (await playground.code.textContent()) ?? "";
    expect(await playground.send()).toBe("succeeded");
    const displayed = await playground.response
      .getByRole("region", { name: "Return value of the client" })
      .textContent();
    expect(await runInNode("with-state", code)).toEqual({ code: 0, stdout: `${displayed}\n`, stderr: "" });
  });

  test("creates only the client if it is for a service", async ({ playground, page }) => {
    for (const [id, secret] of [
      ["getStore", "token:"],
      ["getVehicle", "key:"],
    ] as const) {
      await playground.open(`calls/${id}`);
      await page.getByLabel(/^for/).selectOption("service");
      await expect(playground.code).not.toContainText("createReferenceServer");
      await expect(playground.code).toContainText(secret);
      await writeFile(new URL(`service-${id}.ts`, project), (await playground.code.textContent()) ?? "");
    }
  });
});
