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
    readings: { down: "Down.", up: "Up." },
    breaks: "A program.",
    option: "client",
    client: "Either works.",
  },
  {
    id: "photos.size",
    source: "S03",
    api: "store",
    section: "2",
    question: "How large?",
    readings: { small: "Small.", large: "Large." },
    breaks: "A program.",
    client: "Either works.",
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

it("the gap tables have a row for each gap with readings, by resource, and the text around them stays", () => {
  expect(withGapTable(`before\n${begin}\nold\n<!-- gaps: end -->\nafter\n`, gaps)).toBe(
    [
      "before",
      begin,
      "",
      "## Store integration API",
      "",
      "### Protocols and photos",
      "",
      "| gap | question | readings, the default first | breaks |",
      "|---|---|---|---|",
      "| `photos.size` | How large? | **small**, large | A program. |",
      "",
      "### Every call",
      "",
      "| gap | question | readings, the default first | breaks |",
      "|---|---|---|---|",
      "| `things.order` | In which order? | **down**, up | A program. |",
      "",
      "<!-- gaps: end -->",
      "after",
      "",
    ].join("\n"),
  );
});

it("the gap table is not written to a text without its marks", () => {
  expect(withGapTable("nothing here", gaps)).toBe("nothing here");
});
