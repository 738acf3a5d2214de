import type { ApiResponse, Issue } from "../http/api-response.ts";
import type { Clock } from "./clock.ts";
import type { IdSequence, Server } from "./server.ts";
import type { PagingFault } from "../testing/rule.ts";
import type { QueryValues, UncheckedQuery } from "../http/query.ts";
import type { MockReadings } from "./readings.ts";
import type { CoreRequest } from "../http/request.ts";
import type { Routes } from "../../wire/routes.ts";
import type { RequestSchemas } from "./schemas.ts";

/** The input of every handler. */
export interface HandlerInput {
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The query, parsed by its schema. */
  readonly query: QueryValues;
  /** The parsed body, which matches the schema of the operation. The handler owns it and may store it. */
  readonly body: unknown;
  /** The data of the API that the request reaches. */
  readonly data: unknown;
  /** The readings in force: `readings["stores.omitted-fields"]`. */
  readonly readings: MockReadings;
  readonly clock: Clock;
  readonly ids: IdSequence;
  /** The paging fault that the page functions apply. */
  readonly paging: PagingFault | undefined;
}

/**
 * One operation. The kernel calls the three functions in the order of gap requests.check-order and stops at the
 * first error. `run` is called last, and validates everything before it changes anything.
 */
export interface Handler<Context extends HandlerInput> {
  /** Returns an error response if a resource in the path is unknown. */
  find?(context: Context): ApiResponse | undefined;
  /** Returns the issues that the schemas of the operation cannot find. */
  check?(context: Context): Issue[];
  run(context: Context): ApiResponse;
}

export interface ErrorResponses {
  /** 400 with the issues. */
  invalid(issues: readonly Issue[], readings: MockReadings): ApiResponse;
  /** 404 for a path without an operation. */
  unknownPath(readings: MockReadings): ApiResponse;
  method(readings: MockReadings): ApiResponse;
  /** 429. */
  tooManyRequests(readings: MockReadings): ApiResponse;
  /** 413. */
  tooLarge(readings: MockReadings): ApiResponse;
  /** 500: the reference server itself failed, for example because a test put a broken value into the state. */
  serverError(reason: string, readings: MockReadings): ApiResponse;
  /** The body that the contract documents for a status, for `ref.on(id).once({ status })`. */
  documentedBody(status: number, readings: MockReadings): unknown;
}

/** An issue of the headers of a request; `refuse` is false for an issue that is only recorded. */
export interface HeaderCheck {
  issues: Issue[];
  refuse: boolean;
}

/**
 * Properties and parameters that the contract does not define: a reading decides whether they are rejected or only
 * recorded.
 */
export interface UnknownInput {
  readonly rejected: readonly Issue[];
  readonly ignored: readonly Issue[];
}

/**
 * One API for the kernel: everything that is specific to the API.
 *
 * `State` is the part of a server's state that the API needs; `Context` is what its handlers receive; `Id` are the IDs of its
 * `routes`.
 */
export interface ApiDefinition<State, Context extends HandlerInput, Id extends string = string> {
  readonly routes: Routes;
  schemas(operation: Id, readings: MockReadings): RequestSchemas;
  readonly handlers: Readonly<Record<string, Handler<Context>>>;
  readonly errors: ErrorResponses;
  /** Returns 503, 401 or 403; `undefined` if the request is allowed. */
  authorize(server: Server<State>, request: CoreRequest, operation: Id): ApiResponse | undefined;
  /** Returns the body of a status that `ref.on` forces, if the body depends on the request. */
  forcedBody?(server: Server<State>, request: CoreRequest, operation: Id, status: number): unknown;
  isRateLimited(readings: MockReadings): boolean;
  checkHeaders(request: CoreRequest, readings: MockReadings): HeaderCheck;
  /** Changes the query before its schema checks it. */
  normalizeQuery(operation: Id, query: UncheckedQuery, readings: MockReadings): UncheckedQuery;
  /** Returns the query parameters and body properties that the contract does not define. */
  findUnknownInput(operation: Id, query: UncheckedQuery, body: unknown, readings: MockReadings): UnknownInput;
  /** Returns the issues of references to entities that do not exist; the contract does not say that they are rejected. */
  findMissingReferences?(context: Context): readonly Issue[];
  /** Whether 404 comes before 400. gap requests.check-order */
  notFoundFirst(readings: MockReadings): boolean;
  /** Returns the data that the handlers read and change. */
  dataOf(state: State, request: CoreRequest): Context["data"];
}
