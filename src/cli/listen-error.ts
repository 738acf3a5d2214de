import { codeOf, messageOf } from "../wire/thrown.ts";
import { StartError } from "./output.ts";

/** Says why a server cannot listen, and which flag to change. */
export function listenError(error: unknown, port: number, host = "127.0.0.1"): StartError {
  return new StartError(reasonOf(error, port, host));
}

function reasonOf(error: unknown, port: number, host: string): string {
  const code = codeOf(error);
  if (code === "EADDRINUSE") return `port ${port} of ${host} is in use; choose another with --port`;
  if (code === "EACCES") return `port ${port} of ${host} needs more permissions; choose another with --port`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EADDRNOTAVAIL")
    return `${host} is not an address of this machine; see --host`;
  return `cannot listen on port ${port} of ${host}: ${messageOf(error)}`;
}
