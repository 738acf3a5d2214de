import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What is still in use after a collection, in bytes. */
export function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
