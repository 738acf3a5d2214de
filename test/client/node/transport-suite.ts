import type * as Undici from "undici";
import { abortTests } from "./abort-tests.ts";
import { bodyTests } from "./body-tests.ts";
import { dispatcherTests } from "./dispatcher-tests.ts";
import { messageTests } from "./message-tests.ts";
import { proxyTests } from "./proxy-tests.ts";
import { tlsTests } from "./tls-tests.ts";

/** The tests that both major versions of undici pass. */
export function transportTests(undici: typeof Undici): void {
  messageTests();
  bodyTests();
  abortTests();
  tlsTests("Dispatcher1Wrapper" in undici);
  proxyTests();
  dispatcherTests(undici);
}
