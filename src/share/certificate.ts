/** A certificate for an address of the network: made for one sharing, or the user's own. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

export interface ServerCertificate {
  /** PEM */
  readonly cert: string;
  /** PEM */
  readonly key: string;
  /** SHA-256 over the certificate, in hexadecimal digits. */
  readonly fingerprint: string;
}

/** The object identifier of ECDSA with SHA-256. */
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const DAY_MS = 86_400_000;
const VALID_DAYS = 30;

/** Makes a certificate for this address, signed by itself. Its key is in memory only. */
export function makeCertificate(host: string, now: number): ServerCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_SHA256 });
  const name = new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: COMMON_NAME, value: new AttributeValue({ utf8String: 'ACP Host' }) }),
    ]),
  ]);
  const alternative = new SubjectAlternativeName([isIP(host) ? new GeneralName({ iPAddress: host }) : new GeneralName({ dNSName: host })]);
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer: name,
    subject: name,
    // The clocks of two machines differ.
    validity: new Validity({ notBefore: new Date(now - DAY_MS), notAfter: new Date(now + VALID_DAYS * DAY_MS) }),
    subjectPublicKeyInfo: AsnConvert.parse(bytesOf(publicKey.export({ type: 'spki', format: 'der' })), SubjectPublicKeyInfo),
    extensions: new Extensions([
      new Extension({ extnID: id_ce_subjectAltName, extnValue: new OctetString(AsnConvert.serialize(alternative)) }),
    ]),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(body)), privateKey);
  const certificate = new Certificate({ tbsCertificate: body, signatureAlgorithm: algorithm, signatureValue: bytesOf(signature) });
  const der = Buffer.from(AsnConvert.serialize(certificate));
  const base64 = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    fingerprint: fingerprintOf(der),
  };
}

/** Checks the user's own certificate and key. @throws when they do not fit, or the certificate is not valid now */
export function ownCertificate(cert: string, key: string, now: number): ServerCertificate {
  const certificate = new X509Certificate(cert);
  const spki = (from: ReturnType<typeof createPublicKey>): string => from.export({ type: 'spki', format: 'pem' }).toString();
  if (spki(certificate.publicKey) !== spki(createPublicKey(createPrivateKey(key)))) {
    throw new Error('The key does not belong to the certificate.');
  }
  if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) {
    throw new Error(`The certificate is valid from ${certificate.validFrom} to ${certificate.validTo}.`);
  }
  return { cert, key, fingerprint: fingerprintOf(certificate.raw) };
}

function fingerprintOf(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}

/** A positive number of 16 bytes. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytesOf(bytes);
}

function bytesOf(buffer: Uint8Array): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
