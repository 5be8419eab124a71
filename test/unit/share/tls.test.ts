/** Sharing at an address with TLS, and clients that know the fingerprint of its certificate. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { openSocket } from '../../../src/acp/transport/remote/nodeSocket';
import { invitationOf } from '../../../src/share/invitation';
import { makeCertificate, ownCertificate } from '../../../src/share/certificate';
import { Sharing } from '../../../src/share/sharing';
import { systemClock } from '../../../src/util/clock';
import { SharedClient, until } from '../../support/share/sharedClient';
import { quiet } from '../session/fakes';
import { FakeShared } from './fakeShared';

const NOW = Date.now();

describe('sharing with TLS', () => {
  let sharing: Sharing;
  let url: string;
  const certificate = makeCertificate('127.0.0.1', NOW);

  before(async () => {
    sharing = new Sharing({
      clock: systemClock,
      log: quiet,
      version: '0',
      redact: (text) => text,
      secretStart: () => 0,
      changed: () => undefined,
    });
    sharing.add(new FakeShared());
    await sharing.start({ host: '127.0.0.1', tls: certificate });
    url = sharing.url!;
  });
  after(() => sharing.stop());

  /** Connects like an agent at an address. Resolves to `open`, or to the error of the end. */
  function connect(address: string, options: { fingerprint?: string; token?: string }): Promise<string> {
    const { fingerprint, token = '' } = options;
    return new Promise((resolve) => {
      const socket = openSocket(
        address,
        { headers: { Authorization: `Bearer ${token}` }, maxBytes: 1e6, ...(fingerprint !== undefined && { fingerprint }) },
        {
          open: () => {
            socket.close();
            resolve('open');
          },
          text: () => undefined,
          refused: ({ status }) => resolve(`status ${status}`),
          closed: ({ error }) => resolve(`closed ${(error as { code?: string } | undefined)?.code ?? ''}`),
        },
      );
    });
  }

  it('makes a certificate for its address that is valid now', () => {
    const { subjectAltName, validFrom, validTo, publicKey, raw } = new X509Certificate(certificate.cert);
    assert.equal(subjectAltName, 'IP Address:127.0.0.1');
    assert.equal(new X509Certificate(makeCertificate('share.example', NOW).cert).subjectAltName, 'DNS:share.example');
    assert.equal(new X509Certificate(makeCertificate('fd00::1', NOW).cert).subjectAltName, 'IP Address:FD00:0:0:0:0:0:0:1');
    assert.ok(Date.parse(validFrom) < NOW && Date.parse(validTo) > NOW + 20 * 86_400_000);
    assert.ok(new X509Certificate(raw).verify(publicKey));
    assert.notEqual(makeCertificate('127.0.0.1', NOW).fingerprint, certificate.fingerprint);
  });

  it('takes a certificate of the user only with its key, and while it is valid', () => {
    const { cert, key, fingerprint } = certificate;
    assert.deepEqual(ownCertificate(cert, key, NOW), { cert, key, fingerprint });
    assert.throws(() => ownCertificate(cert, makeCertificate('127.0.0.1', NOW).key, NOW), /does not belong/);
    assert.throws(() => ownCertificate(cert, key, NOW + 40 * 86_400_000), /valid from/);
    assert.throws(() => ownCertificate('text', key, NOW));
  });

  it('is reached with the fingerprint, and not without', async () => {
    assert.match(url, /^wss:/);
    const token = sharing.issue('read');
    assert.equal(await connect(url, { token, fingerprint: certificate.fingerprint }), 'open');
    assert.equal(await connect(url, { token: 'wrong', fingerprint: certificate.fingerprint }), 'status 401');
    assert.match(await connect(url, { token }), /^closed (?:DEPTH_ZERO_)?SELF_SIGNED/);
  });

  it('does not send the token to a server with another certificate', async () => {
    const other = makeCertificate('127.0.0.1', NOW);
    let received = '';
    const server = createServer({ cert: other.cert, key: other.key }, (socket: TLSSocket) => {
      socket.on('data', (data) => (received += data.toString()));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const result = await connect(`wss://127.0.0.1:${port}/acp`, { token: 'secret-token', fingerprint: certificate.fingerprint });
    await new Promise((resolve) => server.close(resolve));
    assert.equal(result, 'closed ERR_TLS_CERT_FINGERPRINT');
    assert.equal(received, '');
  });

  it('ends when the server is gone, or is no TLS server', async () => {
    assert.match(await connect('wss://127.0.0.1:1/acp', { fingerprint: certificate.fingerprint }), /^closed ECONNREFUSED/);
  });

  it('serves a client that trusts its certificate', async () => {
    const client = new SharedClient({ options: { ca: certificate.cert } });
    await client.open(url, sharing.issue('read'));
    assert.equal((await client.list()).sessions.length, 1);
    client.close();
    await until('the end', () => sharing.attached.length === 0);
  });

  it('invites by a link and its QR code', () => {
    const token = sharing.issue('read');
    const address = 'wss://192.168.178.20:49152/acp';
    const { link, code } = invitationOf(address, token, certificate.fingerprint);
    assert.equal(link, `${address}#token=${token}&sha256=${certificate.fingerprint}`);
    assert.ok(code);
    assert.ok(code.every((row) => row.length === code.length && /^[01]+$/.test(row)));
    assert.equal((code.length - 17) % 4, 0);
    // Three corners have the pattern by which a camera finds the code.
    const corner = (rows: readonly string[]): string =>
      rows
        .slice(0, 7)
        .map((row) => row.slice(0, 7))
        .join();
    const pattern = '1111111,1000001,1011101,1011101,1011101,1000001,1111111';
    const mirrored = code.map((row) => [...row].reverse().join(''));
    assert.deepEqual([corner(code), corner(mirrored), corner(code.toReversed())], [pattern, pattern, pattern]);
    assert.notDeepEqual(invitationOf(address, sharing.issue('read'), undefined).code, code);
    assert.equal(invitationOf(url, token, undefined).code, undefined, 'no phone can reach this computer by its own address');
  });
});
