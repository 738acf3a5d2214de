import { renamedIds } from "../../../generated/readings.ts";
import { parseKey } from "../../wire/fleet-key.ts";
import type { Timing } from "../sender/budget.ts";
import { ProbeOptionError } from "./failures.ts";
import { isSendableSecret } from "../../wire/header-text.ts";
import { isInsecure, parseBaseUrl } from "../../wire/base-url.ts";
import { isLoopback } from "../../wire/loopback.ts";
import { decodePercent } from "../../wire/decode-percent.ts";
import { isPathId } from "../../wire/path-segment.ts";
import { describeRename } from "../../wire/renamed.ts";
import { type Consent, isOpen } from "./gap.ts";
import type { Ledger } from "./ledger.ts";
import type { ProbeProgress } from "./report.ts";

const READS = 90;
const WITH_KEYS = 110;
const WITH_WRITES = 150;

/** The options of `probe`: the services, the credentials, the consent and the limits. */
export interface ProbeOptions {
  /** The base URL of the store API. */
  storeUrl?: string;
  /** The store API's token. */
  token?: string;
  /** The base URL of the fleet API's production. */
  fleetUrl?: string;
  /** A key of production. */
  key?: string;
  /** The base URL of the fleet API's sandbox. */
  sandboxUrl?: string;
  /** A key of the sandbox. */
  sandboxKey?: string;
  /** Further keys with few scopes each. They are needed for the gaps about scopes. */
  narrowKeys?: readonly string[];
  /** `false`: no requests with invalid or unknown parameters. */
  odd?: boolean;
  /** Allows writes: at the sandbox with `sandboxKey`, and on `scratchStore`. Needs a `ledger`. */
  write?: boolean;
  /** The external ID of a store that writes may change. It is saved first and restored afterwards. */
  scratchStore?: string;
  /**
   * `true`: creates `scratchStore` if it does not exist, which decides more gaps. It is not removed, because the
   * API cannot delete a store. Otherwise a `scratchStore` that does not exist is an error.
   */
  createScratchStore?: boolean;
  /** The ledger: it records each write before it is sent. */
  ledger?: Ledger;
  /**
   * The largest number of requests. Default: 90, 110 with `narrowKeys`, 150 with `write`. Requests that restore data
   * are not counted.
   */
  maxRequests?: number;
  /** Requests per second. Default: 2. */
  rate?: number;
  /** The time limit of one request and its body in milliseconds. Default: 30 000. */
  timeout?: number;
  /** The gaps to examine. Default: all. */
  only?: readonly string[];
  /** `true`: secrets may be sent without TLS to other machines. */
  allowInsecure?: boolean;
  /** The function that sends the requests. Default: the global `fetch`. */
  fetch?: (input: Request, init?: RequestInit) => Promise<Response>;
  /** Ends the run; the report is then partial. */
  signal?: AbortSignal;
  /** Called after each request. */
  onProgress?: (progress: ProbeProgress) => void;
  /** @internal */
  timing?: Timing;
}

/** @throws {ProbeOptionError} */
export function checkOptions(options: ProbeOptions): void {
  const { storeUrl, fleetUrl, sandboxUrl, token, key, sandboxKey, allowInsecure = false } = options;
  if (storeUrl === undefined && fleetUrl === undefined && sandboxUrl === undefined)
    throw new ProbeOptionError("No service: expected storeUrl, fleetUrl or sandboxUrl");
  const pairs = [
    ["storeUrl", storeUrl, "token", token],
    ["fleetUrl", fleetUrl, "key", key],
    ["sandboxUrl", sandboxUrl, "sandboxKey", sandboxKey],
  ] as const;
  for (const [urlName, url, secretName, secret] of pairs) {
    if (url === undefined) continue;
    checkUrl(urlName, url, allowInsecure);
    if (secret === undefined || secret === "") throw new ProbeOptionError(`${urlName} needs ${secretName}`);
    checkSecret(secretName, secret);
  }
  if (sandboxUrl !== undefined) checkSandboxKey(sandboxKey);
  for (const narrowKey of options.narrowKeys ?? []) checkSecret("narrowKeys", narrowKey);
  checkNumber("maxRequests", options.maxRequests, Number.isInteger);
  checkNumber("rate", options.rate, () => true);
  checkNumber("timeout", options.timeout, Number.isFinite);
  const unknown = options.only?.find((gap) => !isOpen(gap));
  if (unknown !== undefined)
    throw new ProbeOptionError(`Unknown gap "${unknown}"${describeRename(renamedIds, unknown)}`);
  checkWrites(options);
}

function checkSecret(name: string, secret: string): void {
  if (!isSendableSecret(secret))
    throw new ProbeOptionError(`${name} has characters that a header cannot contain`);
}

/** @throws {ProbeOptionError} for a key of production: it could write real data */
export function checkSandboxKey(key: string | undefined): void {
  if (key !== undefined && parseKey(key)?.environment === "production")
    throw new ProbeOptionError("sandboxKey must be a key of the sandbox (<prefix>_test_…)");
}

function checkWrites(options: ProbeOptions): void {
  const { write = false, scratchStore, createScratchStore = false, sandboxUrl, storeUrl, ledger } = options;
  const { fleetUrl } = options;
  if (createScratchStore && scratchStore === undefined)
    throw new ProbeOptionError("createScratchStore needs scratchStore");
  if (scratchStore !== undefined && !isPathId(scratchStore))
    throw new ProbeOptionError("scratchStore must be an ID that a path can contain");
  if (scratchStore !== undefined && !write) throw new ProbeOptionError("scratchStore needs write");
  if (scratchStore !== undefined && storeUrl === undefined)
    throw new ProbeOptionError("scratchStore needs storeUrl");
  if (!write) return;
  if (scratchStore === undefined && sandboxUrl === undefined)
    throw new ProbeOptionError("write needs a sandboxUrl or a scratchStore to write to");
  if (sandboxUrl !== undefined && fleetUrl !== undefined && placeOf(sandboxUrl) === placeOf(fleetUrl))
    throw new ProbeOptionError("write needs a sandboxUrl that is not the fleetUrl");
  if (ledger === undefined) throw new ProbeOptionError("write needs a ledger");
}

/** The addresses of this machine, in addition to the loopback ones, as a parsed URL has them. */
const THIS_MACHINE = /^(?:0\.0\.0\.0|\[::(?:ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0))?\])$/;

/** Returns host, port and path of a base URL in one spelling. */
function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const host = hostname.replace(/\.$/, "");
  const isHere = isLoopback(host) || THIS_MACHINE.test(host);
  const path = decodePercent(pathname).toLowerCase().replace(/\/+/g, "/").replace(/\/$/, "");
  return `${isHere ? "localhost" : host}:${port}${path}`;
}

/** @throws {ProbeOptionError} if a secret must not be sent to a URL */
export function checkUrl(name: string, url: string, allowInsecure: boolean): void {
  const parsed = parseBaseUrl(url);
  if (typeof parsed === "string") throw new ProbeOptionError(`${name} ${parsed}`);
  if (name === "storeUrl" && /\/v1\/?$/.test(url))
    throw new ProbeOptionError(
      `storeUrl must not end in /v1, which every path has. Write ${url.replace(/\/v1\/?$/, "")}`,
    );
  if (allowInsecure || !isInsecure(parsed)) return;
  throw new ProbeOptionError(
    `${name} must be an https URL (http only for a loopback host, or with allowInsecure)`,
  );
}

function checkNumber(name: string, value: number | undefined, fits: (value: number) => boolean): void {
  if (value !== undefined && !(value > 0 && fits(value)))
    throw new ProbeOptionError(`${name} must be a positive number`);
}

/** Returns the base URL for a key, whose form shows whether it is for production or the sandbox. */
export function fleetUrlOf(key: string, { fleetUrl, sandboxUrl }: ProbeOptions): string | undefined {
  const isSandbox = parseKey(key)?.environment === "sandbox";
  return isSandbox ? (sandboxUrl ?? fleetUrl) : (fleetUrl ?? sandboxUrl);
}

/** Returns the default of `maxRequests`. */
export function defaultMaxRequests({ write = false, narrowKeys = [] }: ProbeOptions): number {
  if (write) return WITH_WRITES;
  return narrowKeys.length > 0 ? WITH_KEYS : READS;
}

/** Returns all credentials. */
export function secretsOf({ token, key, sandboxKey, narrowKeys = [] }: ProbeOptions): string[] {
  return [token, key, sandboxKey, ...narrowKeys].filter((secret) => secret !== undefined);
}

/** Returns the classes of experiments that options allow. */
export function allowedBy({
  odd = true,
  narrowKeys = [],
  write = false,
}: ProbeOptions): ReadonlySet<Consent> {
  const allowed: Consent[] = ["passive", "read"];
  if (odd) allowed.push("read-odd");
  if (narrowKeys.length > 0) allowed.push("keys");
  if (write) allowed.push("write");
  return new Set(allowed);
}
