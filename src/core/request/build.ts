import { isUuid } from "../../internal/uuid.ts";
import type { Issue } from "../errors/issue.ts";
import { checkCallOptions } from "../options/check-options.ts";
import { checkHeaders } from "../options/headers.ts";
import { type CallOptions, type Limits, resolveLimits } from "../options/options.ts";
import type { AnyInput, Operation } from "./operation.ts";
import type { RequestSpec } from "./run.ts";
import { buildQuery } from "./query.ts";

const noQuery = {};

/** An error response is read only for its code and messages. */
const errorBytes = 1024 * 1024;

/** Builds the request of a call without its body; adds an issue for each violation of the contract. */
export function buildRequest(
  operation: Operation,
  input: AnyInput,
  options: CallOptions | undefined,
  defaults: Limits,
  issues: Issue[],
): RequestSpec {
  const { method, path: route, query: rules = noQuery } = operation;
  const path = fillPath(operation, input.path as Record<string, unknown>, issues);
  const hasQuery = input.query !== undefined || operation.query !== undefined;
  const search = hasQuery ? buildQuery(input.query, rules, issues) : "";
  const spec = {
    operation,
    label: `${method} ${route}`,
    method,
    route,
    path: path + search,
    body: undefined,
    retryClass: operation.retry,
    errorBytes,
  };
  if (options === undefined) return { ...spec, headers: undefined, limits: defaults, signals: [] };
  checkCallOptions(options);
  return {
    ...spec,
    headers: options.headers === undefined ? undefined : checkHeaders(options.headers),
    limits: resolveLimits(options, defaults),
    signals: options.signal === undefined ? [] : [options.signal],
  };
}

/** Inserts IDs into a path template. An ID that would lead to another path is an issue. */
export function fillPath(
  { path, formats }: Pick<Operation, "path" | "formats">,
  ids: Record<string, unknown>,
  issues: Issue[],
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    const problem = problemOfPathId(id, formats?.[name]);
    if (problem === undefined) return encodeURIComponent(id as string);
    issues.push({ path: name, message: problem });
    return "";
  });
}

function problemOfPathId(id: unknown, format: "uuid" | undefined): string | undefined {
  if (typeof id !== "string") return "must be a string";
  if (id === "") return "must not be empty, because the path would be a different one";
  if (id === "." || id === "..")
    return "must not be a dot segment, because the path would be a different one";
  if (!id.isWellFormed()) return "must not contain a lone surrogate, which has no percent-encoded form";
  if (format === "uuid" && !isUuid(id)) return "must be a UUID";
  return undefined;
}
