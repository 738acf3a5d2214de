/**
 * A history as plain JSON: everything that happens in it follows from this value. The generator writes one for each
 * seed, the shrinker makes it smaller, and a regression test contains one.
 */

export type ApiName = "store" | "fleet";

export interface Scenario {
  readonly api: ApiName;
  /** Decides about latencies, the client's randomness and the values of the data. */
  readonly seed: number;
  /** The readings that the service plays, where they differ from the defaults. */
  readonly readings: Readonly<Record<string, string>>;
  readonly world: World;
  readonly client: ClientSetup;
  /** The fault of a request, by its number in the history. */
  readonly faults: Readonly<Record<number, Fault>>;
  /** The change at the service before a request arrives, by its number in the history. */
  readonly changes: Readonly<Record<number, Change>>;
  /** The programs that run at the same time; each makes its steps one after the other. */
  readonly programs: readonly (readonly Step[])[];
}

/** Sizes of the data. */
export interface World {
  /** Stores with an external ID, or vehicles. */
  readonly entities: number;
  /** Stores without external ID. */
  readonly unnamed: number;
  /** Protocols of the first store. */
  readonly protocols: number;
  /** Milliseconds between protocols; 0 puts all of them at one instant. */
  readonly spacing: number;
  /** Protocols come in pairs that differ in their ID only. */
  readonly pairs: boolean;
}

export interface ClientSetup {
  readonly via: "transport" | "fetch";
  /** The transport ignores its signal, and what it was waiting for arrives late. */
  readonly ignoresAbort?: boolean;
  /** The gaps whose readings the client has. It never has a wrong one. */
  readonly configuredGaps: readonly string[];
  readonly strategy?: "cursor" | "window" | "single";
  readonly identify?: boolean;
  readonly timeout?: number;
  readonly totalTimeout?: number;
  readonly retries?: number;
  readonly maxDelay?: number;
  readonly maxResponseBytes?: number;
  /** At most one request in so many milliseconds; or a `tokenBucket` of two requests, filled at that rate. */
  readonly limiter?: number;
  readonly bucket?: boolean;
  readonly maxConcurrency?: number;
  readonly budget?: number;
  /** The behavior of the client's hooks. */
  readonly hooks?: "watch" | "throw" | "reject";
  /** A fixed token, or a function that returns the current one after some milliseconds. */
  readonly token: "fixed" | number;
  readonly apiVersion?: "v1" | "v2";
  /** The key of a fleet client has no scope for writes. */
  readonly readOnly?: boolean;
  readonly validate?: boolean;
}

/**
 * - `reset`: the connection ends before the request arrives. `lose`: the service acts, then the connection ends.
 * - `cut`: the body ends with an error. `short`: it ends early without one.
 * - `stall`: no response, and the service acts or not. `stall-body`: the head arrives, the body does not end.
 * - `status`: a response by somebody in between, before or after the service acted.
 * - `slow`: further latency in ms. `html`: a page with status 200. `redirect`: to the same or another origin.
 * - `repeat`: the previous response to the same call once more.
 * - `echo`: an error that quotes the headers of the request.
 */
export type Fault =
  | { readonly kind: "reset" | "lose" | "cut" | "short" | "stall-body" | "html" | "repeat" | "echo" }
  | { readonly kind: "stall"; readonly acts: boolean }
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "redirect"; readonly status: number; readonly foreign: boolean }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly acts: boolean;
      /** Seconds, or an HTTP date so many seconds ahead. */
      readonly retryAfter?: { readonly seconds: number; readonly date: boolean };
    };

/**
 * `add` and `remove` change a list at a position from 0 up to 1, or where the page of the request begins. `swap` removes
 * an item there and adds another at the end. `revoke` ends the current token.
 */
export type Change =
  | { readonly kind: "add" | "remove" | "swap"; readonly list: string; readonly place: number | "request" }
  | { readonly kind: "revoke" };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** A step may wait first. A call or walk can be aborted after some ms. */
interface Timing {
  readonly wait?: number;
  readonly abort?: number;
}

/** One call of a method, such as `stores.get`; `fetch` takes an HTTP method, a path and a body. */
export interface CallStep extends Timing {
  readonly do: "call";
  readonly method: string;
  readonly args: readonly Json[];
  /** The changes of the function that `modify` takes: properties of an entity, or a further element of a list. */
  readonly change?: JsonObject;
}

/** A walk over a list, such as `stores.list`. */
export interface WalkStep extends Timing {
  readonly do: "walk";
  readonly method: string;
  /** The arguments before the query. */
  readonly path: readonly string[];
  readonly query: JsonObject;
  readonly by: "items" | "pages" | "array";
  /** `prefetch` of a cursor list, `concurrency` of a numbered one. */
  readonly ahead?: number;
  /** The program takes so many ms for each page or item. */
  readonly pause?: number;
  /** Leave the loop after so many items or pages, by `break` or by an exception. */
  readonly stop?: { readonly after: number; readonly how: "break" | "throw" };
  /** After so many pages another client continues with the token of the last page. Walks by pages only. */
  readonly kills?: readonly number[];
  /** The last resumed walk has a different query, which the client has to refuse. */
  readonly changed?: JsonObject;
}

/** Reads the stores, plans what differs from `desired`, and applies the plan. */
export interface PlanStep extends Timing {
  readonly do: "plan";
  readonly method: "applyPlan";
  readonly desired: readonly (JsonObject & { readonly externalId: string })[];
  readonly concurrency?: number;
  readonly dryRun?: boolean;
  /** `onResult` throws after so many results. */
  readonly stop?: number;
  /** Plans and applies once more, which has to find nothing to do. */
  readonly again?: boolean;
}

/** Pulls a list of the first store by its `pull`, run after run. */
export interface PullStep extends Timing {
  readonly do: "pull";
  readonly method: "protocols.list" | "photos.list";
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly lateness: number;
  readonly limit?: number;
  readonly runs: readonly PullRun[];
}

export interface PullRun {
  /** The end of the range in milliseconds since 1970; less than before where a clock went back. */
  readonly until: number;
  /** After so many batches another client continues: the last batch was saved or not. */
  readonly kill?: { readonly after: number; readonly saved: boolean };
}

export type Step = CallStep | WalkStep | PlanStep | PullStep;
