const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
const DOT_STRING = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const QUOTED_STRING = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
const DOMAIN = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;
const ADDRESS_LITERAL = /^\[[\x21-\x5a\x5e-\x7e]+\]$/;

/** Whether a string is a mailbox of RFC 5321, sections 4.1.2 and 4.5.3.1. */
export function isRfc5321Mailbox(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (local.length > 64 || domain.length > 255) return false;
  const hasLabels = domain.split(".").every(({ length }) => length <= 63);
  const isDomain = (hasLabels && DOMAIN.test(domain)) || ADDRESS_LITERAL.test(domain);
  return isDomain && (DOT_STRING.test(local) || QUOTED_STRING.test(local));
}
