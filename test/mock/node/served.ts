import { onTestFinished } from "vitest";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../../src/mock/index.ts";
import { type ServeOptions, type ServedReference, serve } from "../../../src/mock/node.ts";

export interface Served extends ServedReference {
  ref: ReferenceServer;
  /** The arguments for a call of the store API. */
  headers: { authorization: string; "content-type": string };
}

/** A reference server on its own port, for the current test. */
export async function serveReference(
  options: ReferenceServerOptions = {},
  serveOptions: ServeOptions = {},
): Promise<Served> {
  const ref = createReferenceServer(options);
  const listening = await serve(ref, serveOptions);
  onTestFinished(() => listening.close());
  const headers = { authorization: `Bearer ${ref.token}`, "content-type": "application/json" };
  return { ...listening, ref, headers };
}
