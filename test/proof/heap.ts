import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as (options?: { type: "minor" }) => void;

/** The size of the heap in use after a garbage collection, in bytes. */
export function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** The size of the heap after a collection of young objects only, as a program has many of between two full ones. */
export function heapAfterMinorCollection(): number {
  collectGarbage({ type: "minor" });
  collectGarbage({ type: "minor" }); // an object is old after two of them
  return process.memoryUsage().heapUsed;
}
