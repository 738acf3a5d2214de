import { describe, expect, it } from "vitest";
import { useProxies } from "../../src/doctor/proxy.ts";

describe("the proxy of the environment", () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ["is not named if there is none", { NO_PROXY: "example.com" }, undefined],
    [
      "is named by its variable, without its password",
      { HTTPS_PROXY: "http://user:pw0rd@proxy.example:3128", NODE_USE_ENV_PROXY: "1" },
      "the proxy of HTTPS_PROXY is used, except for the hosts of NO_PROXY",
    ],
  ])("%s", (_, env, expected) => {
    expect(useProxies(env)).toBe(expected);
  });
});
