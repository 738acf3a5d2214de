import { render } from "preact";
import { App } from "./app.tsx";
import { startWorker } from "./server.ts";

const place = document.getElementById("page");
if (place === null) throw new Error('The page has no element with the ID "page"');
try {
  await startWorker();
  place.replaceChildren();
  render(<App />, place);
} catch (error) {
  place.textContent = `The service worker could not start: ${String(error)}. It requires https, or http on localhost.`;
}
