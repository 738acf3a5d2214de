/** Whether a host of a parsed URL, or an address to listen on, is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
