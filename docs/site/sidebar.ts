/** The guides in the order in which people come to them: a path from the first call to a service in production. */
export const guides = {
  "Start here": ["first-steps", "errors", "lists"],
  "Move data": ["sync", "write", "production", "guarantees"],
  Test: ["testing", "faults", "other-languages", "prove"],
  Connect: ["doctor", "runtimes", "gaps"],
  Tables: ["operations", "scenarios"],
} as const;

/** The sidebar of the site. The reference pages of both APIs and the interface add their own groups. */
export const guideGroups = Object.entries(guides).map(([label, names]) => ({
  label,
  items: names.map((name) => ({ slug: `guides/${name}` })),
}));

export const lastGroups = [
  { label: "Examples", collapsed: true, items: [{ autogenerate: { directory: "examples" } }] },
  { label: "Project", collapsed: true, items: [{ autogenerate: { directory: "project" } }] },
];
