import { describe, expect, it } from "vitest";
import { type ComparedResponse, differences } from "../../../src/field/compare/difference.ts";

function compareRows(service: readonly string[], mock: readonly string[]) {
  const responses = [service, mock].map((ids) => ({
    status: 200,
    contentType: "application/json",
    json: { data: ids.map((id) => ({ id })) },
  }));
  return differences(...(responses as [ComparedResponse, ComparedResponse]), new Set()); // two of them
}

describe("the rows of two lists", () => {
  it.each([
    [["a", "b", "c", "d", "e"], ["a", "b", "c", "e", "d"], "order"],
    [["a", "b"], ["a"], "rows"],
    [["a", "b"], ["a", "c"], "rows"],
  ])("%j and %j differ in %s", (service, mock, aspect) => {
    expect(compareRows(service, mock)).toMatchObject([{ aspect, place: "/data" }]);
  });
});
