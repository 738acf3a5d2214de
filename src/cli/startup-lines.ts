import type { StartupInfo } from "../mock/control/startup-info.ts";

/** Returns the first lines of the output: addresses, token and keys; a single line as JSON. */
export function startupLines(info: StartupInfo, json: boolean): string[] {
  if (json) return [JSON.stringify(info)];
  const { storeUrl, fleetUrl, sandboxUrl, controlUrl, controlToken, token, keys } = info;
  const keyRows = (environment: string) =>
    keys.filter((key) => key.environment === environment).map(({ key }) => ["key", key]);
  const rows = [
    ["store API", storeUrl],
    ["token", token],
    ["fleet API", fleetUrl],
    ...keyRows("production"),
    ["fleet API, sandbox", sandboxUrl],
    ...keyRows("sandbox"),
    ...(controlUrl === undefined ? [] : [["control", controlUrl]]),
    ...(controlToken === undefined ? [] : [["control token", controlToken]]),
  ];
  return rows.map(([name, value]) => `${name?.padEnd(20)}${value}`);
}
