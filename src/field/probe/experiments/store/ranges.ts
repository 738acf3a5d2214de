import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import { type StoreList, ALL_TIME, storesWithProtocols } from "./data.ts";
import { instantOf, keysOf, findLabelProperty, timeProperties } from "./identity.ts";

const IDS = ["protocolId", "id"] as const;

/** Returns the instant a number of milliseconds before or after another. */
export function shiftTime(time: string, ms: number): string {
  return new Date(instantOf(time) + ms).toISOString();
}

interface Ends {
  readonly from: boolean;
  readonly to: boolean;
}

/** Whether a protocol is in a range. */
type ContainsItem = (from: string, to: string) => Promise<{ exchange: Exchange; isIn: boolean }>;

function containsItem(tools: ExperimentTools, path: string, property: string, key: string): ContainsItem {
  return async (from, to) => {
    const exchange = await storeOf(tools).get(path, { from, to, limit: "100" });
    return { exchange, isIn: isOk(exchange) && keysOf(rowsOf(exchange), property).includes(key) };
  };
}

/**
 * Returns the results of ranges that begin and end at an instant; nothing if a range around it does not contain the
 * protocol.
 */
async function* endsAt(contains: ContainsItem, time: string): AsyncGenerator<ExperimentResult<Ends>, void> {
  const [before, at, after] = [shiftTime(time, -1), shiftTime(time, 0), shiftTime(time, 1)];
  const from = await contains(at, after);
  const to = await contains(before, at);
  const observed = { from: from.isIn, to: to.isIn };
  const all = [from.exchange, to.exchange];
  if (!observed.from && !observed.to) {
    const around = await contains(before, after);
    if (!around.isIn) return;
    all.push(around.exchange);
  }
  const reason = `An instant ${observed.from ? "belongs" : "does not belong"} to a range from it, and ${observed.to ? "belongs" : "does not belong"} to a range to it.`;
  if (observed.from === observed.to) {
    yield conclusiveResult(observed, reason, ...all);
    return;
  }
  // a time that is displayed with less precision than it is stored looks like one of the two mixed readings
  yield tentativeResult(observed, reason, ...all);
  const exact = observed.from
    ? await contains(at, microsecondAfter(at))
    : await contains(microsecondBefore(at), at);
  if (exact.isIn)
    yield conclusiveResult(observed, `${reason} The instant is exact to a microsecond.`, exact.exchange);
}

function microsecondAfter(time: string): string {
  return time.replace("Z", "001Z");
}

function microsecondBefore(time: string): string {
  return shiftTime(time, -1).replace("Z", "999Z");
}

export const rangeEnds = experiment<"time-range.ends", Ends>({
  gap: "time-range.ends",
  consent: "read",
  cost: 2,
  after: ["time-range.instant"],
  needs: "protocols that show the time by which they are found",
  observe: async function* observe(tools) {
    for await (const { path, rows } of storesWithProtocols(tools, 1)) {
      const property = findLabelProperty(rows, IDS);
      const [row] = rows;
      if (property === undefined || row === undefined) continue;
      const isSubmission = tools.reading("time-range.instant") === "submission";
      // a request for the other time would find nothing new
      const first = (name: string): number => Number(/^submi/i.test(name) === isSubmission);
      for (const name of timeProperties(rows)
        .toSorted((a, b) => first(b) - first(a))
        .slice(0, 2)) {
        let isDecided = false;
        for await (const one of endsAt(
          containsItem(tools, path, property, String(row[property])),
          String(row[name]),
        )) {
          isDecided = true;
          yield one;
        }
        // another protocol would give the same result
        if (isDecided) return;
      }
    }
    throw new Missing("protocols that show the time by which they are found");
  },
  readings: {
    "half-open": ({ from, to }) => from && !to,
    inclusive: ({ from, to }) => from && to,
    exclusive: ({ from, to }) => !from && !to,
    "left-open": ({ from, to }) => !from && to,
  },
});

export const invertedRange = experiment({
  gap: "time-range.inverted",
  consent: "read-odd",
  cost: 1,
  needs: "a store with a protocol",
  observe: async function* observe(tools) {
    const { path } = await storeWithProtocols(tools, 1);
    const exchange = await storeOf(tools).get(path, { from: ALL_TIME.to, to: ALL_TIME.from });
    const observed = { status: exchange.status, count: rowsOf(exchange).length };
    const reason = `A range whose from is after its to: status ${observed.status}, ${observed.count} protocols.`;
    yield conclusiveResult(observed, reason, exchange);
  },
  readings: {
    reject: ({ status }) => status === 400,
    empty: ({ status, count }) => status === 200 && count === 0,
  },
});

async function storeWithProtocols(tools: ExperimentTools, minimum: number): Promise<StoreList> {
  for await (const list of storesWithProtocols(tools, minimum)) return list;
  throw new Missing(`a store with ${minimum} protocols`);
}
