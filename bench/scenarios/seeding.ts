import { token } from "../responses.ts";
import { mockModule } from "../build.ts";
import type { Scenario } from "../scenario.ts";

/** How many ms a reference server with so many stores takes to be made, its module being there. */
export async function prepare(): Promise<Scenario> {
  const { createReferenceServer } = await mockModule();
  return {
    async run(stores) {
      const start = performance.now();
      const { state } = createReferenceServer({ store: { token, stores } });
      const ms = performance.now() - start;
      if (state.store.stores.size !== stores) throw new Error(`has ${state.store.stores.size} stores`);
      return ms;
    },
  };
}
