import type { StartupInfo } from "../mock/control/startup-info.ts";
import type { HiddenSecrets } from "./mock-arguments.ts";

/**
 * Returns the first lines of the output: URLs, token and keys; with `--json` a single line. For a hidden secret a
 * line names its source; JSON has `null`.
 */
export function startupLines(info: StartupInfo, json: boolean, hidden: HiddenSecrets): string[] {
  if (json) return [JSON.stringify(omitHidden(info, hidden))];
  const { storeUrl, fleetUrl, sandboxUrl, controlUrl, controlToken, token, keys } = info;
  const keyRows = (environment: string) =>
    keys
      .filter((key) => key.environment === environment)
      .map(({ key }) => ["key", describeSecret(key, hidden.key)]);
  const rows = [
    ["store API", storeUrl],
    ["token", describeSecret(token, hidden.token)],
    ["fleet API", fleetUrl],
    ...keyRows("production"),
    ["fleet API, sandbox", sandboxUrl],
    ...keyRows("sandbox"),
    ...(controlUrl === undefined ? [] : [["control", controlUrl]]),
    ...(controlToken === undefined
      ? []
      : [["control token", describeSecret(controlToken, hidden.controlToken)]]),
  ];
  return rows.map(([name, value]) => `${name?.padEnd(20)}${value}`);
}

function describeSecret(secret: string, source: string | undefined): string {
  return source === undefined ? secret : `(from ${source})`;
}

function omitHidden(info: StartupInfo, hidden: HiddenSecrets): object {
  return {
    ...info,
    ...(hidden.token !== undefined && { token: null }),
    ...(hidden.key !== undefined && { keys: info.keys.map((key) => ({ ...key, key: null })) }),
    ...(hidden.controlToken !== undefined && info.controlToken !== undefined && { controlToken: null }),
  };
}
