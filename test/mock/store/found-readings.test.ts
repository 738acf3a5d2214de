import { expect, test } from "vitest";
import type { StoreSeed } from "../../../src/mock/index.ts";
import { ALL_TIME, Caller, issuePaths, items } from "../caller.ts";

const PHOTOS: StoreSeed = {
  externalId: "S-1",
  protocols: [
    { protocolId: "P-1", status: "completed" },
    { protocolId: "P-2", status: "processing" },
  ],
  photos: [
    { photoId: "I-1", protocolId: "P-1", status: "annotated" },
    { photoId: "I-2", protocolId: "P-2", status: "annotated" },
    { photoId: "I-3", protocolId: "P-1", status: "failed" },
  ],
};

test("photos.two-statuses decides whether a second status is rejected or both match", async () => {
  const path = `/v1/stores/S-1/photos?${ALL_TIME}&status=completed&status=annotated`;
  const one = new Caller({ store: { stores: [PHOTOS] } });
  expect(issuePaths(await one.get(path))).toEqual(["status"]);
  const both = new Caller({ store: { stores: [PHOTOS] }, readings: { "photos.two-statuses": "both" } });
  expect(items(await both.get(path)).map(({ photoId }) => photoId)).toEqual(["I-1"]);
  expect(
    issuePaths(
      await both.get(path.replace("=completed", "=processing").replace("annotated", "awaiting_processing")),
    ),
  ).toEqual(["status"]);
  expect(issuePaths(await both.get(`${path}&status=failed`))).toEqual(["status"]);
  expect(items(await both.get(`${path.slice(0, -17)}&secondStatus=annotated`))).toHaveLength(2);
});

test.each([
  ["anna@example.com", 200, 200],
  ["anna.nowak+x@sub.example.com", 200, 200],
  ['"a.b"@example.com', 200, 200],
  ["anna@[192.0.2.1]", 200, 200],
  ["anna..nowak@example.com", 200, 400],
  ["anna@-example.com", 200, 400],
  [`${"a".repeat(65)}@example.com`, 200, 400],
  ["a b@example.com", 400, 400],
  ["a@@example.com", 400, 400],
  ["@example.com", 400, 400],
])(
  "contacts.email-format decides about %s: %i under lenient, %i under rfc5321",
  async (email, ...statuses) => {
    for (const [index, reading] of (["lenient", "rfc5321"] as const).entries()) {
      const caller = new Caller({ readings: { "contacts.email-format": reading } });
      const { status } = await caller.put("/v1/stores/S-1/contacts", {
        contacts: [{ name: "Anna", phone: "1", email }],
      });
      expect([reading, status]).toEqual([reading, statuses[index]]);
    }
  },
);

test("a number in a query may have an exponent", async () => {
  const { status } = await new Caller().get(`/v1/fill-rate?${ALL_TIME}&minFillRate=1e1&maxFillRate=9.5E1`);
  expect(status).toBe(200);
});

test("protocols.equal-summaries: one lists equal protocols once", async () => {
  const same = { status: "completed", createdAt: "2025-12-01T00:00:00Z" };
  const seed: StoreSeed = {
    externalId: "S-1",
    protocols: [
      { ...same, protocolId: "P-1" },
      { ...same, protocolId: "P-2" },
      { ...same, protocolId: "P-3", status: "failed" },
    ],
  };
  const ids = async (reading: "distinct" | "one") => {
    const readings = { "protocols.equal-summaries": reading } as const;
    const caller = new Caller({ store: { stores: [seed] }, readings });
    const rows = items(await caller.get(`/v1/stores/S-1/protocols?${ALL_TIME}`));
    return rows.map(({ protocolId }) => protocolId);
  };
  expect(await ids("distinct")).toEqual(["P-1", "P-2", "P-3"]);
  expect(await ids("one")).toEqual(["P-1", "P-1", "P-3"]);
});
