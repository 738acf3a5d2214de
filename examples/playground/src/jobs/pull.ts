import { pull } from "shelfleet/sync";
import type { Clients, Job, Outcome } from "../job.ts";

/** In place of your database. */
const saved = new Map<string, unknown>();
let state: string | undefined;

// shown
/** Reads what is new or has changed since the last run. */
async function run({ store }: Clients): Promise<Outcome> {
  const since = new Date(Date.now() - 30 * 86_400_000);
  const options = { since, state, allowedLateness: 3_600_000, details: true } as const;
  let count = 0;
  for await (const batch of pull(store.protocols, "S-1", options)) {
    // in a real program, one transaction
    for (const [index, id] of batch.ids.entries()) saved.set(id, batch.items[index]);
    state = batch.state;
    count += batch.items.length;
  }
  return { summary: `${count} new or changed, ${saved.size} saved`, rows: toRows() };
}
// end

function toRows(): Outcome["rows"] {
  return [...saved].map(([id, protocol]) => {
    const { status, createdAt, images } = protocol as Record<string, unknown>;
    return {
      protocol: id,
      status: String(status),
      created: String(createdAt).slice(0, 16),
      images: String((images as unknown[]).length),
    };
  });
}

let number = 0;

export const pullJob: Job = {
  title: "Pull",
  about: "Protocols of a store, with their images: the first run reads all, the next ones what is new.",
  writes: false,
  run,
  change: {
    label: "A protocol appears",
    apply: (ref) => {
      number += 1;
      const createdAt = ref.clock.now().toISOString();
      ref.state.store.protocols
        .get("S-1")
        ?.push({ protocolId: `P-new-${number}`, status: "completed", createdAt });
    },
  },
};
