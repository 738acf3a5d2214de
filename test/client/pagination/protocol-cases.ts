import { type JsonObject, StoreClient, type StoreStrategies } from "../../../src/index.ts";
import { type Outcome, type Program, run } from "./programs.ts";
import { indexesIn, instantAt, micros, type RangeModel, rangeServer } from "./range-model.ts";
import type { Tally } from "./tally.ts";

type Strategy = NonNullable<StoreStrategies["protocols.next-page"]>;

/** The summaries of a server, by the property that distinguishes them. */
const summaries: Record<string, RangeModel["summary"]> = {
  protocolId: (index, response) => ({ protocolId: `P-${index}`, url: `signed-${response}` }),
  id: (index, response) => ({ id: index, url: `signed-${response}` }),
  identify: (index, response) => ({ key: `K-${index}`, url: `signed-${response}` }),
  anonymous: (index) => ({ note: `n${index}` }),
  "equal pairs": (index) => ({ note: `n${Math.floor(index / 2)}` }),
  "anonymous, signed": (index, response) => ({ note: `n${index}`, url: `signed-${response}` }),
  "equal pairs, signed": (index, response) => ({
    note: `n${Math.floor(index / 2)}`,
    url: `signed-${response}`,
  }),
  "one ID for all": (index) => ({ id: "template", note: `n${index}` }),
};

const start = micros("2026-01-01T00:00:00Z");
const ms = 1000;
/**
 * Pairs of instants on the ends of the range, on the boundaries of windows and beside them, in the precision of the
 * server's clock.
 */
const clocks = {
  seconds: [0, 0, 1, 1, 2, 2, 4, 4, 5, 5, 8, 8].map((at) => at * 1_000_000),
  milliseconds: [0, 0, 4000, 4000, 4001, 4001, 4002, 4002, 2000, 2000, 8000, 8000].map((at) => at * ms),
  microseconds: [
    1, 1, 3_999_999, 3_999_999, 4_000_000, 4_000_000, 4_000_001, 4_000_001, 1999, 1999, 7_999_999, 8_000_000,
  ],
};
/** Ends that are whole milliseconds, and ends that are not. */
const range = { from: start, to: start + 8_000_000 };
const fine = { from: start + 1, to: start + 7_999_999 };

const cursors = ["cursor", "ignored", "ignored-new-cursor", "rejected"] as const;
const orders = ["oldest-first", "newest-first"] as const;
const ends = ["half-open", "inclusive", "exclusive", "left-open"] as const;
const strategies: Strategy[] = ["auto", "cursor", "window", "single"];
const limits = [1, 2, 5, 12];

interface ProtocolCase {
  model: RangeModel;
  kind: string;
  strategy: Strategy;
  limit: number;
  bounds: typeof range;
}

/**
 * Yields the servers and calls for one kind of summary and one precision of instants: every combination of five of the six
 * properties below, with one half of the bounds.
 */
export function* casesOf(kind: string, clock: keyof typeof clocks): Generator<ProtocolCase> {
  const summary = summaries[kind] as RangeModel["summary"];
  const instants = clocks[clock].map((at) => start + at);
  for (const [c, cursor] of cursors.entries())
    for (const [o, order] of orders.entries())
      for (const [e, end] of ends.entries())
        for (const [s, strategy] of strategies.entries())
          for (const [l, limit] of limits.entries()) {
            const bounds = (c + o + e + s + l) % 2 === 0 ? range : fine;
            yield { model: { instants, cursor, order, ends: end, summary }, kind, strategy, limit, bounds };
          }
}

const withoutUrl = (item: string): string => {
  const { url: _, ...rest } = JSON.parse(item) as JsonObject;
  return JSON.stringify(rest);
};

function walk(
  { model, kind, strategy, limit, bounds }: ProtocolCase,
  program: Program,
  ahead: number,
): Promise<Outcome> {
  const server = rangeServer(model);
  const open = (resume: string | undefined) => {
    const client = new StoreClient({
      baseUrl: "https://store.example",
      token: "t",
      fetch: server,
      strategies: { "protocols.next-page": strategy },
      // the instants of the cases are closer together than the default overlap of windows
      readings: { "time-range.precision": "millisecond" },
      ...(kind === "identify" && { identify: ({ key }: JsonObject) => String(key) }),
    });
    const query = { from: instantAt(bounds.from), to: instantAt(bounds.to), limit };
    return client.protocols.list("S", { ...query, resume });
  };
  return run(program, open, ahead);
}

/** Whether the walk has all it needs, so that an error is a defect. */
function mustSucceed({ model, kind, strategy, limit, bounds }: ProtocolCase, count: number): boolean {
  if (count <= limit) return true;
  if (strategy === "single") return false;
  const isDistinguished = ["protocolId", "id", "identify", "anonymous"].includes(kind);
  if (model.cursor === "cursor" && strategy !== "window")
    return isDistinguished || (kind === "one ID for all" && limit > 1);
  if (strategy === "cursor" || !isDistinguished) return false;
  const starts = model.instants.flatMap((at) => [at - 3 * ms, at]).map((at) => Math.max(at, bounds.from));
  return starts.every((at) => indexesIn({ ...model, ends: "inclusive" }, at, at + 3 * ms).length <= limit);
}

/** Runs a program on a case and returns its problems. */
export async function judge(
  one: ProtocolCase,
  program: Program,
  ahead: number,
  tally: Tally,
): Promise<string[]> {
  const { model, bounds, kind } = one;
  const all = indexesIn(model, bounds.from, bounds.to).map((index) =>
    JSON.stringify(model.summary(index, 0)),
  );
  const { items, error } = await walk(one, program, ahead);
  const outcome = { items: items.map(withoutUrl), error };
  const problems = tally.judge(kind, outcome, all.map(withoutUrl), !mustSucceed(one, all.length));
  return problems.map((problem) => `${program}, ${ahead} ahead, ${JSON.stringify(one)}: ${problem}`);
}

/** Every kind of summary with every precision of instants. */
export const rows = Object.keys(summaries).flatMap((kind) =>
  Object.keys(clocks).map((clock) => [kind, clock as keyof typeof clocks] as const),
);
