import { splitTarget, parseQuery } from "../http/query.ts";
import type { CoreRequest } from "../http/request.ts";
import type { OtherWrite } from "../testing/rule.ts";
import { handlerOf, type OperationCall, validateRequest } from "./request-validation.ts";

/**
 * Executes a request of another writer to the API of a call. It needs no token, and is neither recorded nor
 * overridden.
 */
export function executeWrite(call: OperationCall, write: OtherWrite): void {
  const other = callOf(call, write);
  const result = validateRequest(other, { isCounted: false, isTrusted: true });
  const response = "refusal" in result ? result.refusal : handlerOf(other).run(result.context);
  const { status, body } = response;
  if (status >= 300)
    throw new Error(`write ${write.method} ${write.path}: ${status} ${JSON.stringify(body)}`);
}

function callOf(call: OperationCall, { method, path: target, body }: OtherWrite): OperationCall {
  const [path, queryText] = splitTarget(target);
  const match = call.api.routes.match(path);
  const operation = match?.operations.get(method);
  if (match === undefined || operation === undefined)
    throw new Error(`write ${method} ${target}: the API has no such operation`);
  const request: CoreRequest = {
    base: call.request.base,
    method,
    target,
    contentType: "application/json",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return {
    ...call,
    request,
    operation,
    params: match.params,
    query: parseQuery(queryText),
    isQueryTooLong: false,
  };
}
