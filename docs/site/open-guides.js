// The navigation begins with its guides open; what a reader opens or closes it keeps by itself.
const key = "tsd-accordion-Guides";
try {
  if (localStorage.getItem(key) === null) localStorage.setItem(key, "true");
} catch {
  // a browser that keeps nothing shows them closed
}
