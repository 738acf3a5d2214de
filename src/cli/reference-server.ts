import { readFileSync } from "node:fs";
import { scopes } from "../../generated/fleet.operations.ts";
import { serverWithRows } from "../compare/server.ts";
import { type ReferenceServer, type ReferenceServerOptions, createReferenceServer } from "../mock/index.ts";
import type { MockSettings } from "./command-line.ts";
import { randomKeys, randomSecret } from "./random-secrets.ts";
import { StartError } from "./failure.ts";
import { twinOf } from "./twin.ts";

/**
 * Creates the reference server that the command line describes.
 *
 * @throws {StartError}
 */
export function referenceServer(settings: MockSettings): ReferenceServer {
  const options = withTwin({ ...optionsOf(settings), ...readingsOf(settings.readings) }, settings.twin);
  try {
    if (settings.twin === undefined) return createReferenceServer(options);
    const { ref, leftOut } = serverWithRows(options);
    for (const reason of leftOut) console.error(`shelfleet: --twin ${settings.twin}: left out: ${reason}`);
    return ref;
  } catch (error) {
    throw new StartError(inFlags((error as Error).message)); // invalid options are an Error
  }
}

/** Adds what a log tells; flags take precedence. */
function withTwin(options: ReferenceServerOptions, path: string | undefined): ReferenceServerOptions {
  if (path === undefined) return options;
  const { readings, seed } = twinOf(path);
  return {
    ...options,
    readings: options.readings ?? readings,
    store: { ...seed.store, ...options.store },
    fleet: { ...seed.fleet, ...options.fleet },
  };
}

function optionsOf({
  seed,
  stores,
  protocols,
  vehicles,
  token,
  keys,
  now,
}: MockSettings): ReferenceServerOptions {
  return {
    now: now ?? "system",
    ...(seed !== undefined && { seed }),
    store: {
      ...(stores !== undefined && { stores }),
      ...(protocols !== undefined && { protocolsPerStore: protocols }),
      token: token ?? `ref-token-${randomSecret()}`,
    },
    fleet: {
      ...(vehicles !== undefined && { vehicles }),
      keys: (keys ?? randomKeys()).map((key) => ({ key, scopes: [...scopes] })),
    },
  };
}

function readingsOf(file: string | undefined): ReferenceServerOptions {
  if (file === undefined) return {};
  const readings = parsed(file, contentOf(file));
  if (typeof readings !== "object" || readings === null || Array.isArray(readings))
    throw new StartError(`--readings ${file}: must be a JSON object of gaps and their readings`);
  return { readings };
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `--readings ${file}: ${code === "ENOENT" ? "no such file" : `cannot be read (${code})`}`,
    );
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError(`--readings ${file}: not JSON`);
  }
}

/** Replaces the name of an option by its flag. */
function inFlags(message: string): string {
  return message
    .replace(/^store\.token\b/, "--token")
    .replace(/^fleet\.keys\[\d+\](\.key)?/, "--key")
    .replace(/^(now|readings):/, "--$1:")
    .replace("must be a Date or an ISO", "must be an ISO");
}
