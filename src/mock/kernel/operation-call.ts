import type { Api } from "./api.ts";
import type { Exchange, Handler } from "./handler.ts";
import type { OperationId } from "../apis/operations.ts";
import type { RawQuery } from "./query.ts";
import type { CoreRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/** A request that found its operation. */
export interface Call<Context extends Exchange> {
  readonly api: Api<Context>;
  readonly tenant: Tenant;
  readonly request: CoreRequest;
  readonly id: OperationId;
  readonly params: Record<string, string>;
  readonly rawQuery: RawQuery;
}

/** The handler of a call's operation. */
export function handlerOf<Context extends Exchange>({ api, id }: Call<Context>): Handler<Context> {
  const handler = api.handlers[id];
  if (handler === undefined) throw new Error(`no handler for ${id}`);
  return handler;
}
