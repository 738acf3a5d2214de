declare module "virtual:operations" {
  import type { Operation } from "../build/operation.ts";

  export const operations: readonly Operation[];
}

declare module "virtual:guides" {
  /** The guides that the page links to. */
  export const guides: readonly { file: string; title: string }[];
}
