import type { Measurement } from "../measurement.ts";
import { callOverLoopback, callOverStub } from "./calls.ts";
import { firstCall } from "./first-call.ts";
import { millionWalk, walkMemory } from "./million-walk.ts";
import { cursorWalk, numberedWalk } from "./page-walks.ts";

/** The table, in its order. */
export const measurements: readonly Measurement[] = [
  callOverStub,
  callOverLoopback,
  firstCall,
  millionWalk,
  walkMemory,
  cursorWalk,
  numberedWalk,
];
