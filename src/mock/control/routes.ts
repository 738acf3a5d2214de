import { namesOf, omitUndefined } from "../../wire/names.ts";
import { messageOf } from "../../wire/thrown.ts";
import type { OperationId, PendingOverride, ReferenceServer } from "../index.ts";

/** An error with its own status. All other errors of a route have the status 400. */
export class ControlError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** A request to a route. The reference server checks what it is given, so that the body has the type that it asks for. */
interface ControlRequest {
  readonly ref: ReferenceServer;
  readonly body: never;
  /** The path parameter. */
  readonly id: string;
}

/** One operation of the control API. It returns the body of its response, or nothing for 204. */
export interface ControlRoute {
  readonly summary: string;
  readonly run: (request: ControlRequest) => unknown;
}

const route = (summary: string, run: ControlRoute["run"]): ControlRoute => ({ summary, run });

/** The routes by method and path below `/__ref`. `specs/control.openapi.yaml` describes them. */
export const controlRoutes: Readonly<Record<string, ControlRoute>> = {
  "GET /health": route("responds as soon as the server is ready, without a token", () => ({ status: "ok" })),
  "POST /reset": route("resets everything to the seed, or the data to an imported state", ({ ref, body }) =>
    ref.reset(body),
  ),
  "GET /state": route("returns the data as JSON", ({ ref }) => ref.exportState()),
  "PUT /state": route("replaces the data", ({ ref, body }) => ref.importState(body)),
  "GET /journal": route("returns the requests and the contract violations", ({ ref: { journal } }) => ({
    requests: journal.all(),
    violations: journal.violations(),
  })),
  "DELETE /journal": route("removes all requests", ({ ref }) => ref.journal.clear()),
  "POST /journal/find": route("returns the requests that match", ({ ref, body }) => ({
    requests: ref.journal.find(body),
  })),
  "POST /journal/expect": route(
    "returns the requests that match, or 409 if none does or not exactly `times`",
    expectRequests,
  ),
  "GET /overrides": route("returns the active overrides", ({ ref }) => ({ overrides: ref.overrides.all() })),
  "POST /overrides": route("declares an override, and returns it", addOverride),
  "DELETE /overrides": route("removes all overrides", ({ ref }) => ref.overrides.clear()),
  "DELETE /overrides/{id}": route("removes an override", removeOverride),
  "GET /clock": route("returns the time", ({ ref }) => ({ now: ref.clock.now().toISOString() })),
  "PUT /clock": route("sets the time", ({ ref, body }) => ref.clock.set((body as { now: string }).now)),
  "POST /clock/advance": route("moves the time", ({ ref, body }) => ref.clock.advance(body)),
  "GET /readings": route("returns the readings in force", ({ ref }) => ref.readings),
  "POST /readings": route("switches readings", ({ ref, body }) => ref.switchReadings(body)),
  "GET /limits": route("returns the rate limits", ({ ref }) => ref.limits),
  "PUT /limits": route("limits the rate of requests", ({ ref, body }) => ref.switchLimits(body)),
  "GET /credentials": route("returns tokens and keys without their secrets", ({ ref }) => ({
    credentials: ref.credentials.list(),
  })),
  "POST /credentials/tokens": route("adds a token", ({ ref, body }) => ref.credentials.addToken(body)),
  "POST /credentials/keys": route("adds a key", ({ ref, body }) => ref.credentials.addKey(body)),
  "POST /credentials/{id}/revoke": route("revokes a token or key", ({ ref, id }) =>
    ref.credentials.revoke(id),
  ),
  "POST /credentials/{id}/expire": route(
    "lets a token or key expire, now or at a time",
    ({ ref, id, body }) => ref.credentials.expire(id, (body as { at?: string }).at),
  ),
};

/** Returns a line for each route. */
export function describeControl(): string {
  const lines = Object.entries(controlRoutes).map(([name, { summary }]) => `  ${name.padEnd(32)}${summary}`);
  return lines.join("\n");
}

/** Responds with 409 and the differences if the journal does not contain the expected requests. */
function expectRequests({ ref, body }: ControlRequest): object {
  const { times, ...matcher } = body as { times?: number };
  ref.journal.find(matcher); // an invalid matcher is a 400
  try {
    return { requests: ref.journal.expect(matcher, { times }) };
  } catch (error) {
    throw new ControlError(409, messageOf(error));
  }
}

/** The methods of `ref.on` by the properties of an override: its effect, then what refines it. */
const methods = {
  response: "always",
  fault: "fault",
  delay: "delay",
  paging: "paging",
  skip: "skip",
  rate: "rate",
  times: "times",
} as const;

/** Declares an override. Nothing is declared if a property is invalid. */
function addOverride({ ref, body }: ControlRequest): PendingOverride | undefined {
  const { operation, matcher, at, bytesPerSecond, ...given } = body as Record<string, unknown>;
  const options = omitUndefined({ at, bytesPerSecond });
  const override = ref.on(String(operation) as OperationId, matcher as object | undefined); // it checks both
  try {
    for (const name of namesOf(methods))
      if (given[name] !== undefined) override[methods[name]](given[name] as never, options as never); // as above
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(methods, name));
    if (unknown !== undefined) throw new Error(`Unknown property "${unknown}" of an override`);
    const [id = 0, second] = override.ids;
    if (id === 0 || second !== undefined)
      throw new Error("An override must have exactly one of response, fault, delay, paging");
    return ref.overrides.get(id);
  } catch (error) {
    override.remove();
    throw error;
  }
}

function removeOverride({ ref, id }: ControlRequest): void {
  if (!ref.overrides.remove(Number(id)))
    throw new ControlError(404, `No override with the ID "${id.slice(0, 40)}" is in force`);
}
