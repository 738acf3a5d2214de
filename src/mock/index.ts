export type { Issue } from "./kernel/api-response.ts";
export type { Clock, Duration, Moment } from "./kernel/clock.ts";
export type { Coverage, Split } from "./kernel/coverage.ts";
export type { FaultKind, FaultPlace } from "./kernel/faults.ts";
export type { FleetResource } from "./apis/fleet/data.ts";
export type { FleetKey } from "./apis/fleet/keys.ts";
export type { Journal, JournalEntry, UnmetEntry } from "./kernel/journal.ts";
export type { OperationId } from "./apis/operations.ts";
export type {
  ContactSeed,
  ExpectationSeed,
  ExpositionSeed,
  FleetKeySeed,
  FleetOptions,
  ReferenceServerOptions,
  StoreOptions,
  StoreSeed,
} from "./options.ts";
export type { ForcedAnswer, OperationOverride } from "./kernel/overrides.ts";
export type { PagingFaultKind } from "./kernel/paging-fault.ts";
export type { MockGap, MockReadings, ReadingsOption } from "./kernel/readings.ts";
export type { ReferenceFetch } from "./adapters/fetch/reference-fetch.ts";
export { createReferenceServer, type ReferenceServer } from "./reference-server.ts";
export type { Base, CoreAnswer, CoreRequest, TransportFault } from "./kernel/request.ts";
export type { Shape, ShapeName, Shapes } from "./seed/shapes.ts";
export type { Snapshot } from "./kernel/snapshot.ts";
export type { FleetState, ReferenceState, StoreState } from "./state.ts";
export type { PhotoRow, ProtocolRow } from "./apis/store/data.ts";
