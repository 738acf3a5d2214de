// What is loaded on first use is loaded here before the first test: a constant of such a module would otherwise be
// put down to the one test that happened to load it, and no other would be asked whether it notices a change.
await import("../../src/core/request/schema-check.ts");
