import type { FaultKind, FaultPlace, OperationId, ReferenceServer } from "../index.ts";

/** The members of a body; the reference server checks their values. */
export type Members = Readonly<Record<string, unknown>>;

/** One route of the control API. */
export type ControlRoute =
  | { method: "GET"; run(ref: ReferenceServer): unknown }
  | { method: "POST"; run(ref: ReferenceServer, members: Members): void };

/** The control API, by the name below `/__ref/`. */
export const controlRoutes: Readonly<Record<string, ControlRoute>> = {
  reset: {
    method: "POST",
    run(ref, members) {
      checkNames(members, []);
      ref.reset();
    },
  },
  journal: {
    method: "GET",
    run: ({ journal }) => ({
      requests: journal.all(),
      unmet: journal.unmet(),
      coverage: journal.coverage(),
    }),
  },
  faults: { method: "POST", run: addFault },
  clock: { method: "POST", run: moveClock },
  readings: {
    method: "POST",
    run: (ref, members) => ref.switchReadings(members),
  },
};

function addFault(ref: ReferenceServer, members: Members): void {
  checkNames(members, ["operation", "status", "fault", "at", "times"]);
  const { operation, status, fault, at, times } = members;
  if ((status === undefined) === (fault === undefined))
    throw new Error('the body needs either "status" or "fault"');
  if (at !== undefined && fault === undefined) throw new Error('"at" belongs to a fault');
  // checked first, because a rule without a count applies until the reset
  if (times !== undefined && !(Number.isSafeInteger(times) && (times as number) >= 1))
    throw new Error('"times" must be a positive integer');
  const override = ref.on(operation as OperationId);
  if (fault === undefined) override.always({ status: status as number });
  else override.fault(fault as FaultKind, at === undefined ? {} : { at: at as FaultPlace });
  if (times !== undefined) override.times(times as number);
}

function moveClock({ clock }: ReferenceServer, members: Members): void {
  checkNames(members, ["advance", "set"]);
  const { advance, set } = members;
  if ((advance === undefined) === (set === undefined))
    throw new Error('the body needs either "advance" or "set"');
  if (set !== undefined) {
    if (typeof set !== "string") throw new Error('"set" must be an ISO 8601 string');
    clock.set(set);
    return;
  }
  if (typeof advance !== "object" || advance === null)
    throw new Error('"advance" must be an object such as {"hours": 1}');
  clock.advance(advance);
}

function checkNames(members: Members, known: readonly string[]): void {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const names = known.length === 0 ? "Expected no members" : `Expected ${known.join(", ")}`;
  throw new Error(`Unknown member "${unknown}". ${names}`);
}
