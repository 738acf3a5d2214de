import type { OverrideMatcher, PendingOverride, ReferenceServer } from "shelfleet/mock";
import { literal } from "../literal.ts";

/** One declaration of `ref.on`: its effect, its requests and how often it applies. */
export type FaultPlan = Omit<PendingOverride, "id" | "matcher"> & { matcher?: FaultMatcher };

/** A matcher that is JSON. */
export type FaultMatcher = Pick<OverrideMatcher, "path" | "query" | "headers" | "body">;

/** Declares a fault. Throws the error of the server if it is invalid. */
export function applyPlan(server: ReferenceServer, plan: FaultPlan): void {
  const { operation, matcher, effect, remaining, skip, rate } = plan;
  const override = server.on(operation, matcher);
  switch (effect.type) {
    case "response": {
      const { type: _, ...response } = effect;
      override.always(response);
      break;
    }
    case "delay":
      override.delay(effect.delay);
      break;
    case "fault":
      override.fault(effect.fault, effect.at === undefined ? {} : { at: effect.at });
      break;
    case "paging":
      override.paging(effect.paging);
      break;
    case "write":
    case "change":
      throw new Error(`The playground cannot declare the effect "${effect.type}" again`);
  }
  if (remaining !== null) override.times(remaining);
  if (rate !== 1) override.rate(rate);
  if (skip !== 0) override.skip(skip);
}

/** A fault as code. */
export function planCode(plan: FaultPlan | PendingOverride): string {
  const { operation, matcher, effect, remaining, skip, rate } = plan;
  const isOnce = effect.type === "response" && remaining === 1;
  const target = [operation, ...(matcher === undefined ? [] : [matcher])].map((part) => literal(part));
  const refinements = [
    ...(remaining === null || isOnce ? [] : [`.times(${remaining})`]),
    ...(rate === 1 ? [] : [`.rate(${rate})`]),
    ...(skip === 0 ? [] : [`.skip(${skip})`]),
  ];
  return `ref.on(${target.join(", ")}).${effectCode(effect, isOnce)}${refinements.join("")};`;
}

function effectCode(effect: FaultPlan["effect"], isOnce: boolean): string {
  switch (effect.type) {
    case "response": {
      const { type: _, ...response } = effect;
      return `${isOnce ? "once" : "always"}(${literal(response)})`;
    }
    case "delay":
      return `delay(${literal(effect.delay)})`;
    case "fault":
      return `fault(${literal(effect.fault)}${effect.at === undefined ? "" : `, ${literal({ at: effect.at })}`})`;
    case "paging":
      return `paging(${literal(effect.paging)})`;
    case "write":
      return `write(${literal(effect.write)})`;
    case "change":
      return "change(…)";
  }
}

/** Describes the requests that a fault still applies to. */
export function planScope({ remaining, skip, rate }: PendingOverride): string {
  const requests =
    remaining === null
      ? "every request"
      : `the next ${remaining === 1 ? "request" : `${remaining} requests`}`;
  const chance = rate === 1 ? "" : `, each with a probability of ${rate}`;
  const skipped = skip === 0 ? "" : `, after skipping ${skip === 1 ? "1 request" : `${skip} requests`}`;
  return `Applies to ${requests}${skipped}${chance}.`;
}
