import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { type Sighting, experiment, proof, sighting } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type Lab, storeOf } from "../../lab.ts";
import { type StoreList, WIDE, storesWithProtocols } from "./data.ts";
import { instantOf, keysOf, labelling, timeProperties } from "./identity.ts";

const IDS = ["protocolId", "id"] as const;

/** Returns the instant a number of milliseconds before or after another. */
export function shifted(time: string, ms: number): string {
  return new Date(instantOf(time) + ms).toISOString();
}

interface Ends {
  readonly from: boolean;
  readonly to: boolean;
}

/** Whether a protocol is in a range. */
type Holds = (from: string, to: string) => Promise<{ exchange: Exchange; isIn: boolean }>;

function holdsOf(lab: Lab, path: string, member: string, key: string): Holds {
  return async (from, to) => {
    const exchange = await storeOf(lab).get(path, { from, to, limit: "100" });
    return { exchange, isIn: isOk(exchange) && keysOf(rowsOf(exchange), member).includes(key) };
  };
}

/**
 * Returns the results of ranges that begin and end at an instant; nothing if a range around it does not contain the
 * protocol.
 */
async function* endsAt(holds: Holds, time: string): AsyncGenerator<Sighting<Ends>, void> {
  const [before, at, after] = [shifted(time, -1), shifted(time, 0), shifted(time, 1)];
  const from = await holds(at, after);
  const to = await holds(before, at);
  const seen = { from: from.isIn, to: to.isIn };
  const all = [from.exchange, to.exchange];
  if (!seen.from && !seen.to) {
    const around = await holds(before, after);
    if (!around.isIn) return;
    all.push(around.exchange);
  }
  const because = `An instant ${seen.from ? "belongs" : "does not belong"} to a range from it, and ${seen.to ? "belongs" : "does not belong"} to a range to it.`;
  if (seen.from === seen.to) {
    yield proof(seen, because, ...all);
    return;
  }
  // a time that is displayed with less precision than it is stored looks like one of the two mixed readings
  yield sighting(seen, because, ...all);
  const exact = seen.from ? await holds(at, microsecondAfter(at)) : await holds(microsecondBefore(at), at);
  if (exact.isIn) yield proof(seen, `${because} The instant is exact to a microsecond.`, exact.exchange);
}

function microsecondAfter(time: string): string {
  return time.replace("Z", "001Z");
}

function microsecondBefore(time: string): string {
  return shifted(time, -1).replace("Z", "999Z");
}

export const rangeEnds = experiment<"time-range.ends", Ends>({
  gap: "time-range.ends",
  consent: "read",
  cost: 2,
  after: ["time-range.instant"],
  needs: "protocols that show the time by which they are found",
  observe: async function* observe(lab) {
    for await (const { path, rows } of storesWithProtocols(lab, 1)) {
      const member = labelling(rows, IDS);
      const [row] = rows;
      if (member === undefined || row === undefined) continue;
      const isSubmission = lab.reading("time-range.instant") === "submission";
      // a request for the other time would find nothing new
      const first = (name: string): number => Number(/^submi/i.test(name) === isSubmission);
      for (const name of timeProperties(rows)
        .toSorted((a, b) => first(b) - first(a))
        .slice(0, 2)) {
        let isTold = false;
        for await (const one of endsAt(holdsOf(lab, path, member, String(row[member])), String(row[name]))) {
          isTold = true;
          yield one;
        }
        // another protocol would give the same result
        if (isTold) return;
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
  observe: async function* observe(lab) {
    const { path } = await storeWithProtocols(lab, 1);
    const exchange = await storeOf(lab).get(path, { from: WIDE.to, to: WIDE.from });
    const seen = { status: exchange.status, count: rowsOf(exchange).length };
    const because = `A range whose from is after its to: status ${seen.status}, ${seen.count} protocols.`;
    yield proof(seen, because, exchange);
  },
  readings: {
    reject: ({ status }) => status === 400,
    empty: ({ status, count }) => status === 200 && count === 0,
  },
});

async function storeWithProtocols(lab: Lab, least: number): Promise<StoreList> {
  for await (const list of storesWithProtocols(lab, least)) return list;
  throw new Missing(`a store with ${least} protocols`);
}
