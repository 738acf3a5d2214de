import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Limiter } from "shelfleet";

/** The longest pause, in ms: after it, a request finds out whether the service accepts requests again. */
const longestPause = 900_000;

/** The pause after a 429 that names none, in ms. */
const defaultPause = 5_000;

/**
 * Takes the next slot and returns the time until then, in ms. The clock is that of Redis, because those of the machines
 * may differ. KEYS: pause, slot. ARGV: the ms between two slots.
 */
const takeSlot = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local first = now + math.max(redis.call('PTTL', KEYS[1]), 0)
local slot = math.max(first, tonumber(redis.call('GET', KEYS[2]) or 0))
redis.call('SET', KEYS[2], string.format('%.3f', slot + ARGV[1]), 'PX', math.ceil(slot - now + ARGV[1]) + 1000)
return math.ceil(slot - now)`;

/** Begins a pause, unless there is a longer one. KEYS: pause. ARGV: ms. */
const pauseAll = `
if tonumber(ARGV[1]) > redis.call('PTTL', KEYS[1]) then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end`;

/** A rate limit of all workers together. A 429 that one of them receives pauses all. */
export function sharedLimit(redis: Redis, prefix: string, perSecond: number): Limiter {
  const [pause, slot] = [`${prefix}:pause`, `${prefix}:slot`];
  return {
    acquire: async (_request, signal) => {
      const ms = Number(await redis.eval(takeSlot, 2, pause, slot, 1000 / perSecond));
      if (ms > 0) await sleep(ms, undefined, { signal });
      // a pause that has begun during this wait
      const rest = await redis.pttl(pause);
      if (rest > 0) await sleep(rest, undefined, { signal });
    },
    onThrottled: (retryAfter = defaultPause) => {
      const ms = Math.min(Math.ceil(retryAfter), longestPause);
      // without Redis the pause is lost, and the next 429 begins another one
      if (ms > 0) void redis.eval(pauseAll, 1, pause, ms).catch(() => {});
    },
  };
}
