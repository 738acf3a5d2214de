export type { ApplyOptions, ApplyResult } from "./apply.ts";
export { applyPlan } from "./apply.ts";
export type { EnsurableResource, EnsureOptions, EnsureResult } from "./ensure.ts";
export { ensure } from "./ensure.ts";
export { MirrorError, RowError } from "./errors.ts";
export { upsertExpositions } from "./expositions.ts";
export type { MirrorOptions, MirrorResult, MirrorSource } from "./mirror.ts";
export { mirror } from "./mirror.ts";
export type { ExpositionOptions, ModifyOptions, StoreChange } from "./modify.ts";
export { modify } from "./modify.ts";
export type { Equals, PartName } from "./parts.ts";
export type {
  DesiredLists,
  DesiredStore,
  FailedRow,
  KeptParts,
  PlannedRow,
  PlannedStore,
  PlanOptions,
  StoreChanges,
  StorePlan,
} from "./plan.ts";
export { planStores } from "./plan.ts";
export type { PhotoSource, ProtocolSource, PullBatch, PullOptions } from "./pull.ts";
export { pull } from "./pull.ts";
export type { MirrorChanges, MirrorEntry, MirrorSink, SavedEntry, UnseenEntry } from "./sink.ts";
export type { SqliteDatabase, SqliteSink } from "./sqlite-sink.ts";
export { sqliteSink } from "./sqlite-sink.ts";
export type { StoreApi, SyncList, SyncPage, SyncRuntime } from "./clients.ts";
