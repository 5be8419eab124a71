/** A connection to a server that is known by the fingerprint of its certificate, such as one that signed it itself. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import tls from 'node:tls';
import type { ClientOptions } from 'ws';
import { plainName } from '../../../core/platform/privateAddress';
import type { Socket, SocketEvents } from './ports';

/** The port of `wss://` without one. */
const PORT = 443;

/**
 * Checks the certificate before anything is sent, so that another server never receives the token. The checked connection is then used. The connection
 * is direct, without a proxy.
 */
export function openPinned(url: string, fingerprint: string, events: SocketEvents, open: (connection: ClientOptions) => Socket): Socket {
  const { hostname, port } = new URL(url);
  const host = plainName(hostname);
  let socket: Socket | undefined;
  let isOver = false;
  const differs = (raw: Uint8Array): Error | undefined =>
    createHash('sha256').update(raw).digest('hex') === fingerprint
      ? undefined
      : Object.assign(new Error('The certificate of the server has another fingerprint.'), { code: 'ERR_TLS_CERT_FINGERPRINT' });
  const sameCertificate = (_host: string, peer: { readonly raw: Uint8Array }): Error | undefined => differs(peer.raw);
  const end = (error?: unknown): void => {
    if (!isOver && !socket) {
      isOver = true;
      secure.destroy();
      events.closed(error === undefined ? {} : { error });
    }
  };
  const secure = tls.connect({
    host,
    port: port === '' ? PORT : Number(port),
    ...(isIP(host) === 0 && { servername: host }),
    // The fingerprint identifies the server, so no authority has to.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  });
  secure.on('error', end);
  secure.once('close', () => end());
  secure.once('secureConnect', () => {
    const certificate = secure.getPeerX509Certificate();
    if (isOver) {
      return;
    }
    const problem = certificate ? differs(certificate.raw) : new Error('The server has no certificate.');
    if (!certificate || problem) {
      end(problem);
      return;
    }
    socket = open({
      createConnection: () => secure,
      // Where something replaces `createConnection`, only this very certificate is accepted as well.
      ca: [certificate.toString()],
      checkServerIdentity: sameCertificate as unknown as NonNullable<ClientOptions['checkServerIdentity']>, // The types of the library describe an earlier Node.js.
    });
  });
  return {
    send: (text) => socket?.send(text),
    close: () => (socket ? socket.close() : end()),
  };
}
