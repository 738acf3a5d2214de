import type { Answer, Issue } from "./api-response.ts";
import type { Exchange, Handler } from "./handler.ts";
import type { Schema } from "./schema-check.ts";
import type { RawQuery } from "./query.ts";
import type { MockReadings } from "./readings.ts";
import type { CoreRequest } from "./request.ts";
import type { Routes } from "./routes.ts";
import type { Tenant } from "./tenant.ts";

/** The schemas that a request of an operation has to meet. */
export interface RequestSchemas {
  readonly query?: Schema;
  readonly body?: Schema;
}

/** The error bodies of one API. */
export interface Refusals {
  /** 400 with what is wrong. */
  invalid(issues: readonly Issue[], readings: MockReadings): Answer;
  /** 404 for a path that no operation has. */
  unknownPath(readings: MockReadings): Answer;
  /** 405. */
  method(readings: MockReadings): Answer;
  /** 413. */
  tooLarge(readings: MockReadings): Answer;
  /** 500, where the server itself failed, as over a state that was broken by hand. */
  broken(reason: string, readings: MockReadings): Answer;
  /** The body that the contract gives a status, for `ref.on(id).once({ status })`. */
  documented(status: number, readings: MockReadings): unknown;
}

/** Everything in which the two APIs differ, as the core sees it. */
export interface Api<Context extends Exchange> {
  readonly routes: Routes;
  readonly schemas: Readonly<Record<string, RequestSchemas>>;
  readonly handlers: Readonly<Record<string, Handler<Context>>>;
  readonly refusals: Refusals;
  /** 503, 401 and 403; nothing where the request may pass. */
  admit(tenant: Tenant, request: CoreRequest, operation: string): Answer | undefined;
  /** What the headers break; `refuse` tells whether that is an error or only noted in the journal. */
  headers(request: CoreRequest, readings: MockReadings): { issues: Issue[]; refuse: boolean };
  /** A last word on the query before its schema sees it. */
  query(operation: string, raw: RawQuery, readings: MockReadings): RawQuery;
  /** What a reading has against members that the schema passes. gap requests.unknown-members */
  unknown(operation: string, raw: RawQuery, body: unknown, readings: MockReadings): Issue[];
  /** Whether 404 comes before 400. gap requests.check-order */
  findFirst(readings: MockReadings): boolean;
  context(tenant: Tenant, request: CoreRequest, exchange: Exchange): Context;
}
