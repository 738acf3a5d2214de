import type { Scenario } from "../scenario.ts";
import { walkOf } from "./million-walk.ts";

/** The growth of the heap in use between the first tenth of a walk and its end, in MB. */
export async function prepare(contender: string): Promise<Scenario> {
  const walk = await walkOf(contender);
  return {
    async run(stores) {
      const heaps: number[] = [];
      let seen = 0;
      await walk(stores, () => {
        seen += 1;
        if (seen % (stores / 10) === 0) heaps.push(heapInUse());
      });
      const [first, last] = [heaps[0], heaps.at(-1)];
      if (heaps.length !== 10 || first === undefined || last === undefined)
        throw new Error("the walk ended early");
      return Math.max(0, last - first) / 1e6;
    },
  };
}

function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
