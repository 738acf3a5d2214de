import { expect, it } from "vitest";
import { withGapTable } from "../../specs/generate/gap-table.ts";
import type { Gap } from "../../specs/generate/gaps.ts";

const gaps: Gap[] = [
  {
    id: "things.order",
    source: "S01",
    api: "store",
    section: "1",
    question: "In which order?",
    readings: { up: "Up.", down: "Down." },
    default: "down",
    affects: ["client", "mock"],
    option: "client",
    stance: "Either works.",
  },
  {
    id: "things.meaning",
    source: "S02",
    api: "store",
    section: "1",
    question: "Why?",
    settled: "Nobody asks.",
  },
];

const begin = "<!-- gaps: begin, written by npm run generate -->";

it("writes a row for each gap with readings between the marks, and leaves the rest", () => {
  expect(withGapTable(`before\n${begin}\nold\n<!-- gaps: end -->\nafter\n`, gaps)).toBe(
    [
      "before",
      begin,
      "| gap | question | readings, the default in bold | option of |",
      "|---|---|---|---|",
      "| `things.order` | In which order? | up, **down** | client, server |",
      "<!-- gaps: end -->",
      "after",
      "",
    ].join("\n"),
  );
});

it("does not change a text without the marks of the gap table", () => {
  expect(withGapTable("nothing here", gaps)).toBe("nothing here");
});
