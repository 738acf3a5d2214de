export { type ApplyOptions, type ApplyResult, applyPlan } from "./apply.ts";
export { ensure } from "./ensure.ts";
export type { EnsurableResource } from "./ensure-entities.ts";
export type { EnsureOptions, EnsureResult } from "./ensure-rows.ts";
export { JobError, type JobFailure, type JobName, MirrorError, RowError } from "./errors.ts";
export { upsertExpositions } from "./expositions.ts";
export { type FormatOptions, formatPlan } from "./format-plan.ts";
export { mirror, type MirrorOptions, type MirrorResult, type MirrorSource } from "./mirror.ts";
export { modify, type ModifyOptions, type StoreChange } from "./modify.ts";
export type { Equals, PartName } from "./parts.ts";
export {
  type ChangedRow,
  type DesiredLists,
  type DesiredStore,
  type FailedRow,
  type PlannedRow,
  type PlannedStore,
  type PlanOptions,
  planStores,
  type StoreChanges,
  type StorePlan,
} from "./plan.ts";
export { pull } from "./pull.ts";
export {
  pullStores,
  type PullStoresApi,
  type PullStoresOptions,
  type PullStoresResult,
} from "./pull-stores.ts";
export type { PhotoSource, ProtocolSource, PullBatch, PullOptions } from "./pull-options.ts";
export type * from "./sink.ts";
export { type PostgresConnection, type PostgresPool, postgresSink } from "./postgres-sink.ts";
export { type SqliteDatabase, sqliteSink } from "./sqlite-sink.ts";
export type { StoreApi, SyncList, SyncPage, SyncRuntime } from "./clients.ts";
