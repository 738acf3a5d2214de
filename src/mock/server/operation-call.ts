import type { Api } from "./api.ts";
import type { HandlerInput, Handler } from "./handler.ts";
import type { UncheckedQuery } from "../http/query.ts";
import type { CoreRequest } from "../http/request.ts";
import type { Tenant } from "./tenant.ts";

/** A request whose path and method belong to an operation. Only its API reads the state of its tenant. */
export interface OperationCall {
  readonly api: Api<unknown, HandlerInput>;
  readonly tenant: Tenant<unknown>;
  readonly request: CoreRequest;
  readonly operation: string;
  readonly params: Record<string, string>;
  readonly query: UncheckedQuery;
  /** Whether the query has more parameters than were parsed. */
  readonly isQueryTooLong: boolean;
}

/** Returns the handler of a call's operation. */
export function handlerOf({ api, operation }: OperationCall): Handler<HandlerInput> {
  const handler = api.handlers[operation];
  if (handler === undefined) throw new Error(`No handler for operation ${operation}`);
  return handler;
}
