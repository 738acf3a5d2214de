import { ByteCollector } from "../wire/byte-collector.ts";

/** The largest body that is read, in bytes. Redacting and comparing a larger one would take seconds. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** Reads the body of a response as text; `undefined` if it was cut off or is too large. */
export async function readText({ body }: Response): Promise<string | undefined> {
  const bytes = new ByteCollector();
  try {
    for await (const chunk of body ?? []) {
      bytes.add(chunk);
      if (bytes.size > MAX_LENGTH) return undefined;
    }
  } catch {
    return undefined;
  }
  return new TextDecoder().decode(bytes.take());
}
