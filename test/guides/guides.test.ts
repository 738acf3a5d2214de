import { describe, expect, test } from "vitest";
import { type Block, blocks } from "../documentation.ts";
import { run } from "./run.ts";

// Runs each TypeScript block of README.md, docs/ and the skill separately, with a reference server at the URLs that the
// block names. A block that contains tests registers them here.

/** The blocks that this test cannot run, and the suites that run them. */
const elsewhere: readonly { reason: string; fits: (block: Block) => boolean }[] = [
  {
    reason: "npm run test:recipes runs it with its test runner",
    fits: ({ file = "" }) => /\.(?:node|spec)\.ts$|^prove-adapter\.mts$/.test(file),
  },
  {
    reason: "npm run test:recipes runs it with its program",
    fits: ({ file, language }) => language !== "ts" && file !== undefined,
  },
  {
    reason: "npm run test:package installs the packed package",
    fits: ({ text }) => text.startsWith("npm install shelfleet"),
  },
  {
    reason: "npm run test:postgres runs it with a server",
    fits: ({ text }) => text.includes('from "pg"'),
  },
  { reason: "test/prove runs it, which takes long", fits: ({ file }) => file === "prove.test.ts" },
  {
    reason: "test/prove runs this command",
    fits: ({ text }) => /shelfleet prove|scenarios with one remedy/.test(text),
  },
  {
    reason: "test/doctor runs this command",
    fits: ({ text }) => /shelfleet doctor|^DIFF|^Clients for this service/m.test(text),
  },
  { reason: "it runs until it is interrupted", fits: ({ text }) => text.startsWith("npx shelfleet mock") },
  { reason: "it is a diagram", fits: ({ language }) => language === "text" },
];

const here = blocks().filter((block) => !elsewhere.some(({ fits }) => fits(block)));
const withTests = here.filter(({ text }) => /^\s*test(?:\.for)?\(/m.test(text));
const plain = here.filter((block) => !withTests.includes(block));

describe.for(withTests)("the block at $document:$line", async (block) => {
  await run(block);
});

test.for(plain)(
  "the block at $document:$line calls an API or returns a value, and has the results that it shows",
  async (block) => {
    expect(block.language).toBe("ts");
    const { requests, violations, results, wrong } = await run(block);
    expect(wrong).toEqual([]);
    expect(requests + results).toBeGreaterThan(0);
    expect(violations).toEqual([]);
  },
);

test.for(elsewhere)("some block needs another runner: $reason", ({ fits }) => {
  expect(blocks().some(fits)).toBe(true);
});
