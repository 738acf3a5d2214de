import { signal } from "@preact/signals";
import { type Scope, scopes } from "shelfleet";
import { createReferenceServer, type MockReadings, type ReferenceServer } from "shelfleet/mock";
import { mswHandlers } from "shelfleet/mock/msw";
import type { SetupWorker } from "msw/browser";

/** The range that the seed fills: 28 days before the server's clock. */
export const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-29T00:00:00Z" };

const KEY = `ref_${"5f".repeat(32)}`;

export type ChosenReadings = Partial<MockReadings>;

/** The key's end: whether the fleet API still takes it. */
export type KeyState = "valid" | "revoked" | "expired";

function newServer(readings: ChosenReadings): ReferenceServer {
  return createReferenceServer({
    seed: 8,
    now: range.to,
    storeUrl: "https://stores.example.com",
    fleetUrl: "https://fleet.example.com/api/third-party/v1",
    sandboxUrl: "https://sandbox.example.com/api/third-party/v1",
    store: { token: "playground-token", stores: 24, protocolsPerStore: 28 },
    fleet: { keys: [{ key: KEY, scopes: [...scopes] }], vehicles: 36 },
    readings,
  });
}

/** The reference server that responds in the service worker. */
export const server = signal(newServer({}));

/** The readings that differ from their gap's default. */
export const readings = signal<ChosenReadings>({});

/** The scopes of the key that the fleet client sends. */
export const keyScopes = signal<readonly Scope[]>(scopes);
export const keyState = signal<KeyState>("valid");

/** Counts whatever may change what the server says next or has said: who shows that looks at it. */
export const changes = signal(0);

export function noteChange(): void {
  changes.value += 1;
}

let worker: SetupWorker | undefined;

/** Makes the service worker respond for the server's host, from the folder of this page. */
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

/** Begins anew from the seed, under these readings. */
export function restart(chosen: ChosenReadings): void {
  server.value = newServer(chosen);
  readings.value = chosen;
  keyScopes.value = scopes;
  keyState.value = "valid";
  worker?.resetHandlers(...mswHandlers(server.value));
  noteChange();
}

/** Switches one gap from now on; what the seed decides stays until a restart. */
export function chooseReading<Gap extends keyof MockReadings>(gap: Gap, reading: MockReadings[Gap]): void {
  readings.value = { ...readings.value, [gap]: reading };
  server.value.switchReadings({ [gap]: reading });
  noteChange();
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
  key.scopes = keyScopes.value;
  key.revoked = keyState.value === "revoked";
  if (keyState.value === "expired") key.expiresAt = range.from;
  else delete key.expiresAt;
  noteChange();
}

/** Takes back every fault; data, readings and key stay. The server has no other way than to begin a new journal. */
export function withdrawFaults(): void {
  const before = server.value.snapshot();
  server.value.reset();
  server.value.restore(before);
  server.value.switchReadings(readings.value);
  applyKey();
}
