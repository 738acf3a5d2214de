import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mockReadings } from "../../generated/readings.ts";
import { readGaps } from "../../specs/generate/gaps.ts";
import type { MockGap, ReferenceServerOptions } from "../../src/mock/index.ts";
import type { RequestCases } from "../operations/request-cases.ts";
import { contractCases } from "../operations/contract-cases.ts";
import { type ApiOperation, operationsOf, successStatus } from "../operations/operations.ts";
import { PrismProxy } from "./prism-proxy.ts";

const reports = fileURLToPath(new URL("../../reports/", import.meta.url));

/** Few rows, so that the reset before each operation is fast. */
export const SEEDS: ReferenceServerOptions = {
  store: { stores: 6 },
  fleet: { vehicles: 9, inspections: 9, damages: 9, driverAssignments: 9 },
};

const MISLEADING = ["repeat-cursor", "cycle", "empty-page", "clamp", "shift"] as const;

/** The values that the tests of one API share. */
export interface Bench {
  readonly api: "store" | "fleet";
  readonly operations: readonly ApiOperation[];
  readonly prismProxy: () => PrismProxy;
}

/** The tests that both APIs share. `more` adds the tests of one API, before the test of the statuses seen. */
export function suiteOf(api: "store" | "fleet", more: (bench: Bench) => void): void {
  const operations = operationsOf(api);
  let opened: PrismProxy | undefined;
  const prismProxy = (): PrismProxy => {
    if (opened === undefined) throw new Error("the court is not open");
    return opened;
  };
  beforeAll(() => {
    opened = new PrismProxy(api);
  });
  afterAll(() => opened?.close());

  const casesOf = (operation: ApiOperation): RequestCases => contractCases(prismProxy().ref, operation);

  describe("under the default readings", () => {
    beforeAll(() => prismProxy().start(SEEDS));

    it.each(operations)("$id responds as the document says", async (operation) => {
      prismProxy().ref.reset();
      const { good, bad, unknown, open } = casesOf(operation);
      for (const requestCase of good)
        expect((await prismProxy().send(operation, requestCase)).status).toBe(successStatus(operation));
      for (const requestCase of bad)
        expect((await prismProxy().send(operation, requestCase)).status).toBe(400);
      for (const requestCase of unknown)
        expect((await prismProxy().send(operation, requestCase)).status).toBe(404);
      for (const requestCase of open) await prismProxy().send(operation, requestCase);
    });

    it.each(operations)(
      "$id responds with the documented body of a status that a test forces",
      async (operation) => {
        prismProxy().ref.reset();
        const [requestCase = {}] = casesOf(operation).good;
        for (const status of operation.statuses.filter((one) => one >= 300)) {
          prismProxy().ref.on(operation.id).once({ status });
          expect((await prismProxy().send(operation, requestCase)).status).toBe(status);
        }
      },
    );

    it.each(operations.filter(({ id }) => id.startsWith("list")))(
      "$id responds with pages of the documented shape when a test makes them misleading",
      async (operation) => {
        const [requestCase = {}] = casesOf(operation).good;
        for (const kind of MISLEADING) {
          prismProxy().ref.reset();
          prismProxy().ref.on(operation.id).paging(kind);
          const pages = { ...requestCase, query: { ...requestCase.query, limit: 2 } };
          for (let round = 0; round < 3; round += 1)
            expect((await prismProxy().send(operation, pages)).status).toBe(200);
        }
      },
    );
  });

  describe.each(readingsOf(api))("under %s: %s", (gap, reading) => {
    const concerned = operations.filter((one) => one.gaps.includes(gap));

    it("every operation that the gap concerns responds as the document says", async () => {
      expect(concerned).not.toEqual([]);
      await prismProxy().start({ ...SEEDS, readings: { [gap]: reading } });
      for (const operation of concerned) {
        prismProxy().ref.reset();
        const { good, bad, unknown, open } = casesOf(operation);
        for (const requestCase of [...good, ...bad, ...unknown, ...open])
          await prismProxy().send(operation, requestCase);
      }
    });
  });

  more({ api, operations, prismProxy });

  it("every operation was tested with every status in its document", () => {
    const { seen } = prismProxy();
    const missing = operations.flatMap(({ id, statuses }) =>
      statuses.filter((status) => !seen.has(`${id} ${status}`)).map((status) => `${id} ${status}`),
    );
    report(api, operations, seen);
    expect(missing).toEqual([]);
  });
}

/**
 * A document cannot allow responses without a body next to responses with one: Prism requires each body that a
 * document describes. A test of the fleet API checks these responses.
 */
const BODILESS: MockGap = "errors.undocumented-bodies";

/**
 * The documents describe no response with 429, which `test/mock/limits.test.ts` tests, and no 404 of the upsert of a store,
 * which the matrix tests.
 */
const UNDOCUMENTED: ReadonlySet<string> = new Set([
  "limits.store-rate",
  "limits.fleet-rate",
  "stores.unknown-references: not-found",
]);

/** Every reading except the defaults, of the gaps of an API that the reference server plays. */
function readingsOf(api: string): [MockGap, string][] {
  const apis = new Map(readGaps().map((gap) => [gap.id, gap.api]));
  const ids = (Object.keys(mockReadings) as MockGap[]).filter(
    (gap) => apis.get(gap) === api && gap !== BODILESS && !UNDOCUMENTED.has(gap),
  );
  return ids
    .flatMap((gap) => mockReadings[gap].slice(1).map((reading): [MockGap, string] => [gap, reading]))
    .filter(([gap, reading]) => !UNDOCUMENTED.has(`${gap}: ${reading}`));
}

function report(api: string, operations: readonly ApiOperation[], seen: ReadonlyMap<string, number>): void {
  const rows = operations.map(({ id, statuses }) => {
    const counts = statuses.map((status) => `${status} × ${seen.get(`${id} ${status}`) ?? 0}`);
    return `| \`${id}\` | ${counts.join(", ")} |`;
  });
  const responses = [...seen.values()].reduce((sum, count) => sum + count, 0);
  const summary = `${api}: ${operations.length} operations, ${seen.size} pairs of operation and status, ${responses} answers, none flagged by Prism`;
  mkdirSync(reports, { recursive: true });
  writeFileSync(
    `${reports}referee-${api}.md`,
    `${summary}\n\n| operation | status × answers |\n|---|---|\n${rows.join("\n")}\n`,
  );
  process.stdout.write(`${summary}: reports/referee-${api}.md\n`);
}
