import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { openBoard } from "../board.ts";
import type { Tally } from "../database/runs.ts";
import { block, plain, type ProgressSnapshot, View } from "../view.ts";
import { begin, startCluster } from "./cluster.ts";

const tally = (kind: Tally["kind"], jobs: number, done: number, rows: number): Tally => ({
  kind,
  jobs,
  done,
  rows,
  failed: 1,
  deleted: 0,
  retries: 2,
});

const snapshot: ProgressSnapshot = {
  runId: 3,
  tallies: [tally("photos", 10, 5, 12_000), { ...tally("stores", 1, 1, 10), failed: 0, retries: 0 }],
  rowsPerSecond: 1234.5,
  added: 0,
  paused: 2_000,
  active: 8,
  workers: 2,
  seconds: 61,
  problem: undefined,
};

test("the plain view prints the progress of a run in one line", () => {
  assert.equal(
    plain(snapshot),
    "61 s, stores 10 rows, photos 5/10 jobs 12,000 rows, 1,235 rows/s, 2 retries, 1 dead letters, " +
      "all workers paused for 2 s",
  );
});

test("the live view has one line for each kind of job and fits a narrow terminal", () => {
  const lines = block(snapshot, 100).map(stripVTControlCharacters);
  assert.equal(lines.length, 4);
  assert.match(lines[1] ?? "", /^█{12} stores +listed +10 rows/);
  assert.match(lines[2] ?? "", /^█{6}░{6} photos +5\/10 +12,000 rows +2 retries +1 dead/);
  for (const line of block(snapshot, 40)) assert.ok(line.length < 40);
});

test("the view is redrawn in place on a terminal, and prints lines at growing intervals without one", () => {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), columns: 100 };
  const live = new View(output, true);
  live.show(snapshot);
  live.show(snapshot);
  assert.ok(written[1]?.startsWith("\u001B[4A\r\u001B[J"));
  let now = 0;
  written.length = 0;
  const lines = new View(output, false, () => now);
  for (; now < 60_000; now += 500) lines.show(snapshot);
  assert.ok(written.length > 3 && written.length < 15, `${written.length} lines`);
});

test("bull-board serves the queue with its waiting job on 127.0.0.1", async (context) => {
  await using cluster = await startCluster({ stores: 1, protocolsPerStore: 1 }, { SYNC_BOARD_PORT: "0" });
  await begin(cluster);
  const board = await openBoard(cluster.settings, cluster.log);
  context.after(() => board.close());
  const page = await fetch(board.url);
  const queues = await (await fetch(new URL("api/queues", board.url))).text();
  assert.match(await page.text(), /<html/i);
  assert.match(queues, /"name":"sync"/);
  assert.match(queues, /"(waiting|prioritized)":1/);
});
