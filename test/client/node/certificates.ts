// X.509 certificates for tests, in DER, so that no program has to be installed.

import { generateKeyPairSync, type KeyObject, randomInt, sign } from "node:crypto";

export interface Certificate {
  /** PEM, in the form of the options of `node:tls`. */
  cert: string;
  key: string;
}

interface Issued extends Certificate {
  name: string;
  privateKey: KeyObject;
}

export interface CertificateOptions {
  /** The host names and the IPv4 addresses of the certificate. */
  hosts?: string[];
  /** The day on which it expires. */
  until?: Date;
}

const day = 24 * 60 * 60 * 1000;

/** A certificate authority. */
export interface Authority extends Certificate {
  issue(name: string, options?: CertificateOptions): Certificate;
}

export function createAuthority(name = "Test Authority"): Authority {
  const authority = issue(name, undefined, { isAuthority: true });
  return {
    cert: authority.cert,
    key: authority.key,
    issue: (subject, options = {}) => issue(subject, authority, { ...options, isAuthority: false }),
  };
}

/** A self-signed certificate. */
export function createSelfSigned(name: string, options: CertificateOptions = {}): Certificate {
  return issue(name, undefined, { ...options, isAuthority: false });
}

function issue(
  name: string,
  issuer: Issued | undefined,
  {
    hosts = [],
    until = new Date(Date.now() + day),
    isAuthority,
  }: CertificateOptions & { isAuthority: boolean },
): Issued {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const from = new Date(until.getTime() - 2 * day);
  const extensions = [extension([2, 5, 29, 19], sequence(...(isAuthority ? [boolean(true)] : [])))];
  if (hosts.length > 0) extensions.push(extension([2, 5, 29, 17], sequence(...hosts.map(generalName))));
  const unsigned = sequence(
    encodeTag(0xa0, integer(2)), // version 3
    integer(randomInt(1, 2 ** 40)),
    signatureAlgorithm,
    distinguishedName(issuer?.name ?? name),
    sequence(time(from), time(until)),
    distinguishedName(name),
    publicKey.export({ type: "spki", format: "der" }),
    encodeTag(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", unsigned, issuer?.privateKey ?? privateKey);
  const whole = sequence(unsigned, signatureAlgorithm, bits(signature));
  const lines = whole
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n");
  return {
    name,
    privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function encodeTag(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => encodeTag(0x30, ...parts);
const boolean = (value: boolean): Buffer => encodeTag(0x01, Buffer.from([value ? 0xff : 0]));
const bits = (bytes: Buffer): Buffer => encodeTag(0x03, Buffer.from([0]), bytes);
const text = (value: string): Buffer => encodeTag(0x0c, Buffer.from(value));

function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return encodeTag(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

function identifier([first = 0, second = 0, ...rest]: number[]): Buffer {
  const groups = rest.map((arc) => {
    const bytes = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
    return bytes;
  });
  return encodeTag(0x06, Buffer.from([first * 40 + second, ...groups.flat()]));
}

const signatureAlgorithm = sequence(identifier([1, 2, 840, 10045, 4, 3, 2])); // ECDSA with SHA-256

function distinguishedName(name: string): Buffer {
  return sequence(encodeTag(0x31, sequence(identifier([2, 5, 4, 3]), text(name))));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, ""); // 20261121180000Z
  return encodeTag(0x18, Buffer.from(digits));
}

function extension(id: number[], value: Buffer): Buffer {
  return sequence(identifier(id), encodeTag(0x04, value));
}

function generalName(host: string): Buffer {
  const address = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host);
  return address === null
    ? encodeTag(0x82, Buffer.from(host))
    : encodeTag(0x87, Buffer.from(address.slice(1).map(Number)));
}
