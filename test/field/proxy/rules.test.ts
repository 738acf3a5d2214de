import { describe, expect, it } from "vitest";
import { ContractChecker } from "../../../src/field/proxy/check/check.ts";

const ID = "11111111-1111-4111-8111-111111111111";

/** Returns the findings about a response of the fleet API. */
function findingsOf(path: string, body: object): string[] {
  const { findings } = new ContractChecker().check({
    api: "fleet",
    method: "GET",
    path,
    query: "",
    requestHeaders: { authorization: `Bearer key_${"0a".repeat(32)}` },
    requestBody: { kind: "none" },
    status: 200,
    responseHeaders: { "content-type": "application/json" },
    responseBody: { kind: "text", text: JSON.stringify(body) },
  });
  return findings
    .filter(({ expected }) => /ISO 8601|once/.test(expected))
    .map(({ place, expected, actual }) => `${place}: expected ${expected}, got ${actual}`);
}

describe("the performance time of an inspection", () => {
  const inspection = (performedAt: unknown) =>
    findingsOf(`/inspections/${ID}`, { data: { performedAt }, meta: {} });

  it.each([
    "2026-03-01T10:00:00Z",
    "2026-03-01T10:00:00.123+02:00",
    "2026-03-01T10:00",
    "2026-03-01",
    "2024-02-29T24:00Z",
  ])("may be %s", (time) => {
    expect(inspection(time)).toEqual([]);
  });

  it.each([
    "yesterday",
    "",
    "01.03.2026",
    "2026-13-45",
    "1767225600",
    "2026-02-30T10:00:00Z",
    "2026-03-01T25:00:00Z",
    "2026-03-01T10:61:00Z",
    "2026-03-01T10:00:00+99:99",
  ])("may not be %j", (time) => {
    expect(inspection(time)).toEqual([
      "/data/performedAt: expected an ISO 8601 date-time, got another string",
    ]);
  });
});

describe("the vehicles of a field", () => {
  const vehicles = (...ids: string[]) =>
    findingsOf(`/vehicle-fields/f-1/vehicles`, { data: ids.map((vehicleId) => ({ vehicleId })), meta: {} });

  it("come once each", () => {
    expect(vehicles("v-1", "v-2")).toEqual([]);
    expect(vehicles("v-1", "v-2", "v-1")).toEqual([
      "/data/2/vehicleId: expected each vehicle once, got a vehicle twice",
    ]);
  });
});

describe("the check of a page of stores", () => {
  const findings = (body: object) => {
    const checker = new ContractChecker();
    const exchange = {
      api: "store",
      method: "GET",
      path: "/v1/stores",
      query: "",
      requestHeaders: { authorization: "Bearer token" },
      requestBody: { kind: "none" },
      status: 200,
      responseHeaders: { "content-type": "application/json" },
      responseBody: { kind: "text", text: JSON.stringify(body) },
    } as const;
    return checker.check(exchange).findings;
  };

  it("finds a violation behind hundreds of others", () => {
    const items = Array.from({ length: 100 }, () => ({}));
    const openingTimes = [{ weekday: "Monday", from: "06:00", to: "22:00" }];
    const found = findings({ items: [...items.slice(1), { openingTimes }], nextCursor: 17 });
    expect(found.map(({ place }) => place)).toEqual(
      expect.arrayContaining(["/items/0/name", "/items/99/openingTimes/0/weekday", "/nextCursor"]),
    );
  });
});

describe("a value that is not listed", () => {
  it("is a violation behind one that a request has sent, which is a note", () => {
    const checker = new ContractChecker();
    const check = (method: string, path: string, sent: object | undefined, received: object) =>
      checker.check({
        api: "store",
        method,
        path,
        query: "",
        requestHeaders: { authorization: "Bearer token", "content-type": "application/json" },
        requestBody: sent === undefined ? { kind: "none" } : { kind: "text", text: JSON.stringify(sent) },
        status: 200,
        responseHeaders: { "content-type": "application/json" },
        responseBody: { kind: "text", text: JSON.stringify(received) },
      }).findings;
    check("PUT", "/v1/stores/S-1", { storeType: "Shop" }, {});
    const items = ["Shop", "Shop", "Hall"].map((storeType) => ({ storeType }));
    const found = check("GET", "/v1/stores", undefined, { items, nextCursor: null });
    expect(
      found.filter(({ place }) => place.endsWith("storeType")).map(({ place, gap }) => [place, gap]),
    ).toEqual([
      ["/items/0/storeType", "requests.unlisted-values"],
      ["/items/2/storeType", undefined],
    ]);
  });
});
