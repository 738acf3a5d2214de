/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(text);
}

/** Whether a text can be the value of a header. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** Whether a token or key consists of visible ASCII characters, so that `Authorization` can contain it. */
export function isSendableSecret(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
