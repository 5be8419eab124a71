/** A server on this machine with a registry, the archives of its agents, and a registry of npm. It records every request. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tarGz, type TestEntry } from './archives';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A package of npm with one version. */
export interface TestPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly files: readonly TestEntry[];
  /** Milliseconds since 1970. */
  readonly published?: number;
  /** The tarball is not the one that its checksum names. */
  readonly isForged?: boolean;
}

export class Loopback {
  /** The paths that were requested. */
  readonly requests: string[] = [];
  url = '';
  private readonly server: Server;
  private readonly handlers = new Map<string, Handler>();
  private readonly packages: TestPackage[] = [];

  constructor() {
    this.server = createServer((request, response) => {
      const path = decodeURIComponent((request.url ?? '/').replace(/\?.*$/, ''));
      this.requests.push(path);
      const handler = this.handlers.get(path);
      if (handler) {
        handler(request, response);
      } else {
        response.writeHead(404).end('{"error":"Not found"}');
      }
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  on(path: string, handler: Handler): string {
    this.handlers.set(path, handler);
    return this.url + path;
  }

  file(path: string, bytes: Buffer | string): string {
    return this.on(path, (_request, response) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(bytes) }).end(bytes);
    });
  }

  /** Serves a list of agents with an ETag. */
  list(path: string, agents: readonly unknown[]): string {
    const text = JSON.stringify({ version: '1.0.0', agents, extensions: [] });
    const etag = `"${createHash('sha1').update(text).digest('hex')}"`;
    return this.on(path, (request, response) => {
      if (request.headers['if-none-match'] === etag) {
        response.writeHead(304, { etag }).end();
      } else {
        response.writeHead(200, { etag, 'content-type': 'application/json' }).end(text);
      }
    });
  }

  /** The address of the npm registry. */
  get npm(): string {
    return `${this.url}/npm/`;
  }

  addPackage(added: TestPackage): void {
    this.packages.push(added);
    const { name } = added;
    const versions: Record<string, unknown> = {};
    const time: Record<string, string> = { created: new Date(0).toISOString(), modified: new Date(0).toISOString() };
    for (const { version, manifest, files, published = 0, isForged } of this.packages.filter((each) => each.name === name)) {
      const own = { name, version, ...manifest };
      const bytes = tarGz([
        { path: 'package/package.json', content: JSON.stringify(own), mode: 0o644 },
        ...files.map((file) => ({ ...file, path: `package/${file.path}` })),
      ]);
      const tarball = this.file(`/npm/${name}/-/${version}.tgz`, bytes);
      const integrity = `sha512-${createHash('sha512')
        .update(isForged ? 'another' : bytes)
        .digest('base64')}`;
      versions[version] = { ...own, dist: { tarball, integrity } };
      time[version] = new Date(published).toISOString();
    }
    const latest = Object.keys(versions).at(-1);
    this.file(`/npm/${name}`, JSON.stringify({ name, 'dist-tags': { latest }, versions, time }));
  }
}
