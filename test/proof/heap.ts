import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The size of the heap in use after a garbage collection, in bytes. */
export function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
