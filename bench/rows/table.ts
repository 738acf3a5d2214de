import type { Measurement } from "../measurement.ts";
import { bundleSizes } from "./bundles.ts";
import { callOverLoopback, callOverStub } from "./calls.ts";
import { editor } from "./editor.ts";
import { firstCall } from "./first-call.ts";
import { inProcess } from "./in-process.ts";
import { millionWalk, walkMemory } from "./million-walk.ts";
import { cursorWalk, numberedWalk } from "./page-walks.ts";
import { deepPage, serverMemory, serverSeed } from "./reference-data.ts";
import { serverRates, serverStart } from "./reference-server.ts";
import { typeInstantiations, typeTime } from "./type-check.ts";

/** The table, in its order. */
export const measurements: readonly Measurement[] = [
  callOverStub,
  callOverLoopback,
  firstCall,
  millionWalk,
  walkMemory,
  cursorWalk,
  numberedWalk,
  bundleSizes,
  typeInstantiations,
  typeTime,
  editor,
  serverRates,
  serverStart,
  serverSeed,
  serverMemory,
  deepPage,
  inProcess,
];
