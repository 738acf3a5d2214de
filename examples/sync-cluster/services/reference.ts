import { fileURLToPath } from "node:url";
import { demo } from "../settings.ts";
import { type Service, startProgram, stopProgram } from "./program.ts";

export interface ReferenceSettings {
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
  const { port } = settings;
  const program = fileURLToPath(new URL("reference-server.ts", import.meta.url));
  const argument = JSON.stringify({ ...settings, token: demo.token });
  const child = await startProgram(process.execPath, [program, argument], port);
  return { url: `http://127.0.0.1:${port}`, stop: () => stopProgram(child, "SIGTERM") };
}
