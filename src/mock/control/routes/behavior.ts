import type { ReferenceServer } from "../../index.ts";
import { type UncheckedObject, assertNames, objectOf, stringOf, propertyError } from "../property-checks.ts";
import type { ControlRoutes } from "../route.ts";

export const behaviorRoutes: ControlRoutes = {
  "GET /health": () => ({ status: "ok" }),
  "GET /clock": ({ ref }) => ({ now: ref.clock.now().toISOString() }),
  "POST /clock": ({ ref, body }) => moveClock(ref, body),
  "GET /readings": ({ ref }) => ref.readings,
  "POST /readings": ({ ref, body }) => ref.switchReadings(readingsOf(body)), // it rejects unknown gaps and readings
  "GET /limits": ({ ref }) => ref.limits,
  "PUT /limits": ({ ref, body }) => ref.switchLimits(body), // it checks the values
};

/** Returns the readings by gap, also those of a whole readings file. */
function readingsOf(body: UncheckedObject): UncheckedObject {
  const isFile = Object.hasOwn(body, "version");
  if (isFile && body.version !== 1) throw propertyError("version", "1", body.version);
  const readings = isFile ? objectOf(body.readings, "readings") : body;
  for (const [gap, reading] of Object.entries(readings)) stringOf(reading, gap);
  return readings;
}

function moveClock({ clock }: ReferenceServer, body: UncheckedObject): void {
  assertNames(body, ["advance", "set"]);
  const { advance, set } = body;
  if ((advance === undefined) === (set === undefined))
    throw new Error('the body must have either "advance" or "set"');
  if (set === undefined) clock.advance(objectOf(advance, "advance"));
  else if (typeof set === "string") clock.set(set);
  else throw propertyError("set", "an ISO 8601 string", set);
}
