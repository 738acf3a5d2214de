import { isHeaderName, isHeaderValue } from "../wire/header.ts";
import { isObject } from "../wire/json.ts";
import { hasMethods, requireValue } from "./option-rules.ts";
import type { CallOptions } from "./options.ts";

/** Headers that the client or the connection sets: with a wrong one the service waits for a body that never ends. */
const reserved = new Set(["authorization", "content-length", "transfer-encoding", "connection", "host"]);

/** Validates additional headers and returns them with lower-case names; the last one of a name counts. Messages quote no value. */
export function checkHeaders(...given: readonly CallOptions["headers"][]): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const headers of given) {
    if (headers === undefined) continue;
    requireValue("headers must be an object of names and values, or Headers", isObject(headers));
    const entries = hasMethods(headers, "entries", "get")
      ? [...(headers as Headers).entries()]
      : Object.entries(headers as Record<string, string | undefined>);
    for (const [mixed, value] of entries) {
      if (value === undefined) continue;
      const name = mixed.toLowerCase();
      requireValue(`headers: ${name} is set by the client`, !reserved.has(name));
      const isSendable = isHeaderName(name) && typeof value === "string" && isHeaderValue(value);
      requireValue(`headers: ${JSON.stringify(name)} or its value cannot be sent`, isSendable);
      checked[name] = value;
    }
  }
  return checked;
}
