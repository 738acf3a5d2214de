import type { StoreSeedPlan } from "../seed/plan.ts";
import type { StoreList } from "../data.ts";
import { LIST_GENERATOR, type ListGenerator } from "./exported.ts";

/** The origin of the seeded lists of stores. */
export interface ListOrigin {
  /** The generator, if lists were generated. */
  readonly generator: ListGenerator | undefined;
  /** Whether the seeded list of a store was generated. */
  isGenerated(list: StoreList, externalId: string): boolean;
}

/** Returns the origin of the lists of generated stores. */
export function generatedListOrigin({ seed, now, readings, options, storeKeys }: StoreSeedPlan): ListOrigin {
  const { protocolsPerStore } = options;
  const generator: ListGenerator = {
    version: LIST_GENERATOR,
    seed,
    now: new Date(now).toISOString(),
    ...(protocolsPerStore !== undefined && { protocolsPerStore }),
    readings: { "protocols.id-format": readings["protocols.id-format"] },
  };
  return { generator, isGenerated: (_list, externalId) => storeKeys.has(externalId) };
}
