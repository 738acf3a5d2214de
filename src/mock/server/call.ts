import type { StoreOperationId } from "../../../generated/store.operations.ts";
import { describeKnownNames } from "../../wire/names.ts";
import type { FleetData, FleetKey } from "../fleet/data.ts";
import type { PagingFault } from "../testing/effects.ts";
import type { StoreData, StoreToken } from "../store/data.ts";
import type { Clock } from "./clock.ts";
import type { ErrorParts, Issue, Reply, RoutedRequest, UncheckedQuery } from "./exchange.ts";
import type { OperationId, PathParameter, Routes } from "./operations.ts";
import type { Is, MockReadings } from "./options.ts";
import type { IdSequence } from "./random.ts";
import { nameValue } from "./quotes.ts";
import { MAX_ISSUES, type RequestSchemas } from "./schemas.ts";

/** What the operations use of the server. */
export interface ServerParts {
  readonly clock: Clock;
  readonly ids: IdSequence;
  readonly readings: Readonly<MockReadings>;
  /** Without a configured token every response of the store API is 503. */
  readonly isConfigured: boolean;
  /** By their secrets. */
  readonly credentials: {
    readonly tokens: ReadonlyMap<string, StoreToken>;
    readonly keyring: ReadonlyMap<string, FleetKey>;
  };
}

/** A request whose path and method belong to an operation. */
export interface Call extends RoutedRequest<OperationId> {
  readonly server: ServerParts;
  readonly is: Is;
  readonly store: StoreData;
  /** The data of the environment that the request was sent to. */
  readonly fleet: FleetData;
  paging: PagingFault | undefined;
  /** The query as it was sent. */
  readonly sentQuery: UncheckedQuery;
  /** The query as its schema has parsed it: with numbers, booleans and defaults. */
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** The violations of the contract, for the journal. */
  violations: readonly Issue[];
}

/** Issues that cause a 400, and those that the server tolerates. */
export interface FoundIssues {
  readonly rejected: readonly Issue[];
  readonly tolerated: readonly Issue[];
}

/** An operation. */
export interface Handler<HandlerCall extends Call = Call> {
  /** Throws a 404 if an entity of the path does not exist. It comes before a 400: gap requests.check-order. */
  find?(call: HandlerCall): void;
  /** Executes a request that matches the schemas. Throws a 400 before it changes anything. */
  run(call: HandlerCall): Reply;
}

/** The differences of the two APIs in the handling of a request. */
export interface Api {
  readonly handlers: Readonly<Record<string, Handler<never>>>;
  readonly schemas: Readonly<Record<string, RequestSchemas>>;
  readonly routes: Pick<Routes<OperationId>, "match">;
  readonly limitGap: "limits.store-rate" | "limits.fleet-rate";
  /** Throws a 503, 401 or 403. */
  authorize(call: Call): void;
  /** Returns the query that the schema checks; by default, as it was sent. */
  queryOf?(call: Call): UncheckedQuery;
  /** Returns the issues of a request that the schemas do not know. */
  findIssues(call: Call): FoundIssues;
  /** Returns the body of an error response. */
  errorBody(status: number, parts: ErrorParts, is: Is): unknown;
  /** Returns the details of an error response that a test forces. */
  forcedDetails?(status: number, call: Call): object | undefined;
}

/** Whether a header declares a body as JSON, with or without parameters. */
export function isJsonType(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? "");
}

/** Returns the issue of a body that is not declared as JSON. */
export function contentTypeIssue(contentType: string | undefined): Issue {
  const sent = contentType === undefined ? "" : `, not ${nameValue(contentType)}`;
  return { path: "content-type", message: `must be application/json${sent}: set this header` };
}

/** Returns an issue for each query parameter that an operation does not have; `known` are those that it has. */
export function unknownParameters({ sentQuery }: Call, known: readonly string[]): Issue[] {
  return Object.keys(sentQuery)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_ISSUES)
    .map((name) => ({
      path: name,
      message: unknownParameter(name, known),
      code: "unrecognized_keys",
    }));
}

/** Returns the message for a query parameter that an operation does not have; `known` are those that it has. */
export function unknownParameter(name: string, known: readonly string[]): string {
  if (known.length === 0) return "is not a parameter: this operation has no query parameters";
  return `is not a parameter of this operation${describeKnownNames(name, known)}`;
}

/** A request to the store API, as its handlers see it; the schema of the operation has checked query and body. */
export interface StoreCall<Body = unknown> extends Call {
  readonly body: Body;
  readonly query: Readonly<Record<string, unknown>> & {
    readonly limit: number;
    readonly cursor?: string;
    readonly from: string;
    readonly to: string;
    readonly groupBy: string;
    readonly externalIds?: string;
    readonly expositionId?: string;
    readonly minFillRate?: number;
    readonly maxFillRate?: number;
  };
  readonly params: Readonly<Record<PathParameter<StoreOperationId>, string>>;
}

/** A request to the fleet API, as its handlers see it. Operations without a body do not read it. */
export interface FleetCall extends Call {
  readonly body: Record<string, unknown>;
  readonly query: Readonly<Record<string, unknown>> & {
    readonly page: number;
    readonly limit: number;
    readonly search?: string;
  };
  readonly params: Readonly<Record<"id", string>>;
}
