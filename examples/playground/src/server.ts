import { signal } from "@preact/signals";
import { type Scope, scopes } from "shelfleet";
import { mockReadings } from "shelfleet/gaps";
import {
  createReferenceServer,
  type ExportedState,
  type MockReadings,
  type RateLimits,
  type ReferenceServer,
} from "shelfleet/mock";
import { mswHandlers } from "shelfleet/mock/msw";
import type { SetupWorker } from "msw/browser";
import { isRecord, isRecordOf, isString, keptSignal } from "./kept-signal.ts";
import { type ChosenReadings, type KeyState, keyOptions, serverOptions } from "./server-options.ts";

/** A state file that was loaded. */
export interface StateFile {
  name: string;
  state: ExportedState;
}

/** The readings that were chosen. */
export const readings = keptSignal<ChosenReadings>("readings", {}, areReadings);

/** The rate limits; null if there are no limits. */
export const limits = keptSignal<RateLimits | null>("limits", null, areLimits);

/** The scopes of the key that the fleet client sends. */
export const keyScopes = keptSignal<readonly Scope[]>("scopes", scopes, areScopes);
export const keyState = keptSignal<KeyState>("key", "valid", isKeyState);

/** The state that the server began with; null for seed data. */
export const stateFile = signal<StateFile | null>(null);

/** The reference server that responds in the service worker. */
export const server = signal(newServer(null));

/** Counts the changes of the server's responses and records. Views that show them depend on this signal. */
export const changes = signal(0);

export function recordChange(): void {
  changes.value += 1;
}

function newServer(file: StateFile | null): ReferenceServer {
  return createReferenceServer(
    serverOptions({
      readings: readings.value,
      limits: limits.value,
      scopes: keyScopes.value,
      keyState: keyState.value,
      state: file?.state,
    }),
  );
}

let worker: SetupWorker | undefined;

/** Starts the service worker that responds for the server. Its script is in the folder of the page. */
export async function startWorker(): Promise<void> {
  const { setupWorker } = await import("msw/browser");
  worker = setupWorker(...mswHandlers(server.value));
  await worker.start({
    quiet: true,
    // the page's own files
    onUnhandledFrame: "bypass",
    serviceWorker: { url: new URL("mockServiceWorker.js", document.baseURI).href },
  });
}

/** Starts a new server with the chosen readings, limits and key: from the loaded state, or else from the seed. */
export function restart(): void {
  use(newServer(stateFile.value), stateFile.value);
}

/** Starts a new server with a state. Throws an error that names the wrong place in the state. */
export function loadState(file: StateFile): void {
  use(newServer(file), file);
}

/** Starts a new server from the seed, with every choice at its default. */
export function resetServer(): void {
  readings.value = {};
  limits.value = null;
  keyScopes.value = scopes;
  keyState.value = "valid";
  use(newServer(null), null);
}

function use(next: ReferenceServer, file: StateFile | null): void {
  stateFile.value = file;
  server.value = next;
  worker?.resetHandlers(...mswHandlers(next));
  recordChange();
}

/** Chooses a reading for the next requests. Seed data that depends on it changes only after a restart. */
export function chooseReading<Gap extends keyof MockReadings>(gap: Gap, reading: MockReadings[Gap]): void {
  readings.value = { ...readings.value, [gap]: reading };
  server.value.switchReadings({ [gap]: reading });
  recordChange();
}

/** Limits the rate of requests in both APIs. Throws an error that names a wrong limit. */
export function setLimits(chosen: RateLimits): void {
  server.value.switchLimits(chosen);
  limits.value = chosen;
  chooseReading("limits.store-rate", "too-many-requests");
  chooseReading("limits.fleet-rate", "too-many-requests");
}

export function removeLimits(): void {
  limits.value = null;
  chooseReading("limits.store-rate", "none");
  chooseReading("limits.fleet-rate", "none");
}

export function chooseScopes(chosen: readonly Scope[]): void {
  keyScopes.value = chosen;
  applyKey();
}

export function chooseKeyState(state: KeyState): void {
  keyState.value = state;
  applyKey();
}

function applyKey(): void {
  const [key] = server.value.keys;
  if (key === undefined) return;
  const { revoked = false, expiresAt } = keyOptions(keyState.value);
  key.scopes = keyScopes.value;
  key.revoked = revoked;
  if (expiresAt === undefined) delete key.expiresAt;
  else key.expiresAt = expiresAt;
  recordChange();
}

/** Stored readings may come from another version of the page. */
function areReadings(value: unknown): value is ChosenReadings {
  return isRecordOf(value, (reading, gap): reading is string => {
    const known = Object.entries<readonly string[]>(mockReadings).find(([id]) => id === gap)?.[1] ?? [];
    return isString(reading) && known.includes(reading);
  });
}

function areLimits(value: unknown): value is RateLimits {
  if (!isRecord(value)) return false;
  const { perSecond, burst, retryAfter } = value;
  const areNumbers = [perSecond, burst].every((number) => typeof number === "number" && number > 0);
  return areNumbers && ["seconds", "date", "none"].includes(String(retryAfter));
}

function areScopes(value: unknown): value is readonly Scope[] {
  return Array.isArray(value) && value.every((scope) => scopes.includes(scope as Scope));
}

function isKeyState(value: unknown): value is KeyState {
  return ["valid", "revoked", "expired"].includes(String(value));
}
