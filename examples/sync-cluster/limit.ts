import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Limiter } from "../../src/index.ts";
import { describeError, QueueError } from "./failure.ts";

// The clocks of two machines differ, so only Redis measures time: a pause is a Redis key that expires.

/**
 * Returns the time until the next slot, in ms. KEYS: pause, slot. ARGV: ms between two requests; 1 if the caller has
 * waited for its slot. A caller whose wait was interrupted by a pause gets a new slot. After a pause, requests are
 * spaced by at least 5 ms.
 */
const acquireScript = `
local held = math.max(redis.call('PTTL', KEYS[1]), 0)
local interval = tonumber(ARGV[1])
if held == 0 and (interval == 0 or ARGV[2] == '1') then return 0 end
if held > 0 then interval = math.max(interval, 5) end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local slot = math.max(now + held, tonumber(redis.call('GET', KEYS[2]) or 0))
redis.call('SET', KEYS[2], string.format('%.3f', slot + interval), 'PX', math.ceil(slot - now + interval) + 1000)
return math.ceil(slot - now)`;

/**
 * Starts a pause and returns its ms. KEYS: pause, refusals. ARGV: ms, or -1 if the server did not say: then one
 * second, doubled each time. Responses to requests from before the pause do not extend it, unless they name a later end.
 */
const holdScript = `
local held = math.max(redis.call('PTTL', KEYS[1]), 0)
local wait = tonumber(ARGV[1])
if wait < 0 then
  if held > 0 then return 0 end
  wait = math.min(30000, 500 * 2 ^ redis.call('INCR', KEYS[2]))
  redis.call('PEXPIRE', KEYS[2], 120000)
end
if wait <= held then return 0 end
redis.call('SET', KEYS[1], 1, 'PX', wait)
return wait`;

/**
 * Returns the time in ms since the last response; starts the measurement if there was a response. KEYS: silence. ARGV:
 * lifetime in ms.
 */
const silenceScript = `
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1], 'NX')
return ARGV[1] - redis.call('PTTL', KEYS[1])`;

/** The longest pause in ms, 15 minutes: after it, a request finds out whether the service accepts requests again. */
const longestPause = 900_000;
/** The lifetime in ms of the record of silence. */
const longest = 86_400_000;

/** Marks an error of Redis, so that no store is blamed for it. */
async function ofQueue<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw new QueueError(`Redis: ${describeError(error)}`, { cause: error });
  }
}

type ScriptedRedis = Redis & {
  acquireSlot(pause: string, slot: string, interval: number, waited: number): Promise<number>;
  hold(pause: string, refusals: string, wait: number): Promise<number>;
  silence(silence: string, lifetime: number): Promise<number>;
};

/** The rate limit, the pause and the time since the last response, shared by all workers in Redis. */
export class SharedLimit implements Limiter {
  readonly #redis: ScriptedRedis;
  readonly #interval: number;
  readonly #keys: Record<"pause" | "slot" | "refusals" | "silence", string>;
  #nextResponse = 0;

  constructor(redis: Redis, prefix: string, rate: number) {
    redis.defineCommand("acquireSlot", { numberOfKeys: 2, lua: acquireScript });
    redis.defineCommand("hold", { numberOfKeys: 2, lua: holdScript });
    redis.defineCommand("silence", { numberOfKeys: 1, lua: silenceScript });
    this.#redis = redis as ScriptedRedis; // defined above
    this.#interval = rate === 0 ? 0 : 1000 / rate;
    const key = (name: string): string => `${prefix}:limit:${name}`;
    this.#keys = {
      pause: key("pause"),
      slot: key("slot"),
      refusals: key("refusals"),
      silence: key("silence"),
    };
  }

  /** Waits until a request may be sent. */
  readonly acquire = async (_request: unknown, signal: AbortSignal): Promise<void> => {
    const { pause, slot } = this.#keys;
    let waited = 0;
    for (;;) {
      signal.throwIfAborted();
      const wait = await ofQueue(this.#redis.acquireSlot(pause, slot, this.#interval, waited));
      if (wait <= 0) return;
      await sleep(wait, undefined, { signal });
      waited = 1;
    }
  };

  /** Pauses all workers after a response that throttled one of them. */
  readonly onThrottled = async (retryAfter?: number): Promise<void> => {
    await this.hold(retryAfter);
  };

  /** Pauses all workers for the time that the server named. Returns the ms of the new pause; 0 if it has ended. */
  async hold(retryAfter?: number): Promise<number> {
    const wait = retryAfter === undefined ? -1 : Math.min(Math.ceil(retryAfter), longestPause);
    return ofQueue(this.#redis.hold(this.#keys.pause, this.#keys.refusals, wait));
  }

  /** Returns the rest of the pause of all workers, in ms. */
  async paused(): Promise<number> {
    return Math.max(0, await ofQueue(this.#redis.pttl(this.#keys.pause)));
  }

  /** Records that the service responded, or resets the record. Written at most once a second. */
  async recordResponse(): Promise<void> {
    if (performance.now() < this.#nextResponse) return;
    this.#nextResponse = performance.now() + 1_000;
    await ofQueue(this.#redis.del(this.#keys.silence, this.#keys.refusals));
  }

  /** Returns the time in ms since the service last responded to any request. */
  async silence(): Promise<number> {
    return ofQueue(this.#redis.silence(this.#keys.silence, longest));
  }
}
