import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { headlines } from "../headlines.ts";
import { plot } from "../plot.ts";
import { published } from "../publication.ts";
import { readResult } from "../result.ts";
import { rowIds } from "../rows/table.ts";
import { resultsBlock, withBlock } from "../speed-tables.ts";
import { resultOf } from "./result.ts";

const figures = readResult(fileURLToPath(published.figures));

test("bench/README.md shows the figures of figures.json", () => {
  const readme = readFileSync(published.readme, "utf8");
  assert.equal(withBlock(readme, resultsBlock(figures)), readme);
});

test("the plot shows the figures of figures.json", () => {
  assert.equal(plot(figures), readFileSync(published.plot, "utf8"));
});

test("figures.json has every row except those that bench/README.md lists as not measured yet", () => {
  const ids = new Set(figures.rows.map(({ id }) => id));
  const pending = /^Not measured yet: (.+)\.$/m.exec(
    readFileSync(new URL("../README.md", import.meta.url), "utf8"),
  );
  const named = pending?.[1]?.replaceAll("`", "").split(", ") ?? [];
  assert.deepEqual(
    rowIds.filter((id) => !ids.has(id)),
    named,
  );
});

test("figures.json has the documented format of --json", () => {
  assert.deepEqual(Object.keys(figures), ["env", "rows"]);
  for (const row of figures.rows) {
    assert.deepEqual(Object.keys(row), ["id", "unit", "contenders", "target", "met"]);
    assert.equal(typeof row.met, "boolean");
    for (const { median, min, max } of Object.values(row.contenders))
      assert.ok(min <= median && median <= max, row.id);
  }
});

test("a missed target is reported in its row and in the count", () => {
  const rows = figures.rows.map((row) => (row.id === "server-list" ? { ...row, met: false } : row));
  const block = resultsBlock({ ...figures, rows });
  assert.match(block, /^\| Reference server: list of 100 .* Prism: \*\*missed\*\* \|  \|$/m);
  assert.match(block, /Missed: .*`server-list` \(≥ 4 × Prism\)/);
});

test("a goal that is not reached is in a separate column, and is not a missed target", () => {
  const rows = figures.rows.map((row) => ({ ...row, met: row.id !== "bundle-client" }));
  const block = resultsBlock({ ...figures, rows });
  assert.match(block, /^\| Bundle of one client, .* \|  \| .* kB: not yet \|$/m);
  assert.match(
    block,
    /(\d+) of \1 targets are met\. \d+ of \d+ goals are reached\. Not yet: `bundle-client`/,
  );
});

test("the table says if other programs were running during the measurement", () => {
  const under = (load: number) => resultsBlock({ ...figures, env: { ...figures.env, load } });
  assert.match(under(0.6), /while other programs were running \(load 0\.6\)/);
  assert.doesNotMatch(under(0.5), /other programs were running/);
});

test("a contender is reported as slower if its cost is higher or its rate is lower", () => {
  const rows = Object.fromEntries(
    headlines(figures).map(({ id, others }) => {
      const names = [
        "shelfleet",
        "shelfleet mock",
        "ref.fetch",
        "shelfleet, prefetch 1",
        "shelfleet, concurrency 8",
      ];
      const all = [...names, ...others.map(({ name }) => name)];
      return [
        id,
        Object.fromEntries(all.map((name): [string, [number, number, number]] => [name, [2, 1, 4]])),
      ];
    }),
  );
  rows["call-stub"] = { shelfleet: [2, 2, 2], openai: [6, 4, 8], "native fetch": [1, 1, 1] };
  rows["server-get"] = { "shelfleet mock": [8, 8, 8], Prism: [2, 1, 4], "bare node:http": [16, 16, 16] };
  const othersById = new Map(headlines(resultOf(rows)).map(({ id, others }) => [id, others]));
  assert.deepEqual(othersById.get("call-stub"), [
    { name: "openai", median: 6, ahead: 3, low: 2, high: 4, verdict: "ours is ahead" },
    { name: "native fetch", median: 1, ahead: 0.5, low: 0.5, high: 0.5, verdict: "ours is behind" },
  ]);
  assert.deepEqual(othersById.get("server-get"), [
    { name: "Prism", median: 2, ahead: 4, low: 2, high: 8, verdict: "ours is ahead" },
    { name: "bare node:http", median: 16, ahead: 0.5, low: 0.5, high: 0.5, verdict: "ours is behind" },
  ]);
});

test("a README without the markers is rejected", () => {
  assert.throws(() => withBlock("# A title", "figures"), /README\.md lacks the markers/);
});
