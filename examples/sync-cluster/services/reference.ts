import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { demo } from "../settings.ts";
import { type Service, stopProgram } from "./program.ts";

export interface ReferenceSettings {
  /** 0: a free port. */
  port: number;
  token: string;
  stores: number;
  /** Default: three to six. */
  protocolsPerStore?: number;
  /** The delay of each response in ms. */
  delay: number;
}

/** The reference server in a separate process. */
export async function startReference(settings: Omit<ReferenceSettings, "token">): Promise<Service> {
  const program = fileURLToPath(new URL("reference-server.ts", import.meta.url));
  const child = fork(program, [JSON.stringify({ ...settings, token: demo.token })]);
  // its URL, or its exit code if it does not start
  const [url] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [unknown];
  if (typeof url !== "string") throw new Error(`the reference server ended with ${String(url)}`);
  return { url, stop: () => stopProgram(child, "SIGTERM") };
}
