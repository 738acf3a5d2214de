import { setTimeout as pause } from "node:timers/promises";
import { HEALTH_PATH } from "../mock/control/routes.ts";
import { StartError } from "./output.ts";

/** The wait between two requests, in milliseconds. */
const PAUSE = 100;

/**
 * Resolves when the reference server at a URL responds.
 *
 * @throws {StartError} if it does not respond in time
 */
export async function waitForServer(url: URL, seconds: number): Promise<void> {
  const health = new URL(HEALTH_PATH, url.origin);
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const remaining = deadline - performance.now();
    if (await isHealthy(health, Math.max(Math.ceil(remaining), 1))) return;
    if (remaining <= PAUSE)
      throw new StartError(`no reference server responded at ${url.origin} within ${seconds} s`);
    await pause(PAUSE);
  }
}

async function isHealthy(health: URL, milliseconds: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(milliseconds);
    const response = await fetch(health, { signal, redirect: "manual", headers: { connection: "close" } });
    await response.body?.cancel(); // an unread body keeps the process alive
    return response.status === 200;
  } catch {
    return false; // no server listens yet
  }
}
