/**
 * Certificates of tests, right and wrong ones, each signed as it is asked for (RFC 5280). No program makes all of them.
 *
 *     const authority = certificate({ name: "Authority", isAuthority: true });
 *     const server = certificate({ name: "broker", hosts: ["127.0.0.1"], issuer: authority });
 *     writeFileSync(path, server.pem);
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** A key pair. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** What determines a certificate. What is left out is right for a server. */
export interface CertificateOptions {
  readonly name: string;
  /** Names and addresses. Empty for an extension without any; undefined for no extension. */
  readonly hosts?: readonly string[];
  /** Whether addresses are among the names as DNS names, where they do not count. */
  readonly areNames?: boolean;
  /** Signs it; itself if left out. */
  readonly issuer?: Certificate;
  readonly keys?: KeyPair;
  /** The signature's hash. */
  readonly hash?: "md5" | "sha1" | "sha256" | "sha384";
  /** ISO dates. */
  readonly from?: string;
  readonly to?: string;
  readonly isAuthority?: boolean;
  /** The extended usages; none for an authority. */
  readonly usages?: readonly ("server" | "client" | "code")[];
  /** What the key is for, as bits of the extension key usage: an authority signs; others have no extension. */
  readonly keyUsage?: number;
  /** How many authorities may follow; any number if left out. */
  readonly pathLength?: number;
  /** The URL of the list of revoked certificates; none if left out. */
  readonly revocations?: string;
  /** Whether it has a critical extension that nobody knows. */
  readonly isSpecial?: boolean;
}

export interface Certificate {
  readonly name: string;
  readonly der: Buffer;
  readonly pem: string;
  readonly keys: KeyPair;
  /** Its key in PEM. */
  readonly key: string;
  /** SHA-256 of its public key, in hexadecimal. */
  readonly keyHash: string;
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: readonly Buffer[]) => der(0x30, ...contents);
const hexadecimal = (text: string) => Buffer.from(text, "hex");
const integer = (bytes: Buffer) => der(0x02, bytes);
const boolean = (isTrue: boolean) => der(0x01, Buffer.from([isTrue ? 0xff : 0]));

/** Identifiers of objects, as they are encoded. */
const oids = {
  commonName: "0603550403",
  subjectKey: "0603551d0e",
  keyUsage: "0603551d0f",
  alternativeName: "0603551d11",
  basicConstraints: "0603551d13",
  extendedUsage: "0603551d25",
  revocations: "0603551d1f",
  authorityKey: "0603551d23",
  server: "06082b06010505070301",
  client: "06082b06010505070302",
  code: "06082b06010505070303",
  unknown: "06042a030405",
  rsa: {
    md5: "06092a864886f70d010104",
    sha1: "06092a864886f70d010105",
    sha256: "06092a864886f70d01010b",
    sha384: "06092a864886f70d01010c",
  },
  // There is none of MD5.
  ec: {
    md5: "06072a8648ce3d0401",
    sha1: "06072a8648ce3d0401",
    sha256: "06082a8648ce3d040302",
    sha384: "06082a8648ce3d040303",
  },
};

const nameOf = (name: string) =>
  sequence(der(0x31, sequence(hexadecimal(oids.commonName), der(0x0c, Buffer.from(name)))));

/** From 2050 on, a date has four digits for its year. */
function dateOf(iso: string): Buffer {
  const digits = new Date(iso).toISOString().replace(/[-:T]|\.\d+/g, "");
  return Number(digits.slice(0, 4)) < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function extension(oid: string, value: Buffer, isCritical = false): Buffer {
  return sequence(hexadecimal(oid), ...(isCritical ? [boolean(true)] : []), der(0x04, value));
}

function hostOf(host: string, isName = false): Buffer {
  if (isName) return der(0x82, Buffer.from(host));
  if (isIP(host) === 4) return der(0x87, Buffer.from(host.split(".").map(Number)));
  if (isIP(host) === 6) return der(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])); // ::1 alone
  return der(0x82, Buffer.from(host));
}

/** RFC 5280, 4.2.1.13. */
const distributionPoint = (url: string) => sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url))))));

/** An identifier of a key, as RFC 7093 makes it. */
const identifierOf = ({ publicKey }: KeyPair): Buffer =>
  createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest()
    .subarray(0, 20);

/** Python refuses a chain without the identifiers of its keys since 3.13. */
function extensionsOf(options: CertificateOptions, own: KeyPair, signer: KeyPair): Buffer {
  const {
    hosts,
    areNames,
    isAuthority = false,
    usages,
    keyUsage = isAuthority ? 0x06 : undefined,
    pathLength,
    revocations,
    isSpecial = false,
  } = options;
  const constraints = [
    ...(isAuthority ? [boolean(true)] : []),
    ...(pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))]),
  ];
  const chosen = usages ?? (isAuthority ? [] : ["server" as const]);
  return der(
    0xa3,
    sequence(
      extension(oids.basicConstraints, sequence(...constraints), true),
      extension(oids.subjectKey, der(0x04, identifierOf(own))),
      extension(oids.authorityKey, sequence(der(0x80, identifierOf(signer)))),
      ...(keyUsage === undefined ? [] : [extension(oids.keyUsage, der(0x03, Buffer.from([0, keyUsage])), true)]),
      ...(chosen.length === 0
        ? []
        : [extension(oids.extendedUsage, sequence(...chosen.map((usage) => hexadecimal(oids[usage]))))]),
      ...(isSpecial ? [extension(oids.unknown, der(0x05), true)] : []),
      ...(hosts === undefined
        ? []
        : [extension(oids.alternativeName, sequence(...hosts.map((host) => hostOf(host, areNames))))]),
      ...(revocations === undefined ? [] : [extension(oids.revocations, distributionPoint(revocations))]),
    ),
  );
}

export function ecKeys(namedCurve = "P-256"): KeyPair {
  return generateKeyPairSync("ec", { namedCurve });
}

export function rsaKeys(modulusLength = 2_048): KeyPair {
  return generateKeyPairSync("rsa", { modulusLength });
}

export function certificate(options: CertificateOptions): Certificate {
  const { name, issuer, keys = ecKeys(), hash = "sha256", from = "2020-01-01", to = "2049-12-31" } = options;
  const signer = issuer?.keys.privateKey ?? keys.privateKey;
  const algorithm = sequence(
    hexadecimal(oids[signer.asymmetricKeyType === "rsa" ? "rsa" : "ec"][hash]),
    ...(signer.asymmetricKeyType === "rsa" ? [der(0x05)] : []),
  );
  const publicKey = keys.publicKey.export({ type: "spki", format: "der" });
  const signed = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer?.name ?? name),
    sequence(dateOf(from), dateOf(to)),
    nameOf(name),
    publicKey,
    extensionsOf(options, keys, issuer?.keys ?? keys),
  );
  const bytes = sequence(signed, algorithm, der(0x03, Buffer.from([0]), sign(hash, signed, signer)));
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    name,
    der: bytes,
    pem: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    keys,
    key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    keyHash: createHash("sha256").update(publicKey).digest("hex"),
  };
}
