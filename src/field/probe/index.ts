export { type CleanupOptions, type CleanupResult, cleanup } from "./cleanup.ts";
export { readLedger } from "./ledger-check.ts";
export { ProbeOptionError, ProbeServiceError } from "./failures.ts";
export type { EndReason } from "../sender/budget.ts";
export type { Consent, OpenGap } from "./gap.ts";
export type { Ledger, LedgerEntry } from "./ledger.ts";
export { toMarkdown } from "./markdown.ts";
export type { ProbeOptions } from "./options.ts";
export { type PlannedExperiment, planOf } from "./plan.ts";
export { probe } from "./probe.ts";
export {
  type Drift,
  type Evidence,
  type Finding,
  type ProbeProgress,
  type ProbeReport,
  driftBetween,
} from "./report.ts";
export type { JsonSchema } from "./shapes/count.ts";
export { shapesModule } from "./shapes/typescript.ts";
export { type Recorded, type RecordedPlace, readHar, readTrafficLog } from "./recordings.ts";
export { type TrafficOptions, probeTraffic } from "./traffic.ts";
export type { Verdict } from "./verdict.ts";
