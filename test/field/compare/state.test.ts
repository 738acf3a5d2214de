import { describe, expect, it } from "vitest";
import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { FLEET_PATHS } from "../../../src/field/routes.ts";
import type { Operation } from "../../../src/wire/operation.ts";
import { ObservedState } from "../../../src/field/compare/state.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const DAMAGE = {
  id: "d-1",
  vehicleId: "v-1",
  description: "A scratch",
  status: "TO_REPAIR_WARNING",
  photoUrl: "https://files.test/1",
  reportedAt: "2026-03-01T10:00:00Z",
  repairedAt: null,
};
const INSPECTION = {
  id: ID,
  templateId: "t-1",
  template: { id: "t-1", title: "Walk-around", description: "", version: 1 },
  status: "COMPLETED",
  performedAt: "2026-03-01T10:00:00Z",
  notes: "",
  vehicles: [],
  responses: [
    {
      id: "r-1",
      templateItem: { id: "i-1", label: "Lights", inputType: "TEXT", isRequired: true },
      responseText: "fine",
      fileUrl: null,
      followUpResponses: null,
    },
  ],
  damages: [DAMAGE],
};

it("the lists of the fleet API that compare and probe read are those of the contract", () => {
  const rows: Operation[] = Object.values(fleetOperations);
  const lists = rows.filter(({ list, path }) => list !== undefined && !path.includes("{"));
  expect(Object.values(FLEET_PATHS).toSorted()).toEqual(lists.map(({ path }) => path).toSorted());
});

describe("the rows of recorded responses", () => {
  it("include the damages and the labels of an inspection", async () => {
    const state = new ObservedState();
    state.add({
      api: "fleet",
      method: "GET",
      path: `/inspections/${ID}`,
      status: 200,
      json: { data: INSPECTION, meta: {} },
    });
    const ref = createReferenceServer(state.seed());
    const headers = { authorization: `Bearer ${ref.keys[0]?.key ?? ""}` };
    const read = async (path: string): Promise<unknown> =>
      ((await (await ref.fetch(ref.fleetUrl + path, { headers })).json()) as { data: unknown }).data;
    expect(await read(`/inspections/${ID}`)).toMatchObject({
      damages: [DAMAGE],
      responses: INSPECTION.responses,
    });
    expect(await read("/damages")).toMatchObject([{ id: "d-1", description: "A scratch" }]);
  });

  it("keep a released assignment, which a service may still list, and leave out a deleted damage", () => {
    const state = new ObservedState();
    for (const path of ["/driver-assignments", "/damages"]) {
      const json = { data: [{ id: "1" }, { id: "2" }], meta: {} };
      state.add({ api: "fleet", method: "GET", path, status: 200, json });
      state.add({ api: "fleet", method: "DELETE", path: `${path}/1`, status: 200, json: {} });
    }
    expect(state.fleet.rowsOf("driverAssignments")).toEqual([{ id: "1" }, { id: "2" }]);
    expect(state.fleet.rowsOf("damages")).toEqual([{ id: "2" }]);
  });

  it("have what a detail shows, where the list shows less of an object or an element", async () => {
    const state = new ObservedState();
    const [response] = INSPECTION.responses;
    const { templateItem, ...others } = response ?? {};
    const listed = { ...INSPECTION, responses: [{ ...others, templateItemId: "i-1" }], vehicles: ["v-1"] };
    const detail = { ...INSPECTION, vehicles: [{ id: "v-1", plateNumber: "AB 1" }] };
    for (const [path, data] of [
      ["/inspections", [listed]],
      [`/inspections/${ID}`, detail],
    ] as const)
      state.add({ api: "fleet", method: "GET", path, status: 200, json: { data, meta: {} } });
    const ref = createReferenceServer(state.seed());
    const headers = { authorization: `Bearer ${ref.keys[0]?.key ?? ""}` };
    const read = await ref.fetch(`${ref.fleetUrl}/inspections/${ID}`, { headers });
    expect(await read.json()).toMatchObject({
      data: { responses: [{ templateItem }], vehicles: [{ id: "v-1", plateNumber: "AB 1" }] },
    });
  });

  const exposition = (number: number, more: object = {}) => ({
    expositionId: `${ID.slice(0, -1)}${number}`,
    label: `Rack ${number}`,
    friendlyTitle: null,
    productCategories: [],
    expositionType: "FRIDGE_DRINKS",
    status: "active",
    ...more,
  });
  it.each([
    [{}, [["Renamed", "active"]]],
    [{ "expositions.absent": "delete", "expositions.response": "sent" }, [["Renamed", "active"]]],
    [
      { "expositions.response": "sent" },
      [
        ["Rack 1", "active"],
        ["Renamed", "active"],
      ],
    ],
    [
      { "expositions.absent": "disable", "expositions.response": "sent" },
      [
        ["Rack 1", "disabled"],
        ["Renamed", "active"],
      ],
    ],
  ])("keep the expositions that an upsert did not send under the readings %j", (readings, expected) => {
    const state = new ObservedState();
    const store = {
      storeId: ID,
      externalId: "S-1",
      name: "Kiosk",
      openingTimes: [],
      protocolScheduleId: ID,
      protocolCronEnabled: true,
      onboardingComplete: true,
      loginCode: "code",
    };
    const add = (method: string, path: string, json: object) =>
      state.add({ api: "store", method, path, status: 200, json });
    add("GET", "/v1/stores/S-1", store);
    add("PUT", "/v1/stores/S-1/expositions", { items: [exposition(3)] });
    add("GET", "/v1/stores/S-1/expositions", { items: [exposition(1), exposition(2)] });
    add("PUT", "/v1/stores/S-1/expositions", { items: [exposition(2, { label: "Renamed" })] });
    const { stores } = state.seed(readings).store;
    expect(stores).toMatchObject([{ expositions: expected.map(([label, status]) => ({ label, status })) }]);
  });

  it("name the lists that a server has to generate", () => {
    const state = new ObservedState();
    state.add({ api: "fleet", method: "GET", path: "/vehicles", status: 200, json: { data: [], meta: {} } });
    expect(state.invented).not.toContain("vehicles");
    expect(state.invented).toContain("damages");
  });
});
