import { redactorOf } from "../../wire/redaction.ts";
import { Budget, type Timing, systemTiming } from "../sender/budget.ts";
import { ProbeOptionError } from "./failures.ts";
import { isObject } from "../../wire/json.ts";
import { checkEntries } from "./ledger-check.ts";
import { Connection, Service } from "./service.ts";
import { type LedgerEntry, RunLedger } from "./ledger.ts";
import { type ProbeOptions, checkSandboxKey, checkUrl } from "./options.ts";
import { findMarked } from "./sandbox.ts";
import { deleteCreated, restorePath, restoreName } from "./restore.ts";

/** The input of `cleanup` in addition to the ledger: the services of the run, and their credentials. */
export interface CleanupOptions
  extends Pick<
    ProbeOptions,
    | "storeUrl"
    | "token"
    | "sandboxUrl"
    | "sandboxKey"
    | "rate"
    | "timeout"
    | "fetch"
    | "ledger"
    | "allowInsecure"
  > {
  /** @internal */
  timing?: Timing;
}

/** The changes that an interrupted run left, and the result of their cleanup. */
export interface CleanupResult {
  readonly undone: readonly string[];
  readonly remaining: readonly string[];
}

/**
 * Restores the data that an interrupted run changed, from the entries of its ledger. It can run any number of
 * times.
 *
 * @throws {ProbeOptionError} if the ledger or the credentials do not match
 */
export async function cleanup(
  entries: readonly LedgerEntry[],
  options: CleanupOptions,
): Promise<CleanupResult> {
  checkEntries(entries);
  const run = entries.find((entry) => entry.type === "run");
  if (run === undefined) throw new ProbeOptionError("The ledger has no entry of a run");
  const services = servicesOf(run.services, options);
  const ledger = options.ledger && new RunLedger(options.ledger);
  const undone: string[] = [];
  const remaining: string[] = [];
  const note = async (path: string, isUndone: boolean): Promise<void> => {
    (isUndone ? undone : remaining).push(path);
    if (isUndone) await ledger?.append({ type: "undone", path });
  };
  if (services.sandbox !== undefined) {
    const created = await findCreated(entries, services.sandbox, run.marker);
    remaining.push(...created.unread);
    for (const path of created.paths) await note(path, await deleteCreated(services.sandbox, path));
  }
  if (services.store !== undefined) {
    await undoRenaming(entries, services.store);
    for (const { path, value } of findChanged(entries))
      await note(path, await restore(services.store, path, value));
  }
  return { undone, remaining };
}

function servicesOf(
  urls: Readonly<Record<string, string>>,
  options: CleanupOptions,
): { store: Service | undefined; sandbox: Service | undefined } {
  const { token, sandboxKey, rate = 2, timing = systemTiming, allowInsecure = false } = options;
  const { signal } = new AbortController();
  const redactor = redactorOf([token, sandboxKey].filter((secret) => secret !== undefined));
  const connection = new Connection({
    fetch: options.fetch,
    timeout: options.timeout,
    budget: new Budget(Infinity, rate, timing, signal),
    timing,
    redactor,
    signal,
  });
  checkSandboxKey(sandboxKey);
  const service = (
    api: "store" | "fleet",
    as: "store" | "sandbox",
    given?: string,
    secret?: string,
  ): Service | undefined => {
    const base = urls[as];
    if (base === undefined || secret === undefined) return undefined;
    // a ledger is a file, which must not decide where the secrets go
    const name = `${as}Url`;
    if (given === undefined || redactor.redact(given) !== base)
      throw new ProbeOptionError(`The ledger is of another service: expected ${name} ${base}`);
    checkUrl(name, given, allowInsecure);
    return new Service(connection, { api, as, base: given, secret });
  };
  return {
    store: service("store", "store", options.storeUrl, token),
    sandbox: service("fleet", "sandbox", options.sandboxUrl, sandboxKey),
  };
}

function undonePaths(entries: readonly LedgerEntry[]): Set<string> {
  return new Set(entries.flatMap((entry) => (entry.type === "undone" ? [entry.path] : [])));
}

/** Returns the resources that the run created in the sandbox and did not delete. */
async function findCreated(
  entries: readonly LedgerEntry[],
  sandbox: Service,
  marker: string,
): Promise<{ paths: string[]; unread: string[] }> {
  const undone = undonePaths(entries);
  const created = new Set(entries.flatMap((entry) => (entry.type === "created" ? [entry.path] : [])));
  const lists = entries.flatMap((entry) =>
    entry.type === "write" && entry.as === "sandbox" && entry.method === "POST" ? [entry.path] : [],
  );
  const unread: string[] = [];
  for (const list of new Set(lists)) {
    const found = await findMarked(sandbox, list, marker);
    if (found === undefined) unread.push(list);
    for (const path of found ?? []) created.add(path);
  }
  // a resource may belong to an earlier one: gap fleet.delete-dependents
  return { paths: [...created].toReversed().filter((path) => !undone.has(path)), unread };
}

type Saved = Extract<LedgerEntry, { type: "saved" }>;

/** Returns the saved data that the run changed and did not restore. */
function findChanged(entries: readonly LedgerEntry[]): Saved[] {
  const undone = undonePaths(entries);
  const writtenPaths = new Set(
    entries.flatMap((entry) => (entry.type === "write" && entry.isRefused !== true ? [entry.path] : [])),
  );
  return entries.filter(
    (entry): entry is Saved =>
      entry.type === "saved" && writtenPaths.has(entry.path) && !undone.has(entry.path),
  );
}

async function undoRenaming(entries: readonly LedgerEntry[], store: Service): Promise<void> {
  for (const entry of entries) {
    if (entry.type !== "renaming") continue;
    const saved = entries.find((other) => other.type === "saved" && other.path === entry.path);
    const externalId = decodeURIComponent(entry.path.split("/").at(-1) ?? "");
    if (saved?.type === "saved" && isObject(saved.value))
      await restoreName(store, entry.to, { ...saved.value, externalId });
  }
}

/** Restores a store or one of its lists. */
async function restore(store: Service, path: string, value: unknown): Promise<boolean> {
  const list = /\/(contacts|expectations|expositions)$/.exec(path)?.[1];
  if (list !== undefined) return restorePath(store, path, { [list]: value });
  if (!isObject(value)) return false;
  if (await restorePath(store, path, value)) return true;
  // gap stores.null-store-type
  const { storeType, ...rest } = value;
  return storeType === null && restorePath(store, path, rest);
}
