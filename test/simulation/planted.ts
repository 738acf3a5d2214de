/** Faults that are planted in a copy of the clients, to show that the simulation finds such faults. */

export interface PlantedFault {
  readonly name: string;
  /** Below `src/`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

const send = "client/core/request/send.ts";
const deadline = "client/core/request/deadline.ts";
const retry = "client/core/request/retry.ts";
const secret = "client/core/request/secret.ts";
const redirect = "client/core/request/redirect.ts";
const response = "client/core/request/response.ts";
const responseFailure = "client/core/request/response-failure.ts";
const cursors = "client/core/pagination/cursor-source.ts";
const numbers = "client/core/pagination/numbered-source.ts";
const ranges = "client/core/pagination/range-source.ts";
const windows = "client/core/pagination/windows.ts";
const guard = "client/core/pagination/guard.ts";
const plan = "client/store/plan.ts";
const applyPlan = "client/store/apply-plan.ts";
const concurrently = "client/core/request/concurrently.ts";
const pullItems = "client/store/pull-items.ts";
const pullPlan = "client/store/pull-plan.ts";

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: "a POST is sent again after a lost response",
    file: retry,
    find: 'return policy.retryClass === "idempotent" && !isOverall;',
    replace: "return !isOverall;",
  },
  {
    name: "a POST is sent again after a 500",
    file: retry,
    find: 'if (policy.retryClass === "only-if-rejected" && !isRejected(outcome, policy)) return undefined;',
    replace: "",
  },
  {
    name: "the second token is not asked for",
    file: secret,
    find: "const run = this.#last?.refused",
    replace: "if (!signal.aborted) return refused; const run = this.#last?.refused",
  },
  {
    name: "a rotated token is sent without the limiter",
    file: send,
    find: "await sendLimited(config, run, fresh);",
    replace:
      "await sendLimited({ ...config, limiter: undefined, shared: { ...config.shared, limiter: undefined } }, run, fresh);",
  },
  {
    name: "the limiter is asked only before the first attempt",
    file: send,
    find: "if (limiter !== undefined && limiter.tryAcquire",
    replace: "if (limiter !== undefined && run.attempts === 0 && limiter.tryAcquire",
  },
  {
    name: "Retry-After is ignored",
    file: retry,
    find: 'return parseRetryAfter(head.headers.get("retry-after"), policy.now) ?? backoff;',
    replace: "return backoff;",
  },
  {
    name: "Retry-After is read as milliseconds",
    file: "client/retry-after.ts",
    find: "Math.min(Number(text) * 1000, maximum)",
    replace: "Math.min(Number(text), maximum)",
  },
  {
    name: "one retry too many, for ever",
    file: "client/core/request/plan-retry.ts",
    find: "(!isRateLimit && count > limits.retries)",
    replace: "(!isRateLimit && count > limits.retries + 90)",
  },
  {
    name: "the timer of an attempt is not cleared",
    file: deadline,
    find: "if (timer !== undefined) runtime.clearTimeout(timer);",
    replace: "",
  },
  {
    name: "the timer of a wait survives an abort",
    file: deadline,
    find: 'signal.addEventListener("abort", () => runtime.clearTimeout(timer));',
    replace: "void timer;",
  },
  {
    name: "the listener on the caller's signal is left",
    file: deadline,
    find: "for (const stop of stops) stop();",
    replace: "",
  },
  {
    name: "the deadline of an attempt does not cover the body",
    file: deadline,
    find: "const ms = Math.min(remaining, timeout);",
    replace: "const ms = Math.min(remaining, timeout * 2);",
  },
  {
    name: "totalTimeout begins anew with each attempt",
    file: deadline,
    find: "const remaining = end === Infinity ? end : Math.max(0, end - runtime.performance.now());",
    replace: "const remaining = limits.totalTimeout;",
  },
  {
    name: "a deadline settles the call and leaves its request open",
    file: deadline,
    find: "resolve(timeoutError);\n        controller.abort(timeoutError);",
    replace: "resolve(timeoutError);",
  },
  {
    name: "an abort is not noticed during a request",
    file: deadline,
    find: "stops = signals.map((signal) => onAbort(signal, abort));",
    replace: "void abort;",
  },
  {
    name: "a wait is not ended by an abort",
    file: deadline,
    find: "await withDeadline(\n    config,\n    run,\n    Infinity,\n    (signal) => {",
    replace:
      "await withDeadline(\n    config,\n    { ...run, end: Infinity, spec: { ...run.spec, signals: [] } },\n    Infinity,\n    (signal) => {",
  },
  {
    name: "the client takes the clock of the platform",
    file: "client/core/request/plan-retry.ts",
    find: "const now = runtime.Date.now();",
    replace: "const now = Date.now();",
  },
  {
    name: "a failing hook fails its call",
    file: "client/core/request/hooks.ts",
    find: "} catch (error) {\n    onFailure(error);\n  }",
    replace: "} catch (error) {\n    throw error;\n  }",
  },
  {
    name: "a rejecting hook is not handled",
    file: "client/core/request/hooks.ts",
    find: "void Promise.resolve(call()).catch(onFailure);",
    replace: "void Promise.resolve(call());",
  },
  {
    name: "a redirect to another origin takes the token along",
    file: redirect,
    find: 'isBelowBase ? current.headers : pickHeaders(current, ["accept"])',
    replace: "current.headers",
  },
  {
    name: "the redirect of a write is followed",
    file: send,
    find: 'response.status !== 200 && method === "GET" && (spec',
    replace: "response.status !== 200 && (spec",
  },
  {
    name: "the body of a redirect is not closed",
    file: redirect,
    find: "await response.read(0);",
    replace: "",
  },
  {
    name: "the text of an error response keeps its secrets",
    file: responseFailure,
    find: "json === undefined ? redactor.redact(text.slice(0, 2 * maxErrorText)).slice(0, maxErrorText) : json;",
    replace: "json === undefined ? text.slice(0, maxErrorText) : json;",
  },
  {
    name: "the headers of an error keep their secrets",
    file: responseFailure,
    find: "clean(withoutUsers(value))",
    replace: "value",
  },
  {
    name: "a body over the limit is read whole",
    file: send,
    find: "status > 299 ? Math.min(errorBytes, limits.maxResponseBytes) : limits.maxResponseBytes,",
    replace: "status > 299 ? Math.min(errorBytes, limits.maxResponseBytes) : 2 ** 30,",
  },
  {
    name: "a 404 after a lost DELETE is reported as certain",
    file: "client/core/request/plan-retry.ts",
    find: "run.mayHaveExecuted ||= !isRejected(outcome, policy);",
    replace: "",
  },
  {
    name: "prefetch delivers pages out of order",
    file: "client/core/pagination/read-ahead.ts",
    find: "void queue.shift(); // removed only now",
    replace: "void (queue.length > 2 ? queue.pop() : queue.shift()); // removed only now",
  },
  {
    name: "prefetch requests one page more than it may",
    file: "client/core/pagination/read-ahead.ts",
    find: "while (queue.length < maximum &&",
    replace: "while (queue.length <= maximum &&",
  },
  {
    name: "leaving a walk leaves its requests open",
    file: "client/core/pagination/read-ahead.ts",
    find: "if (queue.length > 0) cancel.abort();",
    replace: "",
  },
  {
    name: "an empty page ends a walk of stores",
    file: cursors,
    find: "if (size === 0) return confirmEmpty(response, position, request, nullable);",
    replace: "if (size === 0) return response;",
  },
  {
    name: "a full page without a cursor ends a walk of stores",
    file: cursors,
    find: "if (!sizes.includes(request.call.pageSize)) return response;",
    replace: "return response;",
  },
  {
    name: "stores at the edge of a page come twice",
    file: cursors,
    find: "return { recurring, uncertain: ids, isStable: false };",
    replace: "return { recurring: [], uncertain: ids, isStable: false };",
  },
  {
    name: "a walk of cursors resumes one page late",
    file: cursors,
    find: 'cursor !== "" && neighbor ? { cursor, ...neighbor }',
    replace: 'cursor !== "" && neighbor ? { ...neighbor, cursor: "S-00~" }',
  },
  {
    name: "a walk of numbers resumes one page late",
    file: numbers,
    find: "return { pass: current, page, delivered: undefined, hasIds: true };",
    replace: "return { pass: current, page: page + 1, delivered: undefined, hasIds: true };",
  },
  {
    name: "drift is not compared across a resume",
    file: "client/core/pagination/pass.ts",
    find: "return keys && new Pass(state as unknown as PassState, keys);",
    replace: "return keys && Pass.begin(start as number);",
  },
  {
    name: "drift is not compared with the page before",
    file: "client/core/pagination/pass.ts",
    find: "const before = { totalCount: state.totalCount ?? totalCount, totalPages: state.totalPages ?? totalPages };",
    replace: "const before = { totalCount, totalPages };",
  },
  {
    name: "a walk of numbers stops one page early",
    file: "client/core/pagination/numbered-pass.ts",
    find: "const isLast = isLastPage(pagination);\n    this.#isEnded",
    replace: "const isLast = number >= pagination.totalPages - 1;\n    this.#isEnded",
  },
  {
    name: "verify is satisfied by one pass",
    file: "client/core/pagination/verify.ts",
    find: "content === before",
    replace: "true",
  },
  {
    name: "a window begins too late",
    file: windows,
    find: 'from: typeof start === "number" ? toInstant(start) : from,',
    replace: 'from: typeof start === "number" ? toInstant(start + 2) : from,',
  },
  {
    name: "items on the edge of two windows come twice",
    file: windows,
    find: "withoutKnown(response, [...recurring, ...this.#delivered])",
    replace: "withoutKnown(response, [...this.#delivered])",
  },
  {
    name: "a window that is too full is delivered as it is",
    file: windows,
    find: "missing.expect(keys);\n      starts = halve(starts, bounds, guard);",
    replace:
      "missing.expect(keys);\n      starts = starts.length > 1 ? starts.slice(1) : halve(starts, bounds, guard);",
  },
  {
    name: "the first page is delivered again by windows",
    file: windows,
    find: "delivered: first,",
    replace: "delivered: [],",
  },
  {
    name: "the first page again counts as the second page",
    file: ranges,
    find: "if (isCertain && areSame(first, response.keys)) return true;",
    replace: "if (isCertain) return false;",
  },
  {
    name: "a token of another query is accepted",
    file: "client/core/pagination/walk.ts",
    find: `if (difference === "") return state;`,
    replace: `if (difference !== null) return state;`,
  },
  {
    name: "a repeated page goes unnoticed",
    file: guard,
    find: "if (keys.length > 0 && !isNew && mayRepeat !== true)",
    replace: "if (keys.length < 0 && !isNew && mayRepeat !== true)",
  },
  {
    name: "items are distinguished only by their type",
    file: guard,
    find: "const ids = items.map((item) => keyOf(item, identity));",
    replace: "const ids = items.map(() => 1);",
  },
  {
    name: "an upsert with elements that match each other is repeated",
    file: "client/store/adapter.ts",
    find: 'return new Set(keys).size < keys.length ? "always" : true;',
    replace: "return true;",
  },
  {
    name: "an upsert that may rename a store is repeated",
    file: "client/store/adapter.ts",
    find: "return given !== undefined &&",
    replace: "return given === 1 &&",
  },
  {
    name: "the slot of a request is not given back",
    file: send,
    find: "slots?.release(run);",
    replace: "if (run.tries < 2) slots?.release(run);",
  },
  {
    name: "one request more than the slots are in flight",
    file: "client/core/request/slots.ts",
    find: "if (this.#holders.size < this.#maximum) take();",
    replace: "if (this.#holders.size <= this.#maximum) take();",
  },
  {
    name: "the token bucket forgets how long it was not used",
    file: "client/core/options/token-bucket.ts",
    find: "this.#tokens + ((now - from) * rate) / 1000,",
    replace: "burst,",
  },
  {
    name: "a modified store is not sent",
    file: "client/store/modify.ts",
    find: "if (body === undefined) return store;",
    replace: "if (body !== undefined) return store;",
  },
  {
    name: "a call resolves with the data of another response",
    file: response,
    find: "return isObject(meta) ? { data, meta } : { data };",
    replace: "return { data: Array.isArray(data) ? data : { ...(data as object), id: 1 } };",
  },
  {
    name: "a plan leaves out the stores that do not exist",
    file: plan,
    find: "plan.create.push(store);",
    replace: "continue;",
  },
  {
    name: "an update of a plan sends only what differs",
    file: "client/store/modify.ts",
    find: "return { ...toUpsert(store), ...Object.fromEntries(differing.map((name) => [name, given[name]])) };",
    replace: "return Object.fromEntries(differing.map((name) => [name, given[name]]));",
  },
  {
    name: "a failed store of a plan is reported as done",
    file: applyPlan,
    find: "return { ...result, outcome: outcomeOf(error), error };",
    replace: 'return { ...result, outcome: "done" };',
  },
  {
    name: "a plan writes one store more at the same time",
    file: concurrently,
    find: "Math.min(concurrency, items.length)",
    replace: "Math.min(concurrency + 1, items.length)",
  },
  {
    name: "a plan continues after its onResult has thrown",
    file: concurrently,
    find: "next = items.length; // the other workers finish their current items",
    replace: "",
  },
  {
    name: "a pull forgets what the last run delivered",
    file: pullItems,
    find: 'new KeyLog(recent + kept.map(({ keys }) => keys).join(""))',
    replace: "new KeyLog()",
  },
  {
    name: "a pull begins behind the end of the last run",
    file: pullPlan,
    find: "planRange(last - overlap, end, times)",
    replace: "planRange(last + 1, end, times)",
  },
  {
    name: "a killed pull forgets what it delivered",
    file: pullItems,
    find: "new KeyLog(run.kept)",
    replace: "new KeyLog()",
  },
  {
    name: "the two parts of a pull leave a gap",
    file: pullPlan,
    find: "to: tail + 2 * precision",
    replace: "to: tail - 2 * precision",
  },
];
