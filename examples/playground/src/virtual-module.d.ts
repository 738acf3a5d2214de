declare module "virtual:operations" {
  import type { Operation } from "../build/operation.ts";

  export const operations: readonly Operation[];
}
