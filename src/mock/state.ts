import type { JsonObject as FleetObject } from "../../generated/fleet.ts";
import type { Store } from "../../generated/store.ts";
import type { FleetResource } from "./apis/fleet/data.ts";
import type { OperationId, PathParameter } from "./apis/operations.ts";
import type { StoreList, StoreRows } from "./apis/store/data.ts";
import type { Journal } from "./testing/journal.ts";
import type { JournalEntry, ViolationEntry } from "./testing/journal-entry.ts";
import type { JournalMatcher } from "./testing/journal-matcher.ts";
import type { RequestMatcher } from "./testing/matcher.ts";
import type { Overrides } from "./testing/overrides.ts";
import type { PendingOverride } from "./testing/pending-override.ts";
import type { CoreRequest } from "./http/request.ts";
import type { RequestView } from "./http/request-view.ts";

/** The base URL that a request was sent to. */
export type Base = "store" | "fleet" | "sandbox";

/** A request to one of the three base URLs. */
export type BaseRequest = CoreRequest<Base>;

/** The journal of a reference server. */
export type ReferenceJournal = Journal<OperationId, Base>;

/** A request in the journal. */
export type ReferenceJournalEntry = JournalEntry<OperationId, Base>;

/** Selects requests of the journal. */
export type ReferenceJournalMatcher = JournalMatcher<ReferenceRequest>;

/** A request in the journal that violated the contract. */
export type ReferenceViolationEntry = ViolationEntry<OperationId, Base>;

/** The active overrides, declared by `ref.on`. */
export type ReferenceOverrides = Overrides<OperationId>;

/** An active override, declared by `ref.on`. */
export type ReferencePendingOverride = PendingOverride<OperationId>;

/** The view of a request for the matchers of an operation. */
export type ReferenceRequest<Id extends OperationId | "*" = "*"> = RequestView<
  Id extends OperationId ? Id : OperationId,
  Base
>;

/** Selects the requests of an operation that an override applies to. */
export type OverrideMatcher<Id extends OperationId | "*" = "*"> = RequestMatcher<
  ReferenceRequest<Id>,
  PathParameter<Id>
>;

/** The data of the store API, by external ID. */
export type StoreState = {
  readonly stores: Map<string, Store>;
  /** The stores without an external ID, which no path reaches, by their place in the order of the external IDs. */
  readonly storesWithoutId: Map<string, Store>;
} & { readonly [List in StoreList]: Map<string, StoreRows[List][]> };

/** The data of one environment of the fleet API, each resource by id. */
export type FleetState = { readonly [Resource in FleetResource]: Map<string, FleetObject> };

/** The state of a server. Tests read and change it; the next response shows the change. */
export interface ReferenceState {
  readonly store: StoreState;
  /** Production of the fleet API. */
  readonly fleet: FleetState;
  readonly sandbox: FleetState;
}
