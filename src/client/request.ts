import { isObject, type JsonObject } from "../wire/json.ts";
import type { Operation } from "../wire/operation.ts";
import type { WrittenList } from "./contract-check.ts";
import type { Core } from "./core.ts";
import type { Issue } from "./errors.ts";
import { checkHeaders } from "./headers.ts";
import type { FindDefect } from "./lists/page.ts";
import { hasMethods, type OptionRule, readOptions, uncheckedRule } from "./option-rules.ts";
import { type CallOptions, type Limits, readCallOptions, resolveLimits } from "./options.ts";

/** What the methods of the resources add to the options of openapi-fetch. */
export interface CallInit {
  readonly call?: {
    readonly options?: CallOptions | undefined;
    /** Parses the body before it is checked and sent. */
    readonly parseBody?: ((body: unknown, issues: Issue[]) => Promise<unknown>) | undefined;
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
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[];
  readonly written: WrittenList | undefined;
  readonly findDefect: FindDefect | undefined;
  /** What is wrong with the arguments; added when they are serialized. */
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
  if (init.call === undefined) readOptions("http: ", init, httpRules); // not of a resource of ours
  const { params = {}, call = {} } = init;
  const { cancel, written, findDefect } = call;
  const options = readCallOptions(call.options);
  return {
    operation,
    path: { ...params.path },
    query: { ...params.query },
    headers: checkHeaders(params.header as AnyInit["headers"], init.headers ?? options.headers),
    limits: call.options === undefined ? core.limits : resolveLimits(options, core.limits),
    signals: [options.signal ?? init.signal, cancel].filter((signal) => signal !== undefined),
    written,
    findDefect,
    issues: [],
  };
}

/** A request as openapi-fetch builds it: data that can be sent again, which a `Request` of the platform cannot. */
export class BuiltRequest {
  /** The path and the query, which follow the base URL. */
  readonly target: string;
  readonly init: { readonly headers: Headers; readonly body: string | undefined };

  constructor(target: string, init: BuiltRequest["init"]) {
    this.target = target;
    this.init = init;
  }
}
