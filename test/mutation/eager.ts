// Loads the modules that are loaded on first use before the first test. Otherwise a change of their constants would be
// attributed to the one test that loaded them, and no other test would be run for it.
await Promise.all([
  import("../../src/client/store/contract-check.ts"),
  import("../../src/client/fleet/contract-check.ts"),
  import("../../src/client/lists/range.ts"),
]);
