import { isLoopback } from "../../wire/loopback.ts";
import { decodePercent } from "../../wire/decode-percent.ts";

const variables = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];

/**
 * Returns the passwords in the URL of a proxy or in the environment, also in the form of a header; the user name if the
 * password is empty, because some proxies take a key there.
 */
export function proxySecrets(proxy: string | URL | undefined): string[] {
  return urlsOf(proxy).flatMap(secretsIn);
}

/** Whether a proxy is on another machine. */
export function isRemote(proxy: string | URL): boolean {
  return urlsOf(proxy).some((url) => URL.canParse(url) && !isLoopback(new URL(url).hostname));
}

function urlsOf(proxy: string | URL | undefined): string[] {
  // not every runtime has one, and no type of the language describes it
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const urls = proxy === "env" ? variables.map((name) => process?.env?.[name]) : [proxy];
  return urls.filter((url) => url !== undefined).map(String);
}

function secretsIn(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password } = new URL(text);
  const secret = password === "" ? username : password;
  if (secret === "") return [];
  const credentials = `${decodePercent(username)}:${decodePercent(password)}`;
  return [decodePercent(secret), secret, Buffer.from(credentials).toString("base64")];
}
