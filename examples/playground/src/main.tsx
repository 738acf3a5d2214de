import { render } from "preact";
import { App } from "./app.tsx";
import { startWorker } from "./server.ts";

const place = document.getElementById("page");
if (place === null) throw new Error("the page has no place for the app");
try {
  await startWorker();
  place.replaceChildren();
  render(<App />, place);
} catch (error) {
  place.textContent = `The service worker did not start: ${String(error)}. It needs https, or http to this machine.`;
}
