import { expect, it } from "vitest";
import { pathSegment } from "../../src/mock/server/path-segment.ts";

it.each([
  ["S-1", "S-1"],
  ["a/b ü", "a%2Fb%20%C3%BC"],
  ["\u{1f600}", "%F0%9F%98%80"],
  ["a\ud800b", "a%EF%BF%BDb"],
  ["\udc00", "%EF%BF%BD"],
])("pathSegment encodes %j as %s", (text, encoded) => {
  expect(pathSegment(text)).toBe(encoded);
});
