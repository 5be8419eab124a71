/** The sharing of one window: its sessions, tokens, clients, and the server while there is a session. */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import type { Log } from '../core/platform/log';
import { isLoopback } from '../core/platform/privateAddress';
import type { AttachedClient, ShareAccess, ShareRight } from '../core/share/share';
import { DISCONNECTED } from '../core/share/shareMeta';
import { Accesses } from './accesses';
import { Admission } from './admission';
import { Attempts } from './attempts';
import { ClientConnection } from './clientConnection';
import type { Redaction } from './wire/redaction';
import type { SharedSession } from './sharedSession';
import { isQueued } from './wire/openTurn';
import type { StoredSharing, WaitingMessage } from './storedSharing';
import { MAX_CLIENTS, ShareServer } from './shareServer';
import { CLOSE, socketStream } from './socketStream';

/** ms in which a client must send `initialize` */
const INITIALIZE_MS = 10_000;
/** Refusals that are logged. After that, only when their number is a power of two. */
const MAX_LOGGED = 20;
/** ms that a socket has for a close of ours */
const CLOSE_MS = 1000;

export interface ShareAddress {
  /** An address of this machine. */
  readonly host: string;
  /** The port of the window before. A free one when it is absent. */
  readonly port?: number;
  /** Absent on loopback alone. `isMade`: false for the user's own certificate. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly fingerprint: string; readonly isMade?: boolean } | undefined;
}

export interface SharingDependencies extends Redaction {
  readonly clock: Clock;
  readonly log: Log;
  /** The version of this extension. */
  readonly version: string;
  /** Called when sessions, accesses or clients have changed. */
  changed(): void;
}

interface Running {
  readonly server: ShareServer;
  readonly url: string;
  readonly address: ShareAddress;
}

interface Client {
  readonly connection: ClientConnection;
  readonly socket: WebSocket;
  readonly timer: Disposable;
}

export class Sharing {
  private readonly accesses = new Accesses();
  private readonly attempts: Attempts;
  private readonly shared = new Map<string, { readonly session: SharedSession; readonly following: Disposable }>();
  private readonly clients = new Map<string, Client>();
  /** The messages of clients that wait in the queues of sessions. They outlive the connections. */
  private waiting: readonly WaitingMessage[] = [];
  private running: Running | undefined;
  private starting: Promise<Running> | undefined;
  private closing: Promise<void> = Promise.resolve();
  private stops = 0;
  private refusals = 0;
  /** True when the tokens are those of the window before. */
  private isContinued = false;

  constructor(private readonly deps: SharingDependencies) {
    this.attempts = new Attempts(() => deps.clock.now());
  }

  /** The address for clients, while something listens. */
  get url(): string | undefined {
    return this.running?.url;
  }

  /** The fingerprint (SHA-256) of the certificate. */
  get fingerprint(): string | undefined {
    return this.running?.address.tls?.fingerprint;
  }

  get sessions(): readonly SharedSession[] {
    return [...this.shared.values()].map(({ session }) => session);
  }

  get attached(): readonly AttachedClient[] {
    return [...this.clients.values()].filter(({ connection }) => connection.hasInitialized).map(({ connection }) => connection.description);
  }

  get given(): readonly ShareAccess[] {
    return this.accesses.all;
  }

  /** The part that the next window needs. Undefined while nothing is shared. */
  get stored(): StoredSharing | undefined {
    const { running, shared } = this;
    if (!running || shared.size === 0) {
      return undefined;
    }
    const { host, tls } = running.address;
    return {
      host,
      port: Number(new URL(running.url).port),
      ...(tls && { fingerprint: tls.fingerprint, ...(tls.isMade && { made: { cert: tls.cert, key: tls.key } }) }),
      sessions: [...shared.keys()],
      accesses: this.accesses.hashes,
      waiting: this.stillWaiting(),
    };
  }

  /** Takes the tokens of the window before, and the messages that wait. Call it before {@link start}. */
  continue({ accesses, waiting }: Pick<StoredSharing, 'accesses' | 'waiting'>): void {
    this.isContinued = true;
    this.accesses.restore(accesses);
    this.waiting = waiting;
  }

  /** Begins to listen, unless it does already. @throws when the address is not available, or of the network and without TLS */
  async start(address: ShareAddress): Promise<void> {
    if (!address.tls && !isLoopback(address.host)) {
      throw new Error('An address of the network needs TLS.');
    }
    const stops = this.stops;
    await this.closing;
    this.starting ??= this.running ? Promise.resolve(this.running) : this.listen(address);
    try {
      const running = await this.starting;
      if (stops === this.stops) {
        this.running = running;
      } else {
        await running.server.close(); // The sharing was stopped meanwhile, for example because the window closes.
      }
    } finally {
      this.starting = undefined;
    }
    this.deps.changed();
  }

  /** Shares the session until it ends, is removed or the sharing stops. */
  add(session: SharedSession): void {
    if (this.shared.has(session.key)) {
      return;
    }
    const following = session.onEvents(() => session.state.status === 'ended' && this.remove(session.key));
    this.shared.set(session.key, { session, following });
    this.deps.changed();
  }

  remove(key: string): void {
    const shared = this.shared.get(key);
    if (!shared) {
      return;
    }
    this.shared.delete(key);
    shared.following.dispose();
    shared.session.dispose();
    this.clients.forEach(({ connection }) => connection.leave(key));
    if (this.shared.size === 0) {
      void this.stop();
    }
    this.deps.changed();
  }

  /** Makes a token for this right. The caller shows it once. */
  issue(right: ShareRight): string {
    const { token } = this.accesses.issue(right, this.deps.clock.now());
    this.deps.changed();
    return token;
  }

  /** Makes the token of an access invalid, disconnects its clients and removes their messages that wait. */
  revoke(accessId: string): void {
    this.withdraw({ accessId });
    this.accesses.revoke(accessId);
    this.clients.forEach((client, id) => client.connection.accessId === accessId && this.disconnect(id));
    this.deps.changed();
  }

  /** Removes the messages that wait: those of an access, of a client or in a session, or all. */
  withdraw(of: Partial<WaitingMessage> = {}): void {
    const isMeant = (each: WaitingMessage): boolean =>
      (Object.keys(of) as (keyof WaitingMessage)[]).every((name) => each[name] === of[name]);
    const meant = this.stillWaiting().filter(isMeant);
    this.waiting = this.waiting.filter((each) => !meant.includes(each));
    // The last first: the removal of one may send the next.
    meant.reverse().forEach(({ key, turnId }) => this.shared.get(key)?.session.removeQueued(turnId));
  }

  private stillWaiting(): readonly WaitingMessage[] {
    return this.waiting.filter(({ key, turnId }) => {
      const session = this.shared.get(key)?.session;
      return session !== undefined && isQueued(session.state, turnId);
    });
  }

  /** Disconnects a client for the user. It does not connect again by itself. */
  disconnect(clientId: string): void {
    this.closeClient(clientId, DISCONNECTED.code, DISCONNECTED.reason);
  }

  private closeClient(clientId: string, code: number, reason?: string): void {
    const client = this.clients.get(clientId);
    if (client) {
      client.socket.close(code, reason);
      this.deps.clock.after(CLOSE_MS, () => client.socket.terminate());
      this.forget(clientId);
    }
  }

  /** Ends all connections and tokens. Nothing listens when this has resolved. */
  async stop(): Promise<void> {
    const { running } = this;
    this.stops++;
    this.running = undefined;
    this.isContinued = false;
    this.accesses.clear();
    [...this.clients.keys()].forEach((id) => this.forget(id));
    [...this.shared.keys()].forEach((key) => this.remove(key));
    if (running) {
      this.closing = running.server.close();
      this.deps.changed();
    }
    await this.closing;
  }

  private async listen(address: ShareAddress): Promise<Running> {
    const { host, port, tls } = address;
    const { log } = this.deps;
    const isLocal = isLoopback(host);
    const server = new ShareServer({
      host,
      port,
      tls: tls && { cert: tls.cert, key: tls.key },
      admission: new Admission(this.accesses, this.attempts, !isLocal, isLocal && this.isContinued),
      hasRoom: () => this.clients.size < MAX_CLIENTS,
      connected: (socket, access, address) => this.connect(socket, access, address),
      refused: (address, reason) => {
        const count = ++this.refusals;
        // A stranger must not fill the log.
        if (count <= MAX_LOGGED || Number.isInteger(Math.log2(count))) {
          log.warn(`Sharing: refused a connection from ${address}: ${reason} (refusal ${count}).`);
        }
      },
    });
    return { server, url: await server.listen(), address };
  }

  private connect(socket: WebSocket, access: ShareAccess, address: string): void {
    const { clock, log, redact, version } = this.deps;
    const clientId = randomUUID();
    const exceeded = (reason: string): void => log.warn(`Sharing: disconnected ${address}: ${reason}.`);
    const connection = new ClientConnection(
      { clientId, address, since: clock.now(), right: access.right, accessId: access.accessId },
      socketStream(socket, { clock, redact, exceeded }),
      {
        clock,
        version,
        redaction: this.deps,
        session: (key) => this.shared.get(key)?.session,
        sessions: () => this.sessions,
        changed: () => this.deps.changed(),
        queued: (key, turnId) => {
          this.waiting = [...this.stillWaiting(), { accessId: access.accessId, clientId, key, turnId }];
          this.deps.changed();
        },
        failed: () => this.closeClient(clientId, CLOSE.goingAway),
      },
    );
    const timer = clock.after(INITIALIZE_MS, () => !connection.hasInitialized && this.closeClient(clientId, CLOSE.goingAway));
    this.clients.set(clientId, { connection, socket, timer });
    socket.once('close', () => this.forget(clientId));
    this.deps.changed();
  }

  private forget(clientId: string): void {
    const client = this.clients.get(clientId);
    if (client) {
      this.clients.delete(clientId);
      client.timer.dispose();
      client.connection.dispose();
      this.deps.changed();
    }
  }
}
