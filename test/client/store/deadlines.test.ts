import { describe, expect, it } from "vitest";
import { socketServer } from "../core/socket-server.ts";
import { socketClient } from "./socket-client.ts";
import { stubClient } from "./stub-client.ts";

const reasons = [new Error("mine"), "text", 5, null, new DOMException("stop", "AbortError")];

describe("an abort by the caller rejects with the signal's reason", () => {
  it.each(reasons)("before anything is sent: %j", async (reason) => {
    const { client, sent } = stubClient();
    const signal = AbortSignal.abort(reason);
    await expect(client.stores.get("S", { signal })).rejects.toBe(reason);
    await expect(client.stores.upsert("S", {}, { signal })).rejects.toBe(reason);
    await expect(client.stores.list({}, { signal })).rejects.toBe(reason);
    await expect(client.stores.list({}, { signal }).take(1)).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  it("within the body, and closes the connection", async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const { url } = await socketServer((_, response) => {
      closed = new Promise((resolve) => response.on("close", resolve));
      response.writeHead(200).write("{");
      setTimeout(() => controller.abort("enough"), 5);
    });
    await expect(socketClient(url).stores.get("S", { signal: controller.signal })).rejects.toBe("enough");
    await closed;
  });
});
