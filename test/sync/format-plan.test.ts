import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { type DesiredStore, formatPlan, planStores, type StorePlan } from "../../src/sync/index.ts";
import { clientsOf, contactRow, serve, storeRow } from "./service.ts";

const rack = {
  label: "R1",
  productCategories: ["DRINKS" as const],
  expositionType: "FRIDGE_DRINKS" as const,
};

/** A service with the store S-001, two contacts and an exposition. */
function service(name = "Kiosk") {
  const [jan, anna] = [
    { name: "Jan", phone: "1" },
    { name: "Anna", phone: "2" },
  ];
  const responses: Record<string, object> = {
    "/stores/S-001/contacts": { externalId: "S-001", items: [contactRow(1, jan), contactRow(2, anna)] },
    "/stores/S-001/expositions": {
      externalId: "S-001",
      items: [{ ...rack, expositionId: storeRow(5).storeId, friendlyTitle: null, status: "disabled" }],
    },
  };
  return serve(({ path }) => [
    200,
    path === "/stores" ? { items: [storeRow(1, { name }), storeRow(2)], nextCursor: null } : responses[path],
  ]).store;
}

const format = async (rows: DesiredStore[], store = service()) =>
  formatPlan(await planStores(rows, store)).split("\n");
const summary = (counts: string, others = 1) =>
  `${counts}. Stores of the service that are in no row and stay as they are: ${others}`;

describe("a plan as text", () => {
  it("has the old and the new value of each property that differs", async () => {
    const row = { externalId: "S-001", name: "Kiosk 1", storeType: "Kiosk" as const };
    expect(await format([{ ...row, loginCode: "1" }])).toEqual([
      'update "S-001" (row 0)',
      '  name: "Kiosk" → "Kiosk 1"',
      '  storeType: null → "Kiosk"',
      summary("1 rows: 0 to create, 1 to update, 0 unchanged, 0 failed"),
    ]);
  });

  it("matches contacts by all of their values, in any order, as applyPlan does", async () => {
    const anna = { phone: "2", name: "Anna", email: null };
    const jan = { name: "Jan", phone: "3" };
    expect((await format([{ externalId: "S-001", contacts: [anna, jan] }])).slice(1, -1)).toEqual([
      '  contacts - {"contactType":"store","name":"Jan","phone":"1","email":null,"hasWhatsapp":false}',
      '  contacts + {"contactType":"store","name":"Jan","phone":"3","email":null,"hasWhatsapp":false}',
    ]);
    const same = [anna, { name: "Jan", phone: "1" }];
    expect(await format([{ externalId: "S-001", contacts: same }])).toEqual([
      summary("1 rows: 0 to create, 0 to update, 1 unchanged, 0 failed"),
    ]);
    const twice = [anna, anna, { name: "Jan", phone: "1" }];
    expect((await format([{ externalId: "S-001", contacts: twice }])).slice(1, -1)).toEqual([
      '  contacts + {"contactType":"store","name":"Anna","phone":"2","email":null,"hasWhatsapp":false}',
    ]);
  });

  it("has the changed and the new expositions", async () => {
    const other = { ...rack, label: "R2" };
    expect((await format([{ externalId: "S-001", expositions: [other, rack] }])).slice(1, -1)).toEqual([
      ...["-", "+"].map((sign) => {
        const status = sign === "-" ? "disabled" : "active";
        return `  expositions ${sign} {"expositionId":"${storeRow(5).storeId}","label":"R1","friendlyTitle":null,"productCategories":["DRINKS"],"expositionType":"FRIDGE_DRINKS","status":"${status}"}`;
      }),
      '  expositions + {"label":"R2","friendlyTitle":null,"productCategories":["DRINKS"],"expositionType":"FRIDGE_DRINKS","status":"active"}',
    ]);
  });

  it("has the values of a new store, and the rows that failed first", async () => {
    const rows = [
      { externalId: "NEW", name: "New", contacts: [{ name: "Anna", phone: "2" }] },
      { externalId: "S-001", name: 5 as never },
    ];
    const lines = await format(rows);
    expect(lines[0]).toMatch(/^failed "S-001" \(row 1\): .*name/);
    expect(lines.slice(1)).toEqual([
      'create "NEW" (row 0)',
      '  name: "New"',
      '  contacts + {"contactType":"store","name":"Anna","phone":"2","email":null,"hasWhatsapp":false}',
      summary("2 rows: 1 to create, 0 to update, 0 unchanged, 1 failed", 2),
    ]);
  });

  it("escapes what nobody can see, in IDs, values and messages", async () => {
    const name = "a\u001b[31m\u0007\n\r\t\u0000\u007f\u009b\u00a0\u200b\u202e\u2028\ufeff\ud800 b é 😀";
    const text = (
      await format(
        [
          { externalId: "S-001", name: "Kiosk" },
          { externalId: "N\u202e", name },
        ],
        service(name),
      )
    ).join("\n");
    expect(text).not.toMatch(/[^\n\P{C}]|(?! )\p{Zs}|[\p{Zl}\p{Zp}]/u);
    expect(text).toContain(
      String.raw`name: "a\u001b[31m\u0007\n\r\t\u0000\u007f\u009b\u00a0\u200b\u202e\u2028\ufeff\ud800 b é 😀"`,
    );
    const plan: StorePlan = { create: [], update: [], unchanged: [], failed: [], extra: [] };
    const failure = {
      row: 3,
      externalId: "\u200b",
      part: "store" as const,
      message: "no\n\u202eway",
      name: "E",
      code: undefined,
      issues: [],
    };
    expect(formatPlan({ ...plan, failed: [failure] })).toContain(
      String.raw`failed "\u200b" (row 3): no\u000a\u202eway`,
    );
  });

  it("ends with a summary after the first hundred of ten thousand rows", async () => {
    const { store } = clientsOf(createReferenceServer({ store: { stores: 0 } }));
    const rows = Array.from({ length: 10_000 }, (_, n) => ({
      externalId: `S-${n}`,
      name: n === 7000 ? (5 as never) : "x",
    }));
    const plan = await planStores(rows, store);
    const lines = formatPlan(plan).split("\n");
    expect(lines).toHaveLength(1 + 99 * 2 + 2);
    expect(lines[0]).toContain('failed "S-7000"');
    expect(lines.slice(-2)).toEqual([
      "… and 9900 more rows",
      summary("10000 rows: 9999 to create, 0 to update, 0 unchanged, 1 failed", 0),
    ]);
    expect(formatPlan(plan, { limit: Infinity }).split("\n")).toHaveLength(1 + 9_999 * 2 + 1);
  });

  it("is the same for a plan that was saved as JSON", async () => {
    const plan = await planStores([{ externalId: "S-001", name: "Kiosk 1", contacts: [] }], service());
    expect(formatPlan(JSON.parse(JSON.stringify(plan)) as StorePlan)).toBe(formatPlan(plan));
  });

  it("compares as the plan does", async () => {
    const equals = { "contacts.phone": (a: unknown, b: unknown) => String(a).trim() === String(b).trim() };
    const contacts = [{ name: "Jan", phone: " 1 " }];
    const plan = await planStores([{ externalId: "S-001", contacts }], service(), { equals });
    expect(formatPlan(plan, { equals }).split("\n").slice(1, -1)).toEqual([
      '  contacts - {"contactType":"store","name":"Anna","phone":"2","email":null,"hasWhatsapp":false}',
    ]);
  });
});
