// Finding 7: custom headers followed a redirect to another origin; reads followed one to an internal address.
import { describe, expect, it } from "vitest";
import { everything } from "../../secrets/forms.ts";
import { serveAttack, clientOf, rejection, token } from "./attack.ts";

describe("a redirect", () => {
  it("to another origin carries neither the token nor a custom header, from a hook or an option", async () => {
    const other = await serveAttack((_, response) => response.end('{"storeId":"1"}'));
    const home = await serveAttack((_, response) =>
      response.writeHead(302, { location: `${other.url}/there` }).end(),
    );
    const client = clientOf({
      baseUrl: home.url,
      headers: { "x-api-key": "own-secret", cookie: "a=b" },
      hooks: {
        onSend: ({ headers }) => {
          headers.traceparent = "00-1";
        },
      },
    });
    await client.stores.get("S", { headers: { "x-call": "own" } });
    const names = Object.keys(other.requests[0]?.headers ?? {});
    expect(names).toEqual(expect.arrayContaining(["accept", "host"]));
    expect(names.filter((name) => /auth|cookie|^x-|trace/.test(name))).toEqual([]);
    expect(JSON.stringify(home.requests[0]?.rawHeaders)).toContain(token.slice(0, 8));
  });

  it("with a password is not followed, and its error does not show the password", async () => {
    const location = "https://user:p4ssw0rd@stores.example.com/v1/stores";
    const fetch = async () => new Response(null, { status: 302, headers: { location } });
    const error = await rejection(clientOf({ fetch, retry: 0 }).stores.get("S"));
    expect(error).toMatchObject({ location: "https://stores.example.com/v1/stores" });
    expect(everything(error)).not.toContain("p4ssw0rd");
  });
});
