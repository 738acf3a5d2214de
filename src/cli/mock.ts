import { setTimeout as pause } from "node:timers/promises";
import type { ReferenceServer } from "../mock/index.ts";
import { type ServedReference, listen } from "../mock/adapters/node/serve.ts";
import type { MockSettings } from "./command-line.ts";
import { CONTROL_PATH, controlApi } from "../mock/control/control-api.ts";
import { StartError } from "./failure.ts";
import { introduction } from "./introduction.ts";
import { Output } from "./output.ts";
import { referenceServer } from "./reference-server.ts";
import { RequestLog } from "./request-log.ts";

/** Milliseconds that answers under way and unread lines have once the program is to end. */
const FAREWELL = 2_000;

/** Runs the reference server until the program is told to end. */
export async function runMock(settings: MockSettings): Promise<void> {
  const ended = interruption();
  const ref = referenceServer(settings);
  const output = new Output(process.stdout);
  const served = await listening(ref, settings, new RequestLog(output, settings.json, ref));
  const control = settings.control ? originOf(served) + CONTROL_PATH : undefined;
  for (const line of introduction({ ref, served, control, json: settings.json })) output.line(line);
  await ended;
  await Promise.race([served.close().then(() => output.end()), pause(FAREWELL)]);
  process.exit(0);
}

/** Resolves with the first SIGINT or SIGTERM; npx may hand on a second one, which changes nothing. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve());
  });
}

function originOf({ storeUrl }: ServedReference): string {
  return new URL(storeUrl).origin;
}

async function listening(
  ref: ReferenceServer,
  { port, host, cors, control }: MockSettings,
  log: RequestLog,
): Promise<ServedReference> {
  const place = host === undefined ? { port } : { port, host };
  const onOutcome = log.add.bind(log);
  try {
    return await listen(
      ref,
      place,
      control ? { cors, onOutcome, intercept: controlApi(ref) } : { cors, onOutcome },
    );
  } catch (error) {
    throw new StartError(listenFault(error as NodeJS.ErrnoException, port, host)); // net throws nothing else
  }
}

function listenFault({ code, message }: NodeJS.ErrnoException, port: number, host = "127.0.0.1"): string {
  if (code === "EADDRINUSE") return `port ${port} of ${host} is in use; --port takes another`;
  if (code === "EACCES") return `port ${port} of ${host} needs more rights; --port takes another`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EADDRNOTAVAIL")
    return `this machine has no address ${host}; see --host`;
  return `cannot listen on port ${port} of ${host}: ${message}`;
}
