import { expect, test } from "vitest";
import { Caller, code, issuePaths, items } from "../caller.ts";

const SLOT = {
  productCategory: "SALADS_PASTES",
  displayType: "FRIDGE_SALADS",
  weekday: 0,
  protocolTime: "08:30",
  expectedFillRatio: 80,
};

test("PUT contacts replaces the list, with the documented defaults (store 2, Contact input)", async () => {
  const caller = new Caller();
  const response = await caller.put("/v1/stores/S-1/contacts", { contacts: [{ name: "Kasa", phone: "1" }] });
  expect(response.status).toBe(200);
  expect(items(response)).toEqual([
    {
      contactId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      contactType: "store",
      name: "Kasa",
      phone: "1",
      email: null,
      hasWhatsapp: false,
      createdAt: "2026-01-01T00:00:00.000Z",
    },
  ]);
  expect((await caller.get("/v1/stores/S-1/contacts")).body).toEqual(response.body);
});

test("PUT contacts stores each contact as it is given", async () => {
  const given = { contactType: "regional_manager", name: "A", phone: "2", email: "a@b", hasWhatsapp: true };
  const response = await new Caller().put("/v1/stores/S-1/contacts", { contacts: [given] });
  expect(items(response)[0]).toMatchObject(given);
});

test("PUT contacts empties the list with an empty list", async () => {
  const caller = new Caller();
  for (const list of ["contacts", "expectations"]) {
    expect(items(await caller.put(`/v1/stores/S-1/${list}`, { [list]: [] }))).toEqual([]);
  }
});

test.for([
  ["contacts", {}, ["contacts"]],
  ["contacts", { contacts: [{ name: "x" }] }, ["contacts.0.phone"]],
  ["contacts", { contacts: [{ name: "x", phone: "1", email: "no" }] }, ["contacts.0.email"]],
  ["contacts", { contacts: [{ name: "x", phone: "1", contactType: "boss" }] }, ["contacts.0.contactType"]],
  ["expectations", { expectations: {} }, ["expectations"]],
  [
    "expectations",
    { expectations: [{ ...SLOT, expectedFillRatio: 101 }] },
    ["expectations.0.expectedFillRatio"],
  ],
  [
    "expectations",
    { expectations: [{ ...SLOT, expectedFillRatio: -1 }] },
    ["expectations.0.expectedFillRatio"],
  ],
  [
    "expectations",
    { expectations: [{ ...SLOT, expectedFillRatio: 0.5 }] },
    ["expectations.0.expectedFillRatio"],
  ],
  ["expectations", { expectations: [{ ...SLOT, weekday: 7 }] }, ["expectations.0.weekday"]],
  ["expectations", { expectations: [{ ...SLOT, weekday: -1 }] }, ["expectations.0.weekday"]],
  ["expectations", { expectations: [{ ...SLOT, protocolTime: "24:00" }] }, ["expectations.0.protocolTime"]],
  ["expectations", { expectations: [{ ...SLOT, protocolTime: "8:00" }] }, ["expectations.0.protocolTime"]],
  ["expectations", { expectations: [{ ...SLOT, displayType: "SHELF" }] }, ["expectations.0.displayType"]],
] as const)("PUT of a list of a store rejects %s %j and names %j", async ([list, body, paths]) => {
  const caller = new Caller();
  const before = await caller.get(`/v1/stores/S-1/${list}`);
  const refused = await caller.put(`/v1/stores/S-1/${list}`, body);
  expect([refused.status, code(refused), issuePaths(refused)]).toEqual([400, "validation_failed", paths]);
  expect((await caller.get(`/v1/stores/S-1/${list}`)).body).toEqual(before.body);
});

test("PUT expectations requires all five properties, of which the category may be null", async () => {
  const caller = new Caller();
  const refused = await caller.put("/v1/stores/S-1/expectations", { expectations: [{}] });
  expect(issuePaths(refused)).toEqual(Object.keys(SLOT).map((field) => `expectations.0.${field}`));
  const whole = { ...SLOT, productCategory: null };
  const response = await caller.put("/v1/stores/S-1/expectations", { expectations: [whole] });
  expect(items(response)[0]).toMatchObject({ ...whole, updatedAt: "2026-01-01T00:00:00.000Z" });
});

test("PUT expectations accepts a fill ratio of 0 and of 100, and the times 00:00 and 23:59 (store 8)", async () => {
  const expectations = [
    { ...SLOT, expectedFillRatio: 0, protocolTime: "00:00" },
    { ...SLOT, expectedFillRatio: 100, protocolTime: "23:59", weekday: 6 },
  ];
  const response = await new Caller().put("/v1/stores/S-1/expectations", { expectations });
  expect(items(response)).toMatchObject(expectations);
});

test("PUT of a list of an unknown store is a 404 before the body is validated", async () => {
  const caller = new Caller();
  for (const list of ["contacts", "expectations", "expositions"]) {
    expect((await caller.get(`/v1/stores/none/${list}`)).status).toBe(404);
    expect((await caller.put(`/v1/stores/none/${list}`, { wrong: 1 })).status).toBe(404);
  }
});

test("requests.check-order: invalid-first validates the body before it looks for the store", async () => {
  const caller = new Caller({ readings: { "requests.check-order": "invalid-first" } });
  expect((await caller.put("/v1/stores/none/contacts", { wrong: 1 })).status).toBe(400);
  expect((await caller.put("/v1/stores/none/contacts", { contacts: [] })).status).toBe(404);
});

test("lists.ids-after-replace decides whether elements get new IDs, or equal elements keep theirs", async () => {
  const contacts = [
    { name: "A", phone: "1" },
    { name: "B", phone: "2" },
  ];
  for (const [reading, same] of [
    ["new", false],
    ["kept", true],
  ] as const) {
    const caller = new Caller({ readings: { "lists.ids-after-replace": reading } });
    const before = items(await caller.put("/v1/stores/S-1/contacts", { contacts }));
    caller.ref.clock.advance({ hours: 1 });
    const after = items(await caller.put("/v1/stores/S-1/contacts", { contacts: contacts.toReversed() }));
    expect(after[1]?.contactId === before[0]?.contactId).toBe(same);
    expect(after[1]?.createdAt === before[0]?.createdAt).toBe(same);
    const slots = { expectations: [SLOT, SLOT] };
    const first = items(await caller.put("/v1/stores/S-1/expectations", slots));
    const second = items(await caller.put("/v1/stores/S-1/expectations", slots));
    expect(first[0]?.expectationId).not.toBe(first[1]?.expectationId);
    expect(second.map(({ expectationId }) => expectationId)).toEqual(
      same
        ? first.map(({ expectationId }) => expectationId)
        : second.map(({ expectationId }) => expectationId),
    );
  }
});

test("lists.duplicates decides whether all duplicates, only the last one or none are accepted", async () => {
  const bodies = {
    contacts: [
      { name: "A", phone: "1" },
      { name: "B", phone: "2" },
      { name: "C", phone: "1" },
    ],
    expectations: [SLOT, { ...SLOT, weekday: 1 }, { ...SLOT, expectedFillRatio: 10 }],
  };
  for (const [list, rows] of Object.entries(bodies)) {
    const path = `/v1/stores/S-1/${list}`;
    const sent = (reading: "accepted" | "last-wins" | "rejected") =>
      new Caller({ readings: { "lists.duplicates": reading } }).put(path, { [list]: rows });
    expect(items(await sent("accepted"))).toHaveLength(3);
    expect(items(await sent("last-wins"))).toMatchObject(rows.slice(1));
    expect(issuePaths(await sent("rejected"))).toEqual([`${list}.2`]);
  }
});

test("responses.nullable-properties: absent leaves out properties that are null", async () => {
  const caller = new Caller({ readings: { "responses.nullable-properties": "absent" } });
  const contacts = [
    { name: "A", phone: "1" },
    { name: "B", phone: "2", email: "b@c" },
  ];
  const listed = items(await caller.put("/v1/stores/S-1/contacts", { contacts }));
  expect(listed.map((row) => Object.hasOwn(row, "email"))).toEqual([false, true]);
  const expectations = [{ ...SLOT, productCategory: null }];
  const [expectation] = items(await caller.put("/v1/stores/S-1/expectations", { expectations }));
  expect(expectation).not.toHaveProperty("productCategory");
});

test("requests.unknown-properties decides whether unknown properties are ignored or rejected by name", async () => {
  const body = { contacts: [{ name: "A", phone: "1", age: 3 }], more: true };
  const [seen] = items(await new Caller().put("/v1/stores/S-1/contacts?x=1", body));
  expect(seen).not.toHaveProperty("age");
  const strict = new Caller({ readings: { "requests.unknown-properties": "rejected" } });
  expect(issuePaths(await strict.put("/v1/stores/S-1/contacts?x=1", body))).toEqual([
    "x",
    "contacts.0.age",
    "more",
  ]);
  expect(issuePaths(await strict.get("/v1/stores?limit=1&page=2"))).toEqual(["page"]);
  expect((await strict.put("/v1/stores/S-1/contacts", { contacts: [] })).status).toBe(200);
});

test("requests.unknown-properties: rejected affects no operation without a documented 400 (found by Prism)", async () => {
  const strict = new Caller({ readings: { "requests.unknown-properties": "rejected" } });
  for (const path of ["", "/contacts", "/expectations", "/expositions"])
    expect((await strict.get(`/v1/stores/S-1${path}?x=1`)).status).toBe(200);
});
