import { expect, it } from "vitest";
import { mockReadings } from "../../generated/readings.ts";
import type { JsonObject } from "../../generated/store.ts";
import {
  createReferenceServer,
  type MockGap,
  type ReadingsOption,
  type ReferenceServer,
  type ReferenceServerOptions,
} from "../../src/mock/index.ts";
import type { RequestCase } from "../operations/request-cases.ts";
import { sendCase, contractCases } from "../operations/contract-cases.ts";
import { type ApiOperation, operationsOf } from "../operations/operations.ts";
import { type Probe, readingProbes } from "./reading-probes.ts";

const operations = [...operationsOf("store"), ...operationsOf("fleet")];

/** A response in one line. */
async function lineOf(
  ref: ReferenceServer,
  operation: ApiOperation,
  requested: RequestCase,
): Promise<string> {
  const response = await sendCase(ref, operation, requested);
  return `${response.status} ${JSON.stringify([...response.headers])}\n${await response.text()}`;
}

/** A server, or the reason why it does not start. */
function start(options: ReferenceServerOptions): ReferenceServer | string {
  try {
    return createReferenceServer(options);
  } catch (error) {
    return String(error);
  }
}

/** The responses to the requests of a probe. */
async function probeResponses(probe: Probe, readings: ReadingsOption): Promise<string[]> {
  const ref = start({ ...probe.options, readings });
  if (typeof ref === "string") return [ref];
  const lines: string[] = [];
  await probe.run(async (id, requested = {}) => {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`no operation ${id}`);
    const line = await lineOf(ref, operation, requested);
    lines.push(line);
    return JSON.parse(line.slice(line.indexOf("\n")).trim() || "{}") as JsonObject;
  }, ref);
  return lines;
}

/** The responses to the requests of every operation that a gap concerns. */
async function responsesOf(gap: MockGap, readings: ReadingsOption): Promise<string[]> {
  const lines: string[] = [];
  for (const operation of operations.filter(({ gaps }) => gaps.includes(gap))) {
    const ref = createReferenceServer({ readings });
    const { good, bad, unknown, open } = contractCases(ref, operation);
    for (const requested of [...good, ...bad, ...unknown, ...open]) {
      lines.push(await lineOf(ref, operation, requested));
    }
  }
  return lines;
}

function responses(gap: keyof typeof readingProbes, reading: string): Promise<string[]> {
  const readings: ReadingsOption = { [gap]: reading };
  const probe = readingProbes[gap];
  return probe === "operations" ? responsesOf(gap, readings) : probeResponses(probe, readings);
}

const gaps = Object.keys(readingProbes) as (keyof typeof readingProbes)[];
const cases = gaps.flatMap((gap) => {
  const [defaultReading, ...others] = mockReadings[gap];
  return others.map((reading) => ({ gap, defaultReading, reading }));
});

it.each(cases)("$gap: $reading changes a response", async ({ gap, defaultReading, reading }) => {
  const before = await responses(gap, defaultReading);
  expect(before).not.toEqual([]);
  expect(await responses(gap, reading)).not.toEqual(before);
});
