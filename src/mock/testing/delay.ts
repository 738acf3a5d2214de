import { describeValue } from "./check.ts";
import type { Random } from "../../wire/random.ts";

/**
 * The delay of a response in milliseconds: fixed, uniformly distributed between two bounds, or log-normally
 * distributed (half of the delays are shorter than `median`; a larger `sigma` makes long delays longer; `max`
 * limits them).
 */
export type Delay =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number; readonly max?: number };

/** The longest wait of a timer, in milliseconds. */
export const MAX_DELAY = 2_147_483_647;

/** Throws for a delay that timers do not support. */
export function validateDelay(delay: Delay): Delay {
  if (typeof delay === "number") return assertMilliseconds("delay", delay);
  if (typeof delay !== "object" || delay === null) {
    throw new Error(
      `delay must be milliseconds, { min, max } or { median, sigma }, not ${describeValue(delay)}`,
    );
  }
  return "min" in delay ? validateRange(delay) : validateLogNormal(delay);
}

function validateRange({ min, max, ...others }: { min: number; max: number }): Delay {
  assertNoMore(others, "{ min, max }");
  assertMilliseconds("delay.min", min);
  assertMilliseconds("delay.max", max);
  if (min > max) throw new Error(`delay.min must be at most delay.max, not ${min} and ${max}`);
  return { min, max };
}

function validateLogNormal({
  median,
  sigma,
  max = MAX_DELAY,
  ...others
}: {
  median: number;
  sigma: number;
  max?: number;
}): Delay {
  assertNoMore(others, "{ median, sigma, max? }");
  assertMilliseconds("delay.median", median);
  assertMilliseconds("delay.max", max);
  if (!(Number.isFinite(sigma) && sigma >= 0))
    throw new Error(`delay.sigma must be a non-negative number, not ${describeValue(sigma)}`);
  return { median, sigma, max };
}

function assertMilliseconds(place: string, ms: number): number {
  if (Number.isFinite(ms) && ms >= 0 && ms <= MAX_DELAY) return ms;
  throw new Error(
    `${place} must be a non-negative number of milliseconds up to ${MAX_DELAY}, not ${describeValue(ms)}`,
  );
}

function assertNoMore(others: object, expected: string): void {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new Error(`Unknown property "${unknown}" of a delay. Expected a number or ${expected}`);
}

/** Returns the wait of one response. */
export function drawDelay(delay: Delay, random: Random): number {
  if (typeof delay === "number") return delay;
  if ("min" in delay) return Math.round(delay.min + (delay.max - delay.min) * random.fraction());
  const { median, sigma, max = MAX_DELAY } = delay;
  return Math.min(Math.round(median * Math.exp(sigma * normal(random))), max);
}

/** A number of the standard normal distribution, by the method of Box and Muller. */
function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.fraction()));
  return radius * Math.cos(2 * Math.PI * random.fraction());
}
