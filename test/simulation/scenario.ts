/**
 * A history as plain JSON: everything that happens in it follows from this value. The generator writes one for each
 * seed, the shrinker makes it smaller, and a regression test contains one.
 */

import type { Tampering } from "./tamper.ts";

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
  /** The change of the token or state of a step with `isTampered`. */
  readonly tampering?: Tampering;
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
  /** So many protocols have one instant, and different statuses. */
  readonly together?: number;
  /** One of so many protocols has no ID in lists, and so have its photos. */
  readonly nameless?: number;
  /** Contacts of the first store. */
  readonly contacts?: number;
  /** Vehicles, or stores in their list, have no ID. */
  readonly anonymous?: boolean;
  /** Vehicles without ID have an empty string instead. */
  readonly emptyIds?: boolean;
  /** The first two vehicles have one plate number, and the first two stores one ID. */
  readonly twins?: boolean;
  /** Cursors of stores are numbers of entries. */
  readonly offsets?: boolean;
  /** The largest number of items of a page, whatever its limit is. A list without pagination ends there. */
  readonly cap?: number;
  /** Summaries of protocols show times in units of so many milliseconds. */
  readonly coarse?: number;
  /** Each response has a property that differs from the last one. */
  readonly signed?: boolean;
  /** The number of requests that the service accepts in a second. */
  readonly accepts?: number;
  /** The header `date` of its responses in milliseconds since 1970. Otherwise responses lack the header. */
  readonly date?: number;
  /** The service compares times in units of so many milliseconds. */
  readonly precision?: number;
}

export interface ClientSetup {
  readonly via: "transport" | "fetch";
  /** The platform hides redirects, as browsers do. */
  readonly isBrowser?: boolean;
  /** The transport ignores its signal, and what it was waiting for arrives late. */
  readonly ignoresAbort?: boolean;
  /** The gaps whose readings the client has. It never has a wrong one. */
  readonly configuredGaps: readonly string[];
  readonly strategy?: "cursor" | "window" | "single";
  /** The client has a function that returns the ID of a protocol, or each list and pull has it. */
  readonly identify?: true | "query";
  /** The reading of gap `time-range.precision`, which the client has. */
  readonly precision?: "millisecond" | "minute";
  /** Shapes return a copy of each item, at once or later. */
  readonly shapes?: "copy" | "promise";
  readonly timeout?: number;
  readonly totalTimeout?: number;
  readonly retries?: number;
  readonly maxDelay?: number;
  readonly maxResponseBytes?: number;
  /** At most one request in so many milliseconds; or a `tokenBucket` of two requests, filled at that rate. */
  readonly limiter?: number;
  readonly bucket?: boolean;
  readonly maxConcurrency?: number;
  /** Each program but the first one has a client of `withOptions`. */
  readonly hasCopies?: true;
  /** The behavior of the client's hooks. `log`: it has a log, and no hooks. */
  readonly hooks?: "watch" | "throw" | "reject" | "silent" | "log";
  /** A fixed token, or a function that returns the current one after some milliseconds. `stuck`: not the first time.
   * `leaky`: it fails with errors that quote the token. `cached`: it returns the first one again and again, unless that
   * was refused. `switched`: from the second time on, a key of another environment.
   */
  readonly token: "fixed" | "stuck" | "leaky" | "switched" | "cached" | number;
  readonly apiVersion?: "v1" | "v2";
  /** The key of a fleet client has no scope for writes. */
  readonly readOnly?: boolean;
  readonly validate?: boolean;
  /** The responses after which a write was not processed (gap `errors.*-not-processed`). */
  readonly rejected?: "only-429" | "with-retry-after" | "neither";
}

/**
 * - `refuse`: no connection. `reset`: the connection ends before the request arrives. `lose`: the service acts, then the connection ends.
 * - `cut`: the body ends with an error. `short`: it ends early without one.
 * - `stall`: no response, and the service acts or not. `stall-body`: the head arrives, the body does not end.
 * - `status`: a response by somebody in between, before or after the service acted.
 * - `slow`: further latency in ms. `html`: a page with status 200. `redirect`: to the same or another origin.
 * - `repeat`: the previous response to the same call once more. `mixed`: its items with the right next cursor.
 * - `echo`: an error that quotes the headers of the request.
 * - `stale`: the response of a replica that has the data of the beginning. `unstored`: what was written is lost.
 * - `page`: the first page of the list. `contradict`: a property of `pagination` is wrong.
 * - `wrong`: a property has another value, which is given as JSON text. `empty`: no body.
 * - `property`: the property with this number has another value, or is missing; whether that is an error is not said.
 * - `twice`: the first item of a page comes once more at its end. `copied`: with another ID. `cased`: UUIDs have the other letter case.
 * - `no-items`: a page has its cursor and no items.
 * - `other`: the response about the second store. `partial`: a property is missing. `error-body`: an error, status 200.
 */
export type Fault =
  | {
      readonly kind: "reset" | "lose" | "cut" | "short" | "stall-body" | "html" | "repeat" | "mixed" | "echo";
    }
  | { readonly kind: "empty" }
  | { readonly kind: "refuse"; readonly code: "ECONNREFUSED" | "ENOTFOUND" | "EAI_AGAIN" }
  | {
      readonly kind: "wrong";
      readonly property: string;
      readonly json: string;
      /** The text that is replaced instead of a property, as a regular expression. */
      readonly pattern?: string;
      /** A part of the error's message. */
      readonly says?: string;
      /** Only the validation of whole responses notices it, or nothing does, because it is right. */
      readonly noticed?: "full" | "never";
    }
  | { readonly kind: "property"; readonly at: number; readonly json: string | null }
  | { readonly kind: "twice" | "copied" | "cased" | "no-items" }
  | { readonly kind: "stale" | "unstored" | "page" | "other" | "partial" | "error-body" }
  | {
      readonly kind: "contradict";
      readonly property: "totalCount" | "totalPages" | "hasNextPage" | "hasPreviousPage";
    }
  | { readonly kind: "stall"; readonly acts: boolean }
  | { readonly kind: "slow"; readonly ms: number }
  | {
      readonly kind: "redirect";
      readonly status: number;
      readonly foreign: boolean;
      /** Another host than that of the service. */
      readonly host?: string;
      /** The header `location`, where it is not the URL of the request at that origin; null without one. */
      readonly location?: string | null;
      /** The number of redirects one after the other. */
      readonly hops?: number;
      /** No request may go there; of several redirects, to the last place. */
      readonly isForbidden?: boolean;
    }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly acts: boolean;
      /** The code of the store API's error. */
      readonly code?: string;
      /** Seconds, or an HTTP date so many seconds ahead. */
      readonly retryAfter?: { readonly seconds: number; readonly date: boolean };
    };

/**
 * `add` and `remove` change a list at a position from 0 up to 1, or where the page of the request begins. `swap` removes
 * an item there and adds another at the end. `move` brings an item to the other end, `touch` changes one, and `rename`
 * gives a store another external ID. `revoke` ends the current token.
 */
export type ListChange = "add" | "remove" | "swap" | "move" | "touch" | "rename";

export type Change =
  | { readonly kind: ListChange; readonly list: string; readonly place: number | "request" }
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
  /** The program awaits the first page before its loop, while the loop waits for it, or after a first loop. */
  readonly awaited?: "before" | "while" | "again";
  /** The query in another form, after a kill. */
  readonly rephrased?: JsonObject;
  /** The largest number of items that `toArray` may return. */
  readonly max?: number;
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
  /** The last resumed walk has another path, which the client has to refuse. */
  readonly otherPath?: readonly string[];
  /** The walk continues at another base URL, which the client has to refuse. */
  readonly elsewhere?: boolean;
  /** The resume token is changed, which the client has to notice. */
  readonly isTampered?: true;
  /** The program puts other values into the query and the options when the list is there. */
  readonly isReused?: true;
}

/** Reads the stores, plans what differs from `desired`, and applies the plan. */
export interface PlanStep extends Timing {
  readonly do: "plan";
  readonly method: "applyPlan";
  readonly desired: readonly (JsonObject & { readonly externalId: string })[];
  readonly concurrency?: number;
  readonly dryRun?: boolean;
  /** The stores are not read again before they are written. */
  readonly check?: false;
  /** `onResult` throws after so many results. */
  readonly stop?: number;
  /** Plans and applies once more, which has to find nothing to do. */
  readonly again?: boolean;
  /** The list of stores is an array, or only a part of them. */
  readonly source?: "array" | "filtered";
  readonly absent?: "keep";
}

/** Pulls a list of the first store by its `pull`, run after run. */
export interface PullStep extends Timing {
  readonly do: "pull";
  readonly method: "protocols.list" | "photos.list";
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly lateness: number;
  /** Filters and further options. */
  readonly query?: JsonObject;
  /** The content of an item is that without its signature. */
  readonly hasFingerprint?: true;
  readonly limit?: number;
  readonly runs: readonly PullRun[];
}

export interface PullRun {
  /** The end of the range in milliseconds since 1970; less than before where a clock went back. */
  readonly until: number;
  /** After so many batches another client continues: the last batch was saved or not, or its state only. */
  readonly kill?: { readonly after: number; readonly saved: boolean | "state" };
  /** The run asks for the list of another store, or with another query. */
  readonly other?: true | JsonObject;
  /** The state is changed, which the client has to notice. */
  readonly isTampered?: true;
}

/** Changes entities by a function that reads before it writes, and compares what it wrote. */
export interface WriteStep extends Timing {
  readonly do: "write";
  readonly method:
    | `${"stores" | "contacts" | "expectations" | "expositions"}.modify`
    | "upsertExpositions"
    | "ensure";
  /** The change of a list (default: `append`). */
  readonly how?: "append" | "edit" | "remove" | "same";
  /** The properties to change, the contact to add, or the expositions and vehicles that shall exist. */
  readonly desired: readonly JsonObject[];
  /** A property that is given as undefined. */
  readonly omitted?: string;
  /** The function of `modify` returns a promise. */
  readonly isAsync?: boolean;
  readonly absent?: "keep";
  /** The second run has to write nothing. */
  readonly again?: boolean;
  /** The properties that identify a vehicle (default: its plate number). */
  readonly key?: readonly string[];
  readonly dryRun?: true;
  /** The client names the store in another letter case. */
  readonly isUpper?: boolean;
}

/** Copies a list into a database, run after run. */
export interface MirrorStep extends Timing {
  readonly do: "mirror";
  readonly method: "stores.list" | "vehicles.list";
  readonly limit?: number;
  readonly runs: readonly MirrorRun[];
}

export interface MirrorRun {
  /** The transaction with this number ends the run, before or after it was saved, or without the marks of its rows. */
  readonly kill?: { readonly at: number; readonly saved: boolean | "unmarked" };
  /** Entries that were deleted at the service before the run. */
  readonly gone?: number;
  /** The run has the filters of another list. */
  readonly other?: boolean;
  /** Another run has the same sink at the same time. */
  readonly twice?: boolean;
  /** Another page size than that of the other runs. */
  readonly limit?: number;
  /** The run reads each new or changed entry by a call. */
  readonly looks?: true;
  /** The run reads details, which change without the entry. */
  readonly details?: boolean;
}

/** A call with its request, by its number in uses.ts. */
export interface UseStep extends Timing {
  readonly do: "use";
  readonly method: "use";
  readonly use: number;
}

/** Many calls at the same time, which all succeed: in how many ms, and after how many refusals. */
export interface CrowdStep extends Timing {
  readonly do: "crowd";
  readonly method: "vehicles.get";
  readonly calls: number;
  readonly duration: readonly [least: number, most: number];
  /** Any number, where it is not given. */
  readonly refusals?: number;
}

/** The client is drained, and afterwards sends nothing. */
export interface DrainStep extends Timing {
  readonly do: "drain";
  readonly method: "drain";
}

export type Step =
  | CallStep
  | WalkStep
  | PlanStep
  | PullStep
  | WriteStep
  | MirrorStep
  | UseStep
  | CrowdStep
  | DrainStep;
