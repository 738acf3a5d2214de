import { messageOf } from "../../wire/thrown.ts";
import type { ReferenceServer } from "../index.ts";
import { Refusal } from "../server/exchange.ts";

/** A request to a route. The reference server checks what it is given, so that the body has the type that it asks for. */
interface ControlRequest {
  readonly ref: ReferenceServer;
  readonly body: never;
  /** The path parameter. */
  readonly id: string;
}

/** One operation of the control API; `run` returns the body of its response, or nothing for 204. */
export type ControlRoute = readonly [summary: string, run: (request: ControlRequest) => unknown];

/** The routes by method and path below `/__ref`. `specs/control.openapi.yaml` describes them. */
export const controlRoutes: Readonly<Record<string, ControlRoute>> = {
  "GET /health": ["responds as soon as the server is ready, without a token", () => ({ status: "ok" })],
  "POST /reset": ["resets everything to the start", ({ ref }) => ref.reset()],
  "GET /state": ["returns the data as JSON", ({ ref }) => ref.exportState()],
  "PUT /state": ["replaces the data", ({ ref, body }) => ref.importState(body)],
  "GET /journal": [
    "returns the requests and the contract violations",
    ({ ref: { journal } }) => ({
      requests: journal.all(),
      violations: journal.violations(),
    }),
  ],
  "DELETE /journal": ["removes all requests", ({ ref }) => ref.journal.clear()],
  "POST /journal/find": [
    "returns the requests that match",
    ({ ref, body }) => ({
      requests: ref.journal.find(body),
    }),
  ],
  "POST /journal/expect": [
    "returns the requests that match, or 409 if none does or not exactly `times`",
    expectRequests,
  ],
  "GET /overrides": ["returns the active overrides", ({ ref }) => ({ overrides: ref.overrides.all() })],
  "POST /overrides": [
    "declares an override, and returns it",
    ({ ref: { overrides }, body }) => overrides.get(overrides.declare(body)),
  ],
  "DELETE /overrides": ["removes all overrides", ({ ref }) => ref.overrides.clear()],
  "DELETE /overrides/{id}": ["removes an override", removeOverride],
  "GET /clock": ["returns the time", ({ ref }) => ({ now: ref.clock.now().toISOString() })],
  "PUT /clock": ["sets the time", ({ ref, body }) => ref.clock.set((body as { now: string }).now)],
  "POST /clock/advance": ["moves the time", ({ ref, body }) => ref.clock.advance(body)],
  "GET /readings": ["returns the readings in force", ({ ref }) => ref.readings],
  "POST /readings": ["switches readings", ({ ref, body }) => ref.switchReadings(body)],
  "GET /limits": ["returns the rate limits", ({ ref }) => ref.limits],
  "PUT /limits": ["limits the rate of requests", ({ ref, body }) => ref.switchLimits(body)],
  "GET /credentials": [
    "returns tokens and keys without their secrets",
    ({ ref }) => ({
      credentials: ref.credentials.list(),
    }),
  ],
  "POST /credentials/tokens": ["adds a token", ({ ref, body }) => ref.credentials.addToken(body)],
  "POST /credentials/keys": ["adds a key", ({ ref, body }) => ref.credentials.addKey(body)],
  "POST /credentials/{id}/revoke": ["revokes a token or key", ({ ref, id }) => ref.credentials.revoke(id)],
  "POST /credentials/{id}/expire": [
    "lets a token or key expire, now or at a time",
    ({ ref, id, body }) => ref.credentials.expire(id, (body as { at?: string }).at),
  ],
};

/** Returns a line for each route. */
export function describeControl(): string {
  const lines = Object.entries(controlRoutes).map(([name, [summary]]) => `  ${name.padEnd(32)}${summary}`);
  return lines.join("\n");
}

/** Responds with 409 and the differences if the journal does not contain the expected requests. */
function expectRequests({ ref, body }: ControlRequest): object {
  const { times, ...matcher } = body as { times?: number };
  ref.journal.find(matcher); // an invalid matcher is a 400
  try {
    return { requests: ref.journal.expect(matcher, { times }) };
  } catch (error) {
    throw new Refusal(409, { message: messageOf(error) });
  }
}

function removeOverride({ ref, id }: ControlRequest): void {
  if (!ref.overrides.remove(Number(id)))
    throw new Refusal(404, { message: `No override with the ID "${id.slice(0, 40)}" is in force` });
}
