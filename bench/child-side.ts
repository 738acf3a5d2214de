import { inspect } from "node:util";

/** The other side of `Child`: reports that it is ready, then replies to each question. */
export function serveRequests(ready: unknown, reply: (question: unknown) => unknown): void {
  const respond = async (question: unknown): Promise<void> => {
    try {
      process.send?.({ value: await reply(question) });
    } catch (error) {
      process.send?.({ error: inspect(error) });
    }
  };
  process.on("message", (message: { question: unknown }) => void respond(message.question));
  process.on("disconnect", () => process.exit());
  process.send?.({ ready });
}

/** Reports an error and ends the process. */
export function giveUp(error: unknown): void {
  process.send?.({ error: inspect(error) }, () => process.exit(1));
}
