// The navigation begins with its guides open; what a reader opens or closes it keeps by itself.
for (const group of ["Start", "Data", "Tests", "Tables"]) {
  const key = `tsd-accordion-${group}`;
  try {
    if (localStorage.getItem(key) === null) localStorage.setItem(key, "true");
  } catch {
    // a browser that keeps nothing shows them closed
  }
}
