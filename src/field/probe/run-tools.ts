import type { Budget } from "../sender/budget.ts";
import type { Target } from "../sender/sender.ts";
import type { RunTools } from "./experiment-tools.ts";
import { RunLedger } from "./ledger.ts";
import { type ProbeOptions, fleetUrlOf } from "./options.ts";
import { Sandbox } from "./sandbox.ts";
import { ScratchStore } from "./scratch.ts";
import { type Connection, Service } from "./service.ts";

/** Creates the services of a run, and what it may write to. */
export function createTools(
  options: ProbeOptions,
  connection: Connection,
  budget: Budget,
  find: RunTools["find"],
): RunTools {
  const { storeUrl, token, fleetUrl, key, sandboxUrl, sandboxKey, narrowKeys = [] } = options;
  const service = (api: Target["api"], as: string, base?: string, secret?: string): Service | undefined =>
    base === undefined || secret === undefined
      ? undefined
      : new Service(connection, { api, as, base, secret });
  const sandbox = service("fleet", "sandbox", sandboxUrl, sandboxKey);
  const narrow = narrowKeys.map((narrowKey, index) =>
    service("fleet", `narrow-${index + 1}`, fleetUrlOf(narrowKey, options), narrowKey),
  );
  const store = service("store", "store", storeUrl, token);
  const { scratchStore, write, ledger } = options;
  const marker = `shelfleet-probe-${crypto.randomUUID().slice(0, 8)}`;
  const end = (): void => budget.end("ledger");
  const writes = write === true && ledger !== undefined ? new RunLedger(ledger, end) : undefined;
  return {
    store,
    fleet: service("fleet", "fleet", fleetUrl, key) ?? sandbox,
    sandbox,
    narrow: narrow.filter((known) => known !== undefined),
    scratch:
      writes && store && scratchStore !== undefined
        ? new ScratchStore(store, scratchStore, writes)
        : undefined,
    sandboxWrites: writes && sandbox ? new Sandbox(sandbox, marker, writes, budget) : undefined,
    budget,
    marker,
    ranges: new Map(),
    uuid: () => crypto.randomUUID(),
    find,
  };
}
