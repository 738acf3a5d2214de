export type { Issue } from "./http/api-response.ts";
export type { Clock, Duration, Moment } from "./server/clock.ts";
export type { FaultKind, FaultPlace } from "./http/faults.ts";
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
export type { ExportOptions, ExportedState } from "./exported-state.ts";
export type { ExportedFleet, ExportedRows } from "./apis/fleet/exported-fleet.ts";
export type {
  ExportedStore,
  ExportedStoreWithoutId,
  ExportedStores,
  ExportedLists,
  ListGenerator,
} from "./apis/store/exported-stores.ts";
export type { StoreList, StoreRows } from "./apis/store/data.ts";
export type { ReferenceServerOptions } from "./options.ts";
export type { Delay } from "./testing/rule.ts";
export type { ExpectOptions } from "./testing/journal.ts";
export type { JournalResponse } from "./testing/journal-entry.ts";
export type { MatcherSummary, ParameterValue, RequestMatcher } from "./testing/matcher.ts";
export type { OverrideEffect } from "./testing/pending-override.ts";
export type { RequestView } from "./http/request-view.ts";
export type {
  ForcedResponse,
  OtherWrite,
  ResponseChange,
  SentResponse,
} from "./testing/rule.ts";
export type { ForcedOptions, OperationOverride } from "./testing/operation-override.ts";
export type { PagingFaultKind } from "./testing/rule.ts";
export type { RateLimits, RetryAfterForm } from "./server/rate-limiter.ts";
export type { MockGap, MockReadings, ReadingsOption } from "./server/readings.ts";
export type { ReadingsFile } from "../wire/readings-file.ts";
export type { ReferenceFetch } from "./adapters/fetch/reference-fetch.ts";
export { createReferenceServer, type ReferenceServer } from "./reference-server.ts";
export type { CoreResponse, RequestHeaders, TransportFault } from "./http/request.ts";
export type { TimersOption } from "./server/timers.ts";
export type { Shape, ShapeName, Shapes } from "./seed/seed-plan.ts";
export type { Snapshot } from "./server/server.ts";
export type {
  Base,
  BaseRequest as CoreRequest,
  FleetState,
  OverrideMatcher,
  ReferenceJournal as Journal,
  ReferenceJournalEntry as JournalEntry,
  ReferenceJournalMatcher as JournalMatcher,
  ReferenceOverrides as Overrides,
  ReferencePendingOverride as PendingOverride,
  ReferenceRequest,
  ReferenceState,
  ReferenceViolationEntry as ViolationEntry,
  StoreState,
} from "./state.ts";
export type { PhotoRow, ProtocolRow } from "./apis/store/data.ts";
