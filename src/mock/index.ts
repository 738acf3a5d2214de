export type { Issue } from "./kernel/api-response.ts";
export type { Clock, Duration, Moment } from "./kernel/clock.ts";
export type { Coverage, Split } from "./kernel/coverage.ts";
export type { FaultKind, FaultPlace } from "./kernel/faults.ts";
export type { FleetResource } from "./apis/fleet/data.ts";
export type { FleetKey } from "./apis/fleet/keys.ts";
export type { OperationId } from "./apis/operations.ts";
export type { FleetKeySeed, FleetOptions } from "./apis/fleet/options.ts";
export type {
  ContactSeed,
  ExpectationSeed,
  ExpositionSeed,
  StoreOptions,
  StoreSeed,
} from "./apis/store/options.ts";
export type { CredentialInfo, Credentials, NewKey, NewToken } from "./credentials.ts";
export type { ExportOptions, ExportedState, ExportedTenant } from "./exported-state.ts";
export type { ExportedFleet, ExportedRows } from "./apis/fleet/state/exported.ts";
export type {
  ExportedStore,
  ExportedStoreWithoutId,
  ExportedStores,
  ListGenerator,
  StoreList,
} from "./apis/store/state/exported.ts";
export type { ReferenceServerOptions } from "./options.ts";
export type { ForcedAnswer } from "./kernel/overrides.ts";
export type { OperationOverride } from "./kernel/operation-override.ts";
export type { PagingFaultKind } from "./kernel/paging-fault.ts";
export type { MockGap, MockReadings, ReadingsFile, ReadingsOption } from "./kernel/readings.ts";
export type { ReferenceFetch } from "./adapters/fetch/reference-fetch.ts";
export { createReferenceServer, type ReferenceServer } from "./reference-server.ts";
export type { CoreAnswer, TransportFault } from "./kernel/request.ts";
export type { Shape, ShapeName, Shapes } from "./seed/shapes.ts";
export type { Snapshot } from "./kernel/snapshot.ts";
export type {
  Base,
  BaseRequest as CoreRequest,
  FleetState,
  ReferenceJournal as Journal,
  ReferenceJournalEntry as JournalEntry,
  ReferenceState,
  ReferenceUnmetEntry as UnmetEntry,
  StoreState,
} from "./state.ts";
export type { PhotoRow, ProtocolRow } from "./apis/store/data.ts";
