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

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/",
    "http://stores.example.com/",
    "https://127.0.0.1/",
    "https://[::ffff:127.0.0.1]/",
    "https://10.0.0.1/",
    "https://localhost/",
  ])("of a public https service to %s is not followed", async (location) => {
    const requested: string[] = [];
    const client = clientOf({
      fetch: async (url) => {
        requested.push(url);
        return new Response(null, { status: 302, headers: { location } });
      },
    });
    expect(await rejection(client.stores.get("S"))).toMatchObject({
      name: "UnexpectedResponseError",
      status: 302,
    });
    expect(requested).toEqual(["https://stores.example.com/v1/stores/S"]);
  });

  it("loop ends after five redirects", async () => {
    const server = await serveAttack((_, response) => response.writeHead(302, { location: "/again" }).end());
    expect(await rejection(clientOf({ baseUrl: server.url }).stores.get("S"))).toMatchObject({
      name: "UnexpectedResponseError",
    });
    expect(server.requests).toHaveLength(6);
  });

  it("whose body never arrives is followed at once", async () => {
    const server = await serveAttack((_, response, index) => {
      if (index > 0) return response.end('{"storeId":"1"}');
      response.writeHead(302, { location: "/there" });
      return response.write(" ");
    });
    expect(await clientOf({ baseUrl: server.url }).stores.get("S")).toEqual({ storeId: "1" });
  });

  it("with a password is not followed, and its error does not show the password", async () => {
    const location = "https://user:p4ssw0rd@stores.example.com/v1/stores";
    const fetch = async () => new Response(null, { status: 302, headers: { location } });
    const error = await rejection(clientOf({ fetch, retry: 0 }).stores.get("S"));
    expect(error).toMatchObject({ location: "https://stores.example.com/v1/stores" });
    expect(everything(error)).not.toContain("p4ssw0rd");
  });
});
