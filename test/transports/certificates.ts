/** A certificate and its key as PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** The part of the package that is used. It does not exist before this folder is installed. */
interface SelfSigned {
  generate(
    attributes: { name: string; value: string }[],
    options: object,
  ): Promise<{ cert: string; private: string }>;
}

const selfsigned: string = "selfsigned";

async function issue(commonName: string, options: object): Promise<Certificate> {
  const { generate } = (await import(selfsigned)) as SelfSigned;
  const { cert, private: key } = await generate([{ name: "commonName", value: commonName }], options);
  return { cert, key };
}

/** Creates an authority, and the certificates of a server at `localhost` and of a client that it signs. */
export async function createCertificates() {
  const authority = await issue("shelfleet test authority", {
    extensions: [{ name: "basicConstraints", cA: true, critical: true }],
  });
  const names = [
    { type: 2, value: "localhost" },
    { type: 7, ip: "127.0.0.1" },
  ];
  const server = await issue("localhost", {
    ca: authority,
    extensions: [{ name: "subjectAltName", altNames: names }],
  });
  const client = await issue("a client", { ca: authority });
  return { authority, server, client };
}
