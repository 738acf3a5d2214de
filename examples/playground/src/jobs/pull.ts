import { pull } from "shelfleet/sync";
import type { Job, Outcome, Side } from "../job.ts";

export const pullSide: Side = {
  start({ store }) {
    /** In place of your database. */
    const saved = new Map<string, Record<string, unknown>>();
    let state: string | undefined;
    // shown
    /** Reads what is new or has changed since the last run. */
    async function run(): Promise<Outcome> {
      const since = new Date(Date.now() - 30 * 86_400_000);
      const options = { since, state, allowedLateness: 3_600_000 } as const;
      let count = 0;
      for await (const batch of pull(store.protocols, "S-1", options)) {
        // in a real program, one transaction
        for (const [index, id] of batch.ids.entries()) saved.set(id, batch.items[index] ?? {});
        state = batch.state;
        count += batch.items.length;
      }
      return { summary: `${count} new or changed, ${saved.size} saved`, ...describe() };
    }
    // end
    const describe = () => describeProtocols(saved);
    return run;
  },
  reasons: [
    [
      /^GET .*\/protocols/,
      "the range since the saved state, with the hour in which an item may still appear",
    ],
    [/sent again/, "a read has no effect on the service, so it is asked again"],
    [/failed/, "nothing is saved: the next run reads the same range"],
  ],
};

/** Returns the rows and IDs of the saved protocols. */
export function describeProtocols(saved: ReadonlyMap<string, Record<string, unknown>>) {
  const rows = [...saved].map(([id, { status, createdAt }]) => ({
    protocol: id,
    status: String(status),
    created: String(createdAt).slice(0, 16),
  }));
  return { rows, ids: [...saved.keys()] };
}

let number = 0;

export const pullJob: Job = {
  title: "Pull",
  about: "Protocols of a store: the first run reads all, the next ones what is new.",
  writes: false,
  expect: ({ ref }) => (ref.state.store.protocols.get("S-1") ?? []).map(({ protocolId }) => protocolId),
  change: {
    label: "A protocol appears",
    apply({ ref }) {
      number += 1;
      const createdAt = ref.clock.now().toISOString();
      const protocol = { protocolId: `P-new-${number}`, status: "completed", createdAt };
      ref.state.store.protocols.get("S-1")?.push(protocol);
    },
  },
};
