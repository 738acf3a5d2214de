import { fileURLToPath } from "node:url";
import { installLocked } from "../package/packed.ts";

/** Vitest calls this before the tests. */
export function setup(): void {
  installLocked(fileURLToPath(new URL(".", import.meta.url)));
}
