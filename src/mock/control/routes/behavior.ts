import type { ReferenceServer } from "../../index.ts";
import { type UncheckedObject, assertNames, objectOf, stringOf, propertyError } from "../property-checks.ts";
import { type ControlRoute, NO_CONTENT, ok } from "../route.ts";

export const behaviorRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "health", query: [], run: () => ok({ status: "ok" }) },
  { method: "GET", path: "clock", run: ({ ref }) => ok({ now: ref.clock.now().toISOString() }) },
  {
    method: "POST",
    path: "clock",
    run({ ref, body }) {
      moveClock(ref, body);
      return NO_CONTENT;
    },
  },
  { method: "GET", path: "readings", run: ({ ref }) => ok(ref.readings) },
  {
    method: "POST",
    path: "readings",
    run({ ref, body }) {
      ref.switchReadings(readingsOf(body)); // it rejects unknown gaps and readings
      return NO_CONTENT;
    },
  },
  { method: "GET", path: "limits", run: ({ ref }) => ok(ref.limits) },
  {
    method: "PUT",
    path: "limits",
    run({ ref, body }) {
      ref.switchLimits(body); // it checks the values
      return NO_CONTENT;
    },
  },
];

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
