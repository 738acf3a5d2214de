import { expect, test } from "vitest";
import type { InspectionTemplate } from "../../../generated/fleet.ts";
import { FleetCaller, ids } from "./fleet-caller.ts";

const list = (caller: FleetCaller, query = "limit=100") =>
  caller.data<InspectionTemplate[]>(`GET /inspection-templates?${query}`);

test("the default templates have options only for SELECT, and some items have dependsOn (fleet 2)", async () => {
  const items = (await list(new FleetCaller())).flatMap((template) => template.items);
  for (const { inputType, options } of items) expect(options.length > 0).toBe(inputType === "SELECT");
  expect(new Set(items.map((item) => "dependsOn" in item))).toEqual(new Set([true, false]));
});

test("an inspection template has the counts of the data", async () => {
  const caller = new FleetCaller();
  const [before] = await list(caller);
  const inspectionCount = before?.inspectionCount ?? 0;
  expect(before?.itemCount).toBe(before?.items.length);
  const inspection = await caller.data("POST /inspections", { templateId: before?.id });
  expect((await list(caller))[0]?.inspectionCount).toBe(inspectionCount + 1);
  await caller.data(`DELETE /inspections/${String(inspection.id)}`);
  expect((await list(caller))[0]?.inspectionCount).toBe(inspectionCount);
});

test("a created template is listed with the sent properties, version 1, active and the server's times", async () => {
  const caller = new FleetCaller({ inspectionTemplates: [] });
  const choice = { inputType: "SELECT", options: ["Left", "Right"], dependsOn: { itemId: "x" } };
  const items = [
    { label: "Lights?", inputType: "BOOLEAN", isRequired: true, options: ["x"] },
    { id: "own", label: "Which?", ...choice },
  ];
  await caller.data("POST /inspection-templates", { title: "T", items, itemCount: 9, createdAt: "never" });
  const now = "2026-01-01T00:00:00.000Z";
  const text = expect.any(String) as string;
  const shared = { instructionImageUrl: null, isRequired: false };
  expect(await list(caller)).toEqual([
    {
      id: text,
      title: "T",
      description: "",
      version: 1,
      isActive: true,
      createdAt: now,
      updatedAt: now,
      itemCount: 2,
      inspectionCount: 0,
      items: [
        { ...shared, ...items[0], id: text, options: [], order: 1 },
        { ...shared, ...items[1], order: 2 },
      ],
    },
  ]);
});

test("a PUT keeps the time of creation, updates that of the change, and keeps a version that is not sent", async () => {
  const caller = new FleetCaller({ inspectionTemplates: [] });
  const { id } = await caller.data("POST /inspection-templates", { title: "T", version: 3 });
  caller.ref.clock.advance({ hours: 1 });
  const [before] = await list(caller);
  await caller.data(`PUT /inspection-templates/${String(id)}`, { ...before, title: "U", version: undefined });
  expect(await list(caller)).toEqual([{ ...before, title: "U", updatedAt: "2026-01-01T01:00:00.000Z" }]);
});

test("a filter given twice is a 400 under any name", async () => {
  const readings = { "templates.group-filter": "groupId", "templates.title-filter": "title" } as const;
  const caller = new FleetCaller({}, { readings });
  for (const query of ["groupId=g1&groupId=g2", "title=a&title=b"])
    expect((await caller.call(`GET /inspection-templates?${query}`)).status).toBe(400);
});

test("a filter narrows others and applies to every page (fleet 4)", async () => {
  const inspectionTemplates = [
    { id: "t1", title: "Daily check", groupIds: ["g1"] },
    { id: "t2", title: "Weekly CHECK", groupIds: ["g1", "g2"], isActive: false },
    { id: "t3", title: "Handover" },
  ];
  const caller = new FleetCaller({ inspectionTemplates });
  expect(ids(await list(caller, "search=check&vehicleGroupId=g1&isActive=true"))).toEqual(["t1"]);
  expect(ids(await list(caller, "search=check&limit=1&page=2"))).toEqual(["t2"]);
});
