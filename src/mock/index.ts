export type { Issue } from "./answer.ts";
export type { Clock, Duration, Moment } from "./clock.ts";
export type { Coverage, Split } from "./coverage.ts";
export type { FaultKind, FaultPlace } from "./faults.ts";
export type { FleetResource } from "./fleet/data.ts";
export type { FleetKey } from "./fleet/keys.ts";
export type { Journal, JournalEntry, UnmetEntry } from "./journal.ts";
export type { OperationId } from "./operation-ids.ts";
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
export type { ForcedAnswer, OperationOverride } from "./overrides.ts";
export type { PagingFaultKind } from "./paging-fault.ts";
export type { MockGap, MockReadings, ReadingsOption } from "./readings.ts";
export type { ReferenceFetch } from "./reference-fetch.ts";
export { createReferenceServer, type ReferenceServer } from "./reference-server.ts";
export type { Base, CoreAnswer, CoreRequest, TransportFault } from "./request.ts";
export type { Shape, ShapeName, Shapes } from "./shapes.ts";
export type { Snapshot } from "./snapshot.ts";
export type { FleetState, ReferenceState, StoreState } from "./state.ts";
export type { PhotoRow, ProtocolRow } from "./store/data.ts";
