/** Changes of the clients that no history can find, because a program cannot tell them from the original. */
export interface Equivalent {
  readonly file: string;
  /** The changed line without its indentation. */
  readonly line: string;
  readonly replacement: string;
  /** The part that is replaced, if the line has several such parts. */
  readonly original?: string;
  readonly reason: string;
}

export const equivalent: readonly Equivalent[] = [
  {
    file: "src/client/core/request/deadline.ts",
    line: "const remaining = end === Infinity ? end : Math.max(0, end - runtime.performance.now());",
    original: "end === Infinity",
    replacement: "false",
    reason: "Infinity less any time is Infinity; the check reads no clock",
  },
  {
    file: "src/client/core/pagination/walk.ts",
    line: "if (start !== undefined && baseQuery[start] !== undefined)",
    original: "start !== undefined",
    replacement: "true",
    reason: "no query has a property with the name `undefined`: it is refused before",
  },
  {
    file: "src/client/core/pagination/walk.ts",
    line: "sender.send(JSON.stringify([operation, input]), () =>",
    replacement: "[]",
    reason: "a loop sends the requests of the first page in the same order, and no others are recorded",
  },
  {
    file: "src/client/core/pagination/numbered-pass.ts",
    line: 'const ended = { read: undefined, drift: [], isNew: [], resume: "", isLast: true };',
    original: "[]",
    replacement: '["Stryker was here"]',
    reason: "the end of a pass has no page whose items it would describe",
  },
  {
    file: "src/client/core/pagination/numbered-source.ts",
    line: "const pages = accepted.flatMap(({ read }) => (read === undefined ? [] : [read]));",
    replacement: '["Stryker was here"]',
    reason: "a pass with such a page is not steady: its pages are neither delivered nor compared",
  },
  {
    file: "src/client/core/pagination/range-source.ts",
    line: 'const firstPage: Position = { at: "cursor", cursor: undefined, recurring: [], hasIds: true };',
    replacement: "false",
    reason:
      "the items of the first page are compared with those of no other page, whether they have IDs or not",
  },
  {
    file: "src/client/store/pull-state.ts",
    line: "} catch {",
    replacement: "{}",
    reason: "a function that ends without `return` returns undefined as well",
  },
  {
    file: "src/client/core/pagination/walk.ts",
    line: "} catch {",
    replacement: "{}",
    reason: "a function that ends without `return` returns undefined as well",
  },
  {
    file: "src/client/core/pagination/numbered-source.ts",
    line: 'const reader = new PassReader<T, Meta>(context, pass, next, reaction, unit === "pages");',
    replacement: "true",
    reason: "a walk over items writes tokens that nobody reads",
  },
  {
    file: "src/client/core/pagination/numbered-source.ts",
    line: "if (read === undefined) return [];",
    replacement: "false",
    reason: "its only caller has checked that the page was read",
  },
  {
    file: "src/client/core/options/token-bucket.ts",
    line: "return this.#tokens >= 1 ? pause : pause + ((1 - this.#tokens) * 1000) / rate;",
    replacement: "false",
    reason: "a bucket has at most one token during a pause, and any wait below 0 is no wait",
  },
  {
    file: "src/client/store/pull-state.ts",
    line: "if (!isObject(value)) return false;",
    replacement: "false",
    reason:
      "the properties of another value are undefined, which the next line refuses, and `parse` catches the error of null",
  },
  {
    file: "src/client/core/request/response.ts",
    line: "if (json === nothing) return false;",
    replacement: "false",
    reason: "the text of such a response is empty and has no names",
  },
  {
    file: "src/client/core/pagination/numbered-source.ts",
    line: 'const reader = new PassReader<T, Meta>(context, current, pass.start, "heal", false);',
    replacement: "true",
    reason: "a walk with `verify` writes its own tokens and reads none of the pass",
  },
  {
    file: "src/client/core/pagination/content-hash.ts",
    line: 'return hash(JSON.stringify(value, sortProperties) ?? "");',
    replacement: '"Stryker was here!"',
    reason: "a part of JSON has a text: a part without one was refused before",
  },
  {
    file: "src/client/core/pagination/items.ts",
    line: "if (this.#waiting === 0 && this.#index < this.#items.length) return Promise.resolve(this.#take());",
    replacement: "false",
    reason: "the queue gives the same item, by more promises",
  },
  {
    file: "src/client/store/list-rules.ts",
    line: 'return typeof id === "string" ? id.toLowerCase() : undefined;',
    replacement: "id.toUpperCase()",
    reason: "UUIDs that are equal in lower case are equal in upper case",
  },
  {
    file: "src/client/core/request/api.ts",
    line: "if (hooks.onCallEnd !== undefined) end();",
    replacement: "true",
    reason: "without the hook nothing is called; the check saves time",
  },
  {
    file: "src/client/core/request/send.ts",
    line: 'let refused = "";',
    replacement: '"Stryker was here!"',
    reason: "a response 401 follows a request, for which the function below has set it",
  },
  {
    file: "src/client/core/pagination/windows.ts",
    line: "recurring: [],",
    replacement: '["Stryker was here"]',
    reason: "the first window has none before it, with which it could share an item",
  },
  {
    file: "src/client/core/pagination/windows.ts",
    line: "if (!areKeys(starts) || starts.length === 0 || starts.length > maxWindows) return undefined;",
    original: "starts.length > maxWindows",
    replacement: "starts.length >= maxWindows",
    reason:
      "no token of a client has 100 windows: the milliseconds of 10 000 years are halved 48 times at most",
  },
  {
    file: "src/client/core/pagination/guard.ts",
    line: "return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));",
    original: "a < b",
    replacement: "a <= b",
    reason: "no two properties of an object have the same name",
  },
  {
    file: "src/client/core/pagination/numbered-source.ts",
    line: 'const { onDrift = "heal", verify = false } = call.positionQuery;',
    original: "false",
    replacement: "true",
    reason: "only the type of the option is checked here",
  },
  {
    file: "src/client/core/request/response.ts",
    line: 'if (text.includes("\\\\u00") && escapedLetter.test(text)) return true;',
    replacement: 'text.includes("\\\\u00") || escapedLetter.test(text)',
    reason: "a text with such an escape sequence is read by the slower check, which finds the same names",
  },
  {
    file: "src/client/core/pagination/walk.ts",
    line: 'typeof part === "bigint" ? `${part}` : part,',
    original: 'typeof part === "bigint"',
    replacement: "true",
    reason: "a loop sends the requests of the first page in the same order, and no others are recorded",
  },
  {
    file: "src/client/core/pagination/walk.ts",
    line: 'typeof part === "bigint" ? `${part}` : part,',
    original: 'typeof part === "bigint"',
    replacement: 'typeof part !== "bigint"',
    reason: "a loop sends the requests of the first page in the same order, and no others are recorded",
  },
  {
    file: "src/client/core/request/response.ts",
    line: "if (text.length > longText && nestsTooDeep(text)) return tooDeep;",
    original: "text.length > longText",
    replacement: "true",
    reason: "the depth of a shorter text is checked after it was parsed",
  },
  {
    file: "src/client/store/match-expositions.ts",
    line: "byKey.set(keyOf(exposition), [...(byKey.get(keyOf(exposition)) ?? []).slice(0, 1), exposition]);",
    original: "(byKey.get(keyOf(exposition)) ?? []).slice(0, 1)",
    replacement: "byKey.get(keyOf(exposition)) ?? []",
    reason: "only the first two are used",
  },
  {
    file: "src/client/core/request/response.ts",
    line: "function hasLastNames(json: JsonObject): boolean {",
    replacement: "{}",
    reason: "the pattern is built again for each response",
  },
  {
    file: "src/client/core/request/serialize-query.ts",
    line: 'const [, day = "", hour, minute, second = "00", fraction, sign = "+00", hours = "00", minutes = "00"] =',
    original: '"+00"',
    replacement: '""',
    reason: "only the sign is read, and a number without one is positive",
  },
  {
    file: "src/client/core/pagination/guard.ts",
    line: "if (this.#cursors.has(key)) throw this.error(usedBefore);",
    original: "this.#cursors.has(key)",
    replacement: "false",
    reason: "the page before has compared the cursor with the same ones: only a changed token could have it",
  },
  {
    file: "src/client/core/pagination/list-reader.ts",
    line: "const [recorded] = index < 0 ? [] : requests.splice(index, 1);",
    original: "index < 0",
    replacement: "false",
    reason:
      "a loop sends the requests of the first page in the same order: when one is not found, none is left",
  },
  {
    file: "src/client/core/pagination/list.ts",
    line: 'return typeof destination === "object" ? destination.baseUrl : undefined;',
    original: 'typeof destination === "object"',
    replacement: "true",
    reason: "a function has no property `baseUrl`",
  },
  {
    file: "src/client/core/pagination/digests.ts",
    line: '.map((part) => (typeof part === "object" ? "object" : String(part as string | number))) // or another primitive',
    original: '"object"',
    replacement: '""',
    reason: "a list with a nested object is rejected, whatever its digest is",
  },
  {
    file: "src/client/core/request/response.ts",
    line: "} catch {",
    original: "{ return false; }",
    replacement: "{}",
    reason: "a function that ends without `return` returns undefined as well",
  },
  {
    file: "src/client/core/request/response.ts",
    line: "if (json === nothing) return false;",
    original: "false",
    replacement: "true",
    reason: "the text of such a response is empty and has no names: the slower check finds none",
  },
  {
    file: "src/client/core/options/adaptive-rate.ts",
    line: "this.isUnlimited = this.#maximum === Infinity;",
    original: "this.#maximum === Infinity",
    replacement: "false",
    reason: "a bucket that is filled at an infinite rate always has a token",
  },
  {
    file: "src/client/core/request/redirect.ts",
    line: "const [, part] = embedded ?? [];",
    original: "[]",
    replacement: '["Stryker was here"]',
    reason: "only the second element is read",
  },
  {
    file: "src/client/core/pagination/walk.ts",
    line: 'typeof part === "bigint" ? `${part}` : part,',
    original: "`${part}`",
    replacement: "``",
    reason: "a loop sends the requests of the first page in the same order, and no others are recorded",
  },
  {
    file: "src/client/store/pull-state.ts",
    line: "const inner = all.slice(1, -1).map((_, index) => index + 1);",
    original: "all.slice(1, -1)",
    replacement: "all",
    reason: "the distance of an end without a neighbor is not a number, and never the smallest",
  },
  {
    file: "src/client/core/request/send.ts",
    line: 'if (hooks.onRequest !== undefined) notify(hooks, "onRequest", () => requestEvent(config, run));',
    original: "hooks.onRequest !== undefined",
    replacement: "true",
    reason: "without the hook nothing is called; the check saves time",
  },
  {
    file: "src/client/core/request/send.ts",
    line: "if (limiter === undefined || outcome instanceof Error || outcome.status < 400) return outcome;",
    original: "outcome.status < 400",
    replacement: "false",
    reason: "a limiter is told about two statuses above 400 only; the check saves time",
  },
  {
    file: "src/client/core/pagination/cursor-walk.ts",
    line: "const isRepeated = hasIds && new Set(keys).size < keys.length;",
    original: "new Set(keys).size < keys.length",
    replacement: "true",
    reason: "without a repeated item, all of them are delivered; the check saves a copy",
  },
];
