import type { Api } from "./api.ts";
import type { Exchange, Handler } from "./handler.ts";
import type { UncheckedQuery } from "../http/query.ts";
import type { CoreRequest } from "../http/request.ts";
import type { Tenant } from "./tenant.ts";

/** A request whose path and method belong to an operation. */
export interface OperationCall<State, Context extends Exchange> {
  readonly api: Api<State, Context>;
  readonly tenant: Tenant<State>;
  readonly request: CoreRequest;
  readonly operation: string;
  readonly params: Record<string, string>;
  readonly query: UncheckedQuery;
  /** Whether the query has more parameters than were parsed. */
  readonly isQueryTooLong: boolean;
}

/** Returns the handler of a call's operation. */
export function handlerOf<State, Context extends Exchange>({
  api,
  operation,
}: OperationCall<State, Context>): Handler<Context> {
  const handler = api.handlers[operation];
  if (handler === undefined) throw new Error(`No handler for operation ${operation}`);
  return handler;
}
