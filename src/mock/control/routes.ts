import * as z from "zod/mini";
import { namesOf, omitUndefined } from "../../wire/names.ts";
import { messageOf } from "../../wire/thrown.ts";
import type { OperationId, PendingOverride, ReferenceServer } from "../index.ts";
import { parse } from "../server/schemas.ts";

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

/** The routes by method and path below `/__ref`. `specs/control.openapi.yaml` describes them. */
export const controlRoutes: Readonly<Record<string, ControlRoute>> = {
  "GET /health": {
    summary: "responds as soon as the server is ready, without a token",
    run: () => ({ status: "ok" }),
  },
  "POST /reset": {
    summary: "resets everything to the seed, or the data to an imported state",
    run: ({ ref, body }) => ref.reset(body),
  },
  "GET /state": { summary: "returns the data as JSON", run: ({ ref }) => ref.exportState() },
  "PUT /state": { summary: "replaces the data", run: ({ ref, body }) => ref.importState(body) },
  "GET /journal": {
    summary: "returns the requests and the contract violations",
    run: ({ ref }) => ({ requests: ref.journal.all(), violations: ref.journal.violations() }),
  },
  "DELETE /journal": { summary: "removes all requests", run: ({ ref }) => ref.journal.clear() },
  "POST /journal/find": {
    summary: "returns the requests that match",
    run: ({ ref, body }) => ({ requests: ref.journal.find(body) }),
  },
  "POST /journal/expect": {
    summary: "returns the requests that match, or 409 if none does or not exactly `times`",
    run: expectRequests,
  },
  "GET /overrides": {
    summary: "returns the active overrides",
    run: ({ ref }) => ({ overrides: ref.overrides.all() }),
  },
  "POST /overrides": { summary: "declares an override, and returns it", run: addOverride },
  "DELETE /overrides": { summary: "removes all overrides", run: ({ ref }) => ref.overrides.clear() },
  "DELETE /overrides/{id}": { summary: "removes an override", run: removeOverride },
  "GET /clock": { summary: "returns the time", run: ({ ref }) => ({ now: ref.clock.now().toISOString() }) },
  "PUT /clock": {
    summary: "sets the time",
    run: ({ ref, body }) => ref.clock.set((body as { now: string }).now),
  },
  "POST /clock/advance": { summary: "moves the time", run: ({ ref, body }) => ref.clock.advance(body) },
  "GET /readings": { summary: "returns the readings in force", run: ({ ref }) => ref.readings },
  "POST /readings": { summary: "switches readings", run: ({ ref, body }) => ref.switchReadings(body) },
  "GET /limits": { summary: "returns the rate limits", run: ({ ref }) => ref.limits },
  "PUT /limits": {
    summary: "limits the rate of requests",
    run: ({ ref, body }) => ref.switchLimits(body),
  },
  "GET /credentials": {
    summary: "returns tokens and keys without their secrets",
    run: ({ ref }) => ({ credentials: ref.credentials.list() }),
  },
  "POST /credentials/tokens": {
    summary: "adds a token",
    run: ({ ref, body }) => ref.credentials.addToken(body),
  },
  "POST /credentials/keys": { summary: "adds a key", run: ({ ref, body }) => ref.credentials.addKey(body) },
  "POST /credentials/{id}/revoke": {
    summary: "revokes a token or key",
    run: ({ ref, id }) => ref.credentials.revoke(id),
  },
  "POST /credentials/{id}/expire": {
    summary: "lets a token or key expire, now or at a time",
    run: ({ ref, id, body }) => ref.credentials.expire(id, (body as { at?: string }).at),
  },
};

/** Returns a line for each route. */
export function describeControl(): string {
  return Object.entries(controlRoutes)
    .map(([route, { summary }]) => {
      const [method = "", path = ""] = route.split(" ");
      return `  ${method.padEnd(7)}${path.padEnd(27)}${summary}`;
    })
    .join("\n");
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

/** The effects of an override, and the methods of `ref.on` that declare them. */
const effects = {
  response: "always",
  fault: "fault",
  delay: "delay",
  paging: "paging",
  write: "write",
} as const;

const refinements = ["skip", "rate", "times"] as const;

const anything = z.optional(z.unknown());

const overrideSchema = z
  .strictObject({
    operation: z.string(),
    matcher: anything,
    response: anything,
    fault: anything,
    delay: anything,
    paging: anything,
    write: anything,
    at: anything,
    bytesPerSecond: anything,
    skip: anything,
    rate: anything,
    times: anything,
  })
  .check(
    z.refine(
      (body) => namesOf(effects).filter((name) => body[name] !== undefined).length === 1,
      `must have exactly one of ${namesOf(effects).join(", ")}`,
    ),
  );

/** Declares an override. Nothing is declared if a property is invalid. */
function addOverride({ ref, body: given }: ControlRequest): PendingOverride | undefined {
  const body = parse(overrideSchema, given, "body");
  const options = omitUndefined({ at: body.at, bytesPerSecond: body.bytesPerSecond });
  const override = ref.on(body.operation as OperationId, body.matcher as object | undefined); // `on` checks both
  try {
    for (const name of namesOf(effects))
      if (body[name] !== undefined) override[effects[name]](body[name] as never, options as never); // it checks them
    for (const name of refinements) if (body[name] !== undefined) override[name](body[name] as never); // as above
  } catch (error) {
    override.remove();
    throw error;
  }
  const [id = 0] = override.ids;
  return ref.overrides.get(id);
}

function removeOverride({ ref, id }: ControlRequest): void {
  if (!ref.overrides.remove(Number(id)))
    throw new ControlError(404, `No override with the ID "${id.slice(0, 40)}" is in force`);
}
