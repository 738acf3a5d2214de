import { expect, test } from "vitest";
import { Caller, items } from "../caller.ts";

const SLOT = {
  productCategory: "SALADS_PASTES",
  displayType: "FRIDGE_SALADS",
  weekday: 0,
  protocolTime: "08:30",
  expectedFillRatio: 80,
};

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
