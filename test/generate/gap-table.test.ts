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
    client: "Either works.",
    probe: { needs: "another service to compare with" },
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

it("the gap table has a row for each gap with readings, and the text around it stays", () => {
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

it("the gap table is not written to a text without its marks", () => {
  expect(withGapTable("nothing here", gaps)).toBe("nothing here");
});
