import type { Consent } from "./gap.ts";
import type { ProbeOptions } from "./options.ts";

/** Returns the classes of experiments that options allow. */
export function allowedBy({
  odd = true,
  narrowKeys = [],
  write = false,
}: ProbeOptions): ReadonlySet<Consent> {
  const allowed: Consent[] = ["passive", "read"];
  if (odd) allowed.push("read-odd");
  if (narrowKeys.length > 0) allowed.push("keys");
  if (write) allowed.push("write");
  return new Set(allowed);
}
