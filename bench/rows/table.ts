import type { Measurement, RowPlan } from "../measurement.ts";
import { bundleSizes } from "./bundles.ts";
import { callOverLoopback, callOverStub } from "./calls.ts";
import { editorOpening, editorTyping } from "./editor.ts";
import { firstCall } from "./first-call.ts";
import { growingJobs } from "./growing-jobs.ts";
import { inProcess } from "./in-process.ts";
import { millionWalk, walkMemory } from "./million-walk.ts";
import { cursorWalk, numberedWalk } from "./page-walks.ts";
import { deepPage, serverMemory, serverSeed } from "./reference-data.ts";
import { serverRates, serverStart } from "./reference-server.ts";
import { processorTimes, transportTimes } from "./transports.ts";
import { typeInstantiations, typeTime } from "./type-check.ts";

/** The rows in the order of the table. */
const measurements: readonly Measurement[] = [
  callOverStub,
  callOverLoopback,
  ...transportTimes,
  ...processorTimes,
  firstCall,
  millionWalk,
  walkMemory,
  cursorWalk,
  numberedWalk,
  bundleSizes,
  typeInstantiations,
  typeTime,
  editorOpening,
  editorTyping,
  serverRates,
  serverStart,
  serverSeed,
  serverMemory,
  deepPage,
  inProcess,
  ...growingJobs,
];

const plans: readonly RowPlan[] = measurements.flatMap((measurement) => measurement.plans);

export const rowIds: readonly string[] = plans.map(({ id }) => id);

/** The plan of a row, or of the row to which a growth row belongs. */
export function planOf(id: string): RowPlan {
  const plan = plans.find((one) => isOf(id, one.id));
  if (plan === undefined) throw new Error(`there is no row ${id}`);
  return plan;
}

const isOf = (id: string, base: string): boolean => id === base || id.startsWith(`${base}.`);

export const isChosen = (only: readonly string[], id: string): boolean =>
  only.length === 0 || only.some((one) => isOf(id, one));

/** The measurements of the given rows; throws for an unknown row. */
export function chosen(only: readonly string[]): Measurement[] {
  const unknown = only.filter((id) => !rowIds.includes(id));
  if (unknown.length > 0)
    throw new Error(`no such row: ${unknown.join(", ")}; there are ${rowIds.join(", ")}`);
  return measurements.filter((measurement) => measurement.plans.some(({ id }) => isChosen(only, id)));
}
