export type { ReferenceFetch } from "./adapters/fetch.ts";
export type { FleetKey, FleetKeySeed, FleetOptions, FleetResource } from "./fleet/data.ts";
export {
  createReferenceServer,
  type FleetState,
  type ReferenceServer,
  type ReferenceState,
  type StoreState,
} from "./reference-server.ts";
export type { Clock, Duration, Moment, TimersOption } from "./server/clock.ts";
export type { CredentialInfo, Credentials, NewKey, NewToken } from "./server/credentials.ts";
export type { Base, Issue, RequestView } from "./server/exchange.ts";
export type { RateLimits, ResolvedLimits, RetryAfterForm } from "./server/limiter.ts";
export type { OperationId, PathParameter, ReferenceRequest } from "./server/operations.ts";
export type { MockGap, MockReadings, ReadingsOption, ReferenceServerOptions } from "./server/options.ts";
export type {
  ExportedFleet,
  ExportedLists,
  ExportedState,
  ExportedStore,
} from "./server/state.ts";
export type {
  ContactSeed,
  ExpectationSeed,
  ExpositionSeed,
  PhotoRow,
  ProtocolRow,
  StoreList,
  StoreOptions,
  StoreRows,
  StoreSeed,
} from "./store/data.ts";
export type {
  Delay,
  FaultKind,
  FaultOptions,
  FaultPlace,
  ForcedOptions,
  ForcedResponse,
  PagingFaultKind,
  ResponseChange,
  SentResponse,
} from "./testing/effects.ts";
export type { ExpectOptions, Journal, JournalEntry, JournalMatcher } from "./testing/journal.ts";
export type { OverrideMatcher, ParameterValue, RequestMatcher } from "./testing/matcher.ts";
export type { OperationOverride, Overrides, PendingOverride } from "./testing/overrides.ts";
