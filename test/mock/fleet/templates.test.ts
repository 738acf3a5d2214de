import { describe, expect, test } from "vitest";
import type { InspectionTemplate, JsonObject } from "../../../generated/fleet.ts";
import type { ReadingsOption } from "../../../src/mock/index.ts";
import { FleetCaller, ids, callerWith } from "./fleet-caller.ts";

const list = (caller: FleetCaller, query: Record<string, string> = {}) =>
  caller.data<InspectionTemplate[]>("listInspectionTemplates", { query: { limit: 100, ...query } });

/** The only element of the list with a title. */
async function titled(caller: FleetCaller, title: string): Promise<InspectionTemplate> {
  const [found, ...others] = (await list(caller)).filter((one) => one.title === title);
  expect(others).toEqual([]);
  return found as InspectionTemplate;
}

test("an inspection template has options only for SELECT (fleet 2)", async () => {
  const items = (await list(new FleetCaller())).flatMap((template) => template.items);
  for (const { inputType, options } of items) expect(options.length > 0).toBe(inputType === "SELECT");
  const caller = new FleetCaller();
  await caller.data("createInspectionTemplate", {
    body: { title: "T", items: [{ inputType: "TEXT", options: ["x"] }] },
  });
  expect((await titled(caller, "T")).items[0]?.options).toEqual([]);
});

test("an inspection template may lack dependsOn (fleet 2)", async () => {
  const items = (await list(new FleetCaller())).flatMap((template) => template.items);
  expect(items.some((item) => "dependsOn" in item)).toBe(true);
  expect(items.some((item) => !("dependsOn" in item))).toBe(true);
});

test("an inspection template has the counts of the data", async () => {
  const caller = new FleetCaller();
  const inspections = await caller.data<JsonObject[]>("listInspections", { query: { limit: 100 } });
  const templates = await list(caller);
  for (const { id, items, itemCount, inspectionCount } of templates) {
    expect(itemCount).toBe(items.length);
    expect(inspectionCount).toBe(inspections.filter(({ templateId }) => templateId === id).length);
  }
  const { id = "", inspectionCount = 0 } = templates[0] ?? {};
  const { id: inspection } = await caller.data("submitInspection", { body: { templateId: id } });
  expect((await list(caller))[0]?.inspectionCount).toBe(inspectionCount + 1);
  await caller.data("deleteInspection", { id: inspection as string });
  expect((await list(caller))[0]?.inspectionCount).toBe(inspectionCount);
});

test("a created template is listed with the sent properties, version 1, active and the server's times", async () => {
  const caller = new FleetCaller();
  const items = [
    { label: "Lights?", inputType: "BOOLEAN", isRequired: true },
    {
      id: "own",
      label: "Which?",
      inputType: "SELECT",
      options: ["Left", "Right"],
      dependsOn: { itemId: "x" },
    },
  ];
  await caller.data("createInspectionTemplate", {
    body: { title: "T", description: "D", items, itemCount: 9, createdAt: "never" },
  });
  const now = "2026-01-01T00:00:00.000Z";
  expect(await titled(caller, "T")).toEqual({
    id: expect.any(String) as string,
    title: "T",
    description: "D",
    version: 1,
    isActive: true,
    createdAt: now,
    updatedAt: now,
    itemCount: 2,
    inspectionCount: 0,
    items: [
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        label: "Lights?",
        inputType: "BOOLEAN",
        isRequired: true,
        options: [],
        order: 1,
        instructionImageUrl: null,
      },
      {
        id: "own",
        label: "Which?",
        inputType: "SELECT",
        isRequired: false,
        options: ["Left", "Right"],
        order: 2,
        instructionImageUrl: null,
        dependsOn: { itemId: "x" },
      },
    ],
  });
});

test("a PUT of a template keeps the time of creation, updates that of the change, and keeps a version that is not sent", async () => {
  const caller = new FleetCaller();
  const { id } = await caller.data("createInspectionTemplate", { body: { title: "T", version: 3 } });
  caller.ref.clock.advance({ hours: 1 });
  const [before] = [await titled(caller, "T")];
  await caller.data("updateInspectionTemplate", {
    id: id as string,
    body: { ...before, title: "U", version: undefined },
  });
  const updatedAt = "2026-01-01T01:00:00.000Z";
  expect(await titled(caller, "U")).toEqual({ ...before, title: "U", updatedAt });
});

const SEEDS = [
  { id: "t1", title: "Daily check", groupIds: ["g1"] },
  { id: "t2", title: "Weekly CHECK", groupIds: ["g1", "g2"], isActive: false },
  { id: "t3", title: "Handover" },
];
const three = (readings: ReadingsOption = {}) => callerWith(readings, { inspectionTemplates: SEEDS });
const findTemplates = async (query: Record<string, string>, readings?: ReadingsOption) =>
  ids(await list(three(readings), query));

describe("a filter of the template list (fleet 4)", () => {
  test("given twice is a 400 under any name", async () => {
    const caller = three({ "templates.group-filter": "groupId", "templates.title-filter": "title" });
    for (const query of ["groupId=g1&groupId=g2", "title=a&title=b"]) {
      const { status } = await caller.ref.fetch(`${caller.ref.fleetUrl}/inspection-templates?${query}`, {
        headers: { authorization: `Bearer ${caller.ref.keys[0]?.key}` },
      });
      expect(status).toBe(400);
    }
  });

  test("narrows others and applies to every page", async () => {
    expect(await findTemplates({ search: "check", vehicleGroupId: "g1", isActive: "true" })).toEqual(["t1"]);
    const seen = await three().call("listInspectionTemplates", {
      query: { search: "check", limit: 1, page: 2 },
    });
    expect([ids(seen.data), seen.meta.pagination]).toMatchObject([["t2"], { totalCount: 2, totalPages: 2 }]);
  });
});
