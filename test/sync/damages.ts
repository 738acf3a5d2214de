import { DatabaseSync } from "node:sqlite";
import { ensure, type EnsureOptions, sqliteSink } from "../../src/sync/index.ts";
import { type Answer, fleetNotFound, pageOf, serve, settle } from "./service.ts";

export const damage = { description: "D-1: scratch" };
export const minutes = 60_000;

/** A fleet whose damages appear in the list after a time, and can be read at once. */
export function damages({ lag = 0, hasGet = true } = {}) {
  const rows: { id: string; at: number; description?: unknown }[] = [];
  const clock = { now: 0 };
  /** What a POST does instead of creating something. */
  const refusal: { answer?: (() => Promise<Answer>) | undefined } = {};
  const db = new DatabaseSync(":memory:");
  const served = serve(({ method, path, query, body }) => {
    if (method === "POST") {
      if (refusal.answer !== undefined) return refusal.answer();
      rows.push({ id: `d${rows.length + 1}`, at: clock.now, ...body });
      return [201, { data: { id: rows.at(-1)?.id, ...body }, meta: {} }];
    }
    const shown = rows.filter(({ at }) => at + lag <= clock.now);
    if (path === "/damages") return pageOf(shown, query);
    const row = rows.find(({ id }) => path === `/damages/${id}`);
    if (method === "PUT" && row !== undefined) Object.assign(row, body);
    return hasGet && row !== undefined ? [200, { data: row, meta: {} }] : fleetNotFound;
  });
  const posts = () => served.sent.filter(({ method }) => method === "POST").length;
  const runtime = {
    setTimeout(run: () => void, ms: number) {
      let turns = 50; // more than a response takes
      const turn = (): void => {
        turns -= 1;
        if (turns > 0) return void setImmediate(turn);
        clock.now += ms;
        run();
      };
      turn();
    },
    clearTimeout() {},
    Date: Object.assign(() => "", { now: () => clock.now }) as unknown as DateConstructor,
  };
  const sink = sqliteSink(db, "reported");
  const run = (options: Partial<EnsureOptions<typeof damage>> = {}) => {
    const all = { key: "description", sink, runtime, wait: 1000, update: false, ...options } as const;
    return settle(ensure(served.fleet.damages, [damage], all));
  };
  const outcome = async (options?: Partial<EnsureOptions<typeof damage>>) => (await run(options))[0]?.outcome;
  /** Runs with several damages and the default `wait`. Returns the outcomes. */
  const runAll = async (...descriptions: string[]) => {
    const options = { key: "description", sink, runtime, update: false } as const;
    const desired = descriptions.map((description) => ({ description }));
    // runs of one client wait for each other
    return (await settle(ensure(served.makeFleet().damages, desired, options))).map(
      ({ outcome: own }) => own,
    );
  };
  return { ...served, db, rows, clock, refusal, sink, run, runAll, outcome, posts, runtime };
}
