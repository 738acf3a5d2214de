import { isUuid } from "./id.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import type { ContractCheck, WrittenList } from "./contract-check.ts";
import type { Core } from "./core.ts";
import { InvalidRequestError, type Issue } from "./errors.ts";
import { checkHeaders } from "./headers.ts";
import type { FindDefect } from "./lists/page.ts";
import { checkOptions, hasMethods, type OptionRule, uncheckedRule } from "./option-rules.ts";
import {
  type CallOptions,
  checkCallOptions,
  type Limits,
  readCallOptions,
  resolveLimits,
} from "./options.ts";
import { checkQuery } from "./query-check.ts";
import type { Parameter } from "./serialization.ts";
import type { Shape } from "./shape.ts";

/** What the methods of the resources add to the options of openapi-fetch. */
export interface CallInit {
  readonly call?: {
    readonly options?: CallOptions | undefined;
    /** Parses the body before it is checked and sent. */
    readonly bodyShape?: Shape | undefined;
    /** Compares the elements of the response with those that were sent. */
    readonly written?: WrittenList | undefined;
    /** Returns what a response lacks of the form that the caller needs. */
    readonly findDefect?: FindDefect | undefined;
    /** Ends the call if its result is no longer needed. */
    readonly cancel?: AbortSignal | undefined;
  };
}

/** The options of a call of openapi-fetch, without their types. */
export interface AnyInit extends CallInit {
  readonly params?: { readonly path?: object; readonly query?: object; readonly header?: object };
  readonly body?: unknown;
  readonly headers?: CallOptions["headers"];
  readonly signal?: AbortSignal;
}

/** The arguments of a call, as they were when it was made. */
export interface CallArguments {
  readonly operation: Operation;
  /** The IDs in the path. */
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly headers: Record<string, string>;
  readonly limits: Limits;
  readonly signals: readonly AbortSignal[];
  readonly written: WrittenList | undefined;
  readonly findDefect: FindDefect | undefined;
  /** The parameters of the query; added when it is serialized. */
  readonly parameters: Parameter[];
  /** What is wrong with the arguments: with the IDs at first, and with what is serialized afterwards. */
  readonly issues: Issue[];
}

/** The options of openapi-fetch that a call takes: the others would change what the client promises. */
const httpRules: Record<keyof AnyInit, OptionRule> = {
  params: ["an object { path, query, header }", isObject],
  body: uncheckedRule,
  headers: uncheckedRule, // checked below
  signal: ["an AbortSignal", (value) => hasMethods(value, "addEventListener")],
  call: uncheckedRule,
};

/** Reads the arguments of a call except its body. Throws for wrong options and headers. */
export function readArguments(core: Core, operation: Operation, init: AnyInit): CallArguments {
  if (init.call === undefined) checkOptions("http: ", init, httpRules); // not of a resource of ours
  const { params = {}, call = {} } = init;
  const { cancel, written, findDefect } = call;
  const options = readCallOptions(call.options);
  if (options !== undefined) checkCallOptions(options);
  const path = { ...params.path };
  const headers = { ...checkHeaders(params.header as AnyInit["headers"]) };
  return {
    operation,
    path,
    query: { ...params.query },
    headers: Object.assign(headers, checkHeaders(init.headers ?? options?.headers)),
    limits: options === undefined ? core.limits : resolveLimits(options, core.limits),
    signals: [options?.signal ?? init.signal, cancel].filter((signal) => signal !== undefined),
    written,
    findDefect,
    parameters: [],
    issues: findPathIssues(operation, path),
  };
}

/**
 * Checks the serialized arguments against the contract. Loads the schemas with the first body.
 * @throws {InvalidRequestError} with every issue
 */
export async function checkArguments(
  core: Core,
  { operation, parameters, issues }: CallArguments,
  json: unknown,
): Promise<ContractCheck | undefined> {
  let check: ContractCheck | undefined;
  if (issues.length === 0) issues.push(...checkQuery(core.queries[operation.id] ?? {}, parameters));
  if (issues.length === 0 && (json !== undefined || operation.method.startsWith("P"))) {
    check = await core.loadCheck();
    issues.push(...check.checkBody(operation, json));
  }
  if (issues.length > 0) throw new InvalidRequestError(`${operation.method} ${operation.path}`, issues);
  return check;
}

/** Returns what is wrong with the IDs of a path. URL parsers remove dot segments, so the path would be another one. */
function findPathIssues(operation: Operation, path: JsonObject): Issue[] {
  const { path: route, formats } = operation;
  const issues: Issue[] = [];
  for (let start = route.indexOf("{"); start >= 0; start = route.indexOf("{", start + 1)) {
    const name = route.slice(start + 1, route.indexOf("}", start));
    const id = path[name];
    let message: string | undefined;
    if (typeof id !== "string" || !id.isWellFormed()) message = "must be a well-formed string";
    else if (id === "" || id === "." || id === "..") message = "must not be empty, `.` or `..`";
    else if (formats?.[name] === "uuid" && !isUuid(id)) message = "must be a UUID";
    if (message !== undefined) issues.push({ path: name, message });
  }
  return issues;
}
