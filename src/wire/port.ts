/** Returns the port of a server that listens on one. */
export function portOf(server: { address(): string | { readonly port: number } | null }): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
