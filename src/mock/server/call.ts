import type { FleetData } from "../fleet/data.ts";
import type { StoreData } from "../store/data.ts";
import type { PagingFault } from "../testing/effects.ts";
import type { CoreRequest, Issue, Reply, UncheckedQuery } from "./exchange.ts";
import type { OperationId } from "./operations.ts";
import type { Is } from "./readings.ts";
import type { RequestSchemas } from "./schemas.ts";
import type { Server } from "./server.ts";

/** A request whose path and method belong to an operation. */
export interface Call<Operation extends OperationId = OperationId> {
  readonly server: Server;
  readonly request: CoreRequest;
  readonly operation: Operation;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly is: Is;
  readonly store: StoreData;
  /** The data of the environment that the request was sent to. */
  readonly fleet: FleetData;
  readonly paging: PagingFault | undefined;
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

/** An operation. `find` and `check` come before `run`, and change nothing. */
export interface Handler<HandlerCall extends Call = Call> {
  /** Throws a 404 if an entity of the request does not exist. */
  find?(call: HandlerCall): void;
  /** Returns the issues that the schemas do not know. */
  check?(call: HandlerCall): readonly Issue[];
  run(call: HandlerCall): Reply;
}

/** The differences of the two APIs in the handling of a request. */
export interface Api {
  readonly handlers: Readonly<Record<string, Handler<never>>>;
  schemas(operation: OperationId, is: Is): RequestSchemas;
  /** Throws a 503, 401 or 403. */
  authorize(call: Call): void;
  isRateLimited(is: Is): boolean;
  findHeaderIssues(call: Call): FoundIssues;
  /** Changes the query before its schema checks it. */
  normalizeQuery(call: Call): UncheckedQuery;
  /** Returns the parameters and properties that the contract does not define. */
  findUnknownInput(call: Call): FoundIssues;
  /** Returns the issues of references to entities that do not exist; the contract does not say that they are rejected. */
  findMissingReferences(call: Call): readonly Issue[];
  /** Whether 404 comes before 400. gap requests.check-order */
  isNotFoundFirst(is: Is): boolean;
  /** Returns a 400 with these issues. */
  invalid(issues: readonly Issue[], is: Is): Reply;
  /** Returns an error that the contract does not describe. */
  failure(status: number, message: string, is: Is): Reply;
  /** Returns the documented body of a status that a test forces. */
  documentedBody(status: number, call: Call): unknown;
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
  readonly params: Readonly<Record<"externalId" | "protocolId" | "expositionId", string>>;
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
