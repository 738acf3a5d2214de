import { describe, expect, it } from "vitest";
import { type Comparison, findLost, findUnwritten, isSameValue } from "../../../src/client/written.ts";

describe("a value that was sent and one that a service shows", () => {
  const id = "8e1c2a64-0f7d-4b93-a5c8-3d6e9f1b2a70";
  const hours = [
    { weekday: 1, from: "08:00", to: "18:00" },
    { weekday: 0, from: "08:00", to: "18:00" },
  ];
  it.each<[what: string, name: string, sent: unknown, shown: unknown, same: Comparison | "never"]>([
    ["equal texts", "name", "A", "A", "exact"],
    ["null and nothing", "email", null, undefined, "exact"],
    ["a UUID in either case", "regionId", id, id.toUpperCase(), "exact"],
    ["no opening times, and an empty list", "openingTimes", null, [], "exact"],
    ["opening times in another order", "openingTimes", hours, hours.toReversed(), "exact"],
    ["categories in another order", "productCategories", ["A", "B"], ["B", "A"], "exact"],
    ["objects with another order of names", "location", { lat: 1, lng: 2 }, { lng: 2, lat: 1 }, "exact"],
    ["a phone without blanks", "phone", "+48 600 100", "+48600100", "letters"],
    ["a name in capital letters", "name", "Anna", "ANNA", "letters"],
    ["another list whose order may count", "tags", ["A", "B"], ["B", "A"], "never"],
    ["other opening times", "openingTimes", hours, hours.slice(1), "never"],
    ["numbers with the same digits", "expectedFillRatio", 10.5, 105, "never"],
    ["a number and its text", "weekday", 1, "1", "never"],
    ["a text and nothing", "name", "A", null, "never"],
  ])("%s: the strictest comparison in which they are the same", (_, name, sent, shown, same) => {
    expect(isSameValue(name, sent, shown, "exact")).toBe(same === "exact");
    expect(isSameValue(name, sent, shown, "letters")).toBe(same !== "never");
  });
});

describe("a written list", () => {
  const facts = { sent: ["name", "phone", "email"], defaults: { email: null } };
  const [a, b] = [
    { name: "A", phone: "1" },
    { name: "B", phone: "2" },
  ];

  it("is shown in any order, with further properties", () => {
    expect(findUnwritten(facts, [a, b], [{ ...b, contactId: "1" }, a], true)).toEqual([]);
  });

  it("names each element that has no item of its own", () => {
    const message = "is not in the response as it was sent";
    expect(findUnwritten(facts, [a, a], [a, b], true)).toEqual([{ path: "1", message }]);
    expect(findUnwritten(facts, [b], [a], false)).toEqual([{ path: "0", message }]);
  });

  it("that is replaced has no other elements; one that is not may have", () => {
    expect(findUnwritten(facts, [a], [a, b], false)).toEqual([]);
    expect(findUnwritten(facts, [a], [a, b], true)).toEqual([
      { path: "items", message: "has 2 elements instead of 1" },
    ]);
  });

  it("may lack what is disabled", () => {
    expect(findUnwritten(facts, [{ ...a, status: "disabled" }], [], false)).toEqual([]);
  });

  it("is matched element by element", () => {
    expect(findLost(["a", "b", "b"], [{ id: "b" }, { id: "c" }], (name, { id }) => id === name)).toEqual([
      0, 2,
    ]);
  });
});
