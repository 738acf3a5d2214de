import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { isObject } from "../../../wire/json.ts";

const NAMES: ReadonlySet<string> = new Set(["photoUrl", "fileUrl", "instructionImageUrl"]);

/** Returns a handler whose responses have the URLs of files in the form of a reading. gap fleet.file-urls */
export function withFileUrls(handler: FleetHandler): FleetHandler {
  const run: FleetHandler["run"] = (context) => {
    const response = handler.run(context);
    if (context.readings["fleet.file-urls"] === "lasting" || !isObject(response.body)) return response;
    const { data, ...rest } = response.body;
    return { ...response, body: { data: changeUrls(data, urlChanger(context)), ...rest } };
  };
  return { ...handler, run };
}

function urlChanger({ readings, ids }: FleetContext): (url: URL) => string {
  if (readings["fleet.file-urls"] === "with-key") return (url) => `/files${url.pathname}`;
  const signature = ids.uuid();
  return (url) => {
    url.searchParams.set("signature", signature);
    return url.href;
  };
}

function changeUrls(value: unknown, change: (url: URL) => string): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => changeUrls(element, change));
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([name, property]) => {
    const isUrl = NAMES.has(name) && typeof property === "string" && URL.canParse(property);
    return [name, isUrl ? change(new URL(property)) : changeUrls(property, change)];
  });
  return Object.fromEntries(changed) as JsonObject;
}
