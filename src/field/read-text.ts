import { ByteCollector } from "../wire/byte-collector.ts";

/** The largest body that is read, in bytes. Redacting and comparing a larger one would take seconds. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** Reads the body of a response as text; `undefined` if it was cut off or is too large. */
export async function readText({ body }: Response): Promise<string | undefined> {
  const bytes = new ByteCollector();
  const reader = body?.getReader();
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) return new TextDecoder().decode(bytes.take());
      bytes.add(value as Uint8Array); // a chunk of a body
      if (bytes.size > MAX_LENGTH) break;
    }
  } catch {
    return undefined;
  }
  void reader?.cancel().catch(() => {}); // of a clone it waits for the other copy
  return undefined;
}
