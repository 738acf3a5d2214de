/** A request to an operation of the control API that succeeds on a new server with an override. */
export interface ControlSample {
  /** The path with its parameters and query. */
  readonly path: string;
  readonly body?: unknown;
}

const key = `acme_${"7".repeat(64)}`;

/** The secrets in the samples. */
export const sampleSecrets = ["token-of-a-sample", key];

/** Samples of every operation. The first sample of each operation succeeds. */
export const controlSamples: Readonly<Record<string, readonly ControlSample[]>> = {
  getHealth: [{ path: "/health" }],
  reset: [{ path: "/reset", body: {} }, { path: "/reset" }],
  getClock: [{ path: "/clock" }],
  moveClock: [
    { path: "/clock", body: { set: "2030-01-01T00:00:00Z" } },
    { path: "/clock", body: { advance: { days: 1, hours: -1, minutes: 0.5 } } },
  ],
  getReadings: [{ path: "/readings" }],
  switchReadings: [{ path: "/readings", body: { "stores.omitted-fields": "reset" } }],
  getLimits: [{ path: "/limits" }],
  switchLimits: [
    { path: "/limits", body: { perSecond: 1000, burst: 2000, retryAfter: "date" } },
    { path: "/limits", body: {} },
  ],
  exportState: [{ path: "/state" }, { path: "/state?full=true" }],
  importState: [{ path: "/state", body: { version: 1, now: "2029-01-01T00:00:00Z" } }],
  seed: [
    { path: "/seed", body: { store: { stores: 3 }, fleet: { vehicles: 2 } } },
    { path: "/seed", body: { seed: 7, store: { stores: [{ externalId: "K-1", name: "Kiosk" }] } } },
  ],
  getJournal: [{ path: "/journal" }, { path: "/journal?operation=getStore&status=200&last=1" }],
  clearJournal: [{ path: "/journal" }],
  findRequests: [
    { path: "/journal/find", body: { operation: "getStore", path: { externalId: "S-1" }, status: 200 } },
    { path: "/journal/find", body: {} },
  ],
  expectRequests: [
    {
      path: "/journal/expect",
      body: { operation: "listStores", query: { limit: "0" }, status: 400, times: 1 },
    },
  ],
  listOverrides: [{ path: "/overrides" }],
  addOverride: [
    {
      path: "/overrides",
      body: {
        operation: "getStore",
        matcher: { path: { externalId: "S-2" }, headers: { "x-test": null } },
        response: { status: 503, body: { down: true }, headers: { "retry-after": "1" } },
        times: 2,
        rate: 0.5,
        skip: 1,
      },
    },
    { path: "/overrides", body: { operation: "*", delay: { min: 0, max: 1 } } },
    { path: "/overrides", body: { operation: "*", delay: { min: 1, max: 5 } } },
    {
      path: "/overrides",
      body: { operation: "*", delay: 1, matcher: { query: { limit: 5 }, body: { a: 1 } } },
    },
    { path: "/overrides", body: { operation: "putStore", fault: "reset", at: "after" } },
    { path: "/overrides", body: { operation: "listStores", paging: "cycle" } },
  ],
  clearOverrides: [{ path: "/overrides" }],
  getOverride: [{ path: "/overrides/1" }],
  removeOverride: [{ path: "/overrides/1" }],
  listCredentials: [{ path: "/credentials" }],
  addToken: [
    { path: "/credentials/tokens", body: { token: "token-of-a-sample", expiresAt: "2040-01-01T00:00:00Z" } },
    { path: "/credentials/tokens" },
  ],
  addKey: [
    { path: "/credentials/keys", body: { key, scopes: ["vehicles:read"] } },
    { path: "/credentials/keys", body: { environment: "sandbox" } },
  ],
  revokeCredential: [{ path: "/credentials/key-1/revoke" }],
  expireCredential: [
    { path: "/credentials/token-1/expire" },
    { path: "/credentials/key-1/expire", body: { at: "2040-01-01T00:00:00Z" } },
  ],
};
