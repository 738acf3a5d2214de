/** Each rule of the simulation is about a promise of docs/guarantees.md, and each promise about data has a rule. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rows } from "./rows.ts";

const text = readFileSync(new URL("../../docs/guarantees.md", import.meta.url), "utf8");
const [promises = "", unnoticed = ""] = text.split("## What no client can notice");
const idsOf = (part: string): string[] => [...new Set(part.match(/G-\d+/g))];

/** The rules of each promise, by the beginning of their identifiers. */
const rulesOf: Readonly<Record<string, readonly string[]>> = {
  "G-1": [
    "L-2",
    "L-3",
    "L-4",
    "L-6",
    "L-7",
    "L-8",
    "L-10",
    "L-11",
    "L-12",
    "L-13",
    "L-14",
    "L-15",
    "L-16",
    "L-17",
    "L-18",
    "L-19",
    "L-20",
  ],
  "G-2": ["L-9"],
  "G-3": ["L-1"],
  "G-4": ["L-5"],
  "G-7": ["W-12"],
  "G-8": ["W-1", "W-2", "W-3", "W-4", "W-5", "W-7", "W-11"],
  "G-9": ["W-6", "W-8", "W-9", "W-10"],
  "G-10": ["P-1", "P-2", "P-3", "P-4", "P-5", "P-6", "P-7", "P-8", "P-9", "M-2", "M-5", "M-6", "M-7"],
  "G-11": ["M-1", "M-3", "M-4"],
};

/** The promises that are about requests and secrets, and that other tests show. */
const others = ["G-5", "G-6", "G-12"];

test("each rule is about one promise of the guarantees, and each promise has a rule or another test", () => {
  expect(Object.values(rulesOf).flat().toSorted()).toEqual(Object.keys(rows).toSorted());
  expect([...Object.keys(rulesOf), ...others].toSorted()).toEqual(idsOf(promises).toSorted());
});

test.each(
  Object.entries(rulesOf).filter(([, rules]) => rules.some((rule) => rows[rule]?.isSilent !== undefined)),
)("the guarantees say what to do about %s, because a rule excuses a silent failure", (promise) => {
  expect(idsOf(unnoticed)).toContain(promise);
});
