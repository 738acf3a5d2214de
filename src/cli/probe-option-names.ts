/** The flag or the environment variable of each option of `probe` that an error can name. */
const NAMES: Readonly<Record<string, string>> = {
  storeUrl: "--store-url",
  fleetUrl: "--fleet-url",
  sandboxUrl: "--sandbox-url",
  scratchStore: "--scratch-store",
  createScratchStore: "--create-scratch-store",
  allowInsecure: "--allow-insecure",
  write: "--write",
  token: "SHELFLEET_TOKEN",
  key: "SHELFLEET_KEY",
  sandboxKey: "SHELFLEET_SANDBOX_KEY",
  narrowKeys: "SHELFLEET_NARROW_KEYS",
};

/** An option at the beginning of a message or after these words; other words of a message are not options. */
const OPTION = /(?<=^|(?:\bneeds|\bexpected|\bor|\ba|\bwith|,) )[a-z]+(?:[A-Z][a-z]+)*\b(?!["-])/g;

/** Replaces the names of options in an error of `probe` with those of the command line. */
export function nameProbeFlags(message: string): string {
  return message.replaceAll(OPTION, (name) => (Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : name));
}
