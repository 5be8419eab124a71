/**
 * The user's sign-ins at MCP servers. Their tokens are in the secret storage alone, and an agent gets them as a header of the server. They are refreshed
 * when a session opens, and before they end.
 */
import { createHash } from 'node:crypto';
import type { McpRemoteServer } from '../../core/mcp/mcpServer';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { OAuthDefinition } from '../../mcp/config/serverDefinition';
import type { Credentials } from '../../mcp/oauth/flow';
import { probe } from '../../mcp/oauth/probe';
import type { Fetch } from '../../mcp/oauth/safeFetch';
import type { ConsentStorage } from './consents';
import type { InputSecrets } from './serverInputs';

/** A server at which the user signs in. */
export interface SignInSubject {
  readonly sourceId: string;
  readonly name: string;
  /** With its values, without a token. */
  readonly server: McpRemoteServer;
  readonly oauth: OAuthDefinition;
}

/** A sign-in without its secrets. The address may contain an input, so only the hash identifies it. */
export interface KnownSignIn {
  readonly id: string;
  readonly sourceId: string;
  readonly name: string;
}

export interface ServerSignInsDependencies {
  readonly secrets: InputSecrets;
  readonly storage: ConsentStorage;
  readonly clock: Clock;
  readonly fetch: Fetch;
  /** A token has changed or ended while the window runs. */
  changed(): void;
}

export type Authorization =
  /** The server as the agent gets it. */
  | { readonly type: 'open' | 'signed_in'; readonly server: McpRemoteServer }
  | { readonly type: 'sign_in' }
  | { readonly type: 'failed'; readonly detail: string };

/** The name of a token among the values that are redacted. */
export const TOKEN_VALUE = 'access token';
const KEY = 'mcpSignIns';
const PREFIX = 'acpHost.mcp.signIn.';
/** ms before its end at which a token is refreshed. */
const EARLY_MS = 5 * 60_000;
/** ms until a refresh is tried again. */
const RETRY_MS = 60_000;
/** ms between two refreshes by the timer. A server may name a time of 0. */
const MIN_TIMER_MS = 15_000;
/** ms for which the answer of a server is believed. */
const BELIEVED_MS = 10 * 60_000;
/** The longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const MAX_STORED = 200;

export class ServerSignIns {
  /** The sign-ins of this window: the only copy where the secret storage does not work. */
  private readonly known = new Map<string, string>();
  private readonly refreshing = new Map<string, Promise<Credentials | 'ended' | Error>>();
  /** The servers that answered: without a token, or with this one. */
  private readonly answered = new Map<string, { readonly token: string; readonly isOpen: boolean; readonly at: number }>();
  private readonly timers = new Map<string, Disposable>();

  constructor(private readonly deps: ServerSignInsDependencies) {}

  /** Returns the server with the user's token, as far as it needs one. Never rejects, and asks the user nothing. */
  async authorize(subject: SignInSubject): Promise<Authorization> {
    const id = idOf(subject);
    const stored = await this.stored(id);
    if (!stored) {
      this.unschedule(id);
      return (await this.isGranted(id, subject.server, '')) ? { type: 'open', server: subject.server } : { type: 'sign_in' };
    }
    const current = await this.current(id, subject, stored);
    if (current === 'ended') {
      return { type: 'sign_in' };
    }
    if (current instanceof Error) {
      return { type: 'failed', detail: current.message };
    }
    this.schedule(id, subject, current);
    return { type: 'signed_in', server: withToken(subject.server, current.tokens.access_token) };
  }

  /** The credentials of an earlier sign-in, whose client a new one uses. */
  async earlier(subject: SignInSubject): Promise<Credentials | undefined> {
    return this.stored(idOf(subject));
  }

  /** Resolves to false when the sign-in lasts only until the window closes. */
  async keep(subject: SignInSubject, credentials: Credentials): Promise<boolean> {
    const id = idOf(subject);
    const isKept = await this.write(id, credentials);
    const { sourceId, name } = subject;
    const others = this.list().filter((each) => each.id !== id);
    await this.deps.storage.update(KEY, [...others, ...(isKept ? [{ id, sourceId, name }] : [])].slice(-MAX_STORED));
    this.answered.delete(id);
    return isKept;
  }

  list(): readonly KnownSignIn[] {
    const stored = this.deps.storage.get(KEY);
    return Array.isArray(stored) ? (stored as readonly KnownSignIn[]) : [];
  }

  /** Deletes the tokens of these sign-ins. */
  async forget(signIns: readonly KnownSignIn[]): Promise<void> {
    const ids = new Set(signIns.map(({ id }) => id));
    for (const id of ids) {
      this.known.delete(id);
      this.answered.delete(id);
      this.unschedule(id);
      await this.deps.secrets.delete(PREFIX + id);
    }
    await this.deps.storage.update(
      KEY,
      this.list().filter(({ id }) => !ids.has(id)),
    );
  }

  /** Returns credentials that are valid for a while. */
  private async current(id: string, { server }: SignInSubject, stored: Credentials): Promise<Credentials | 'ended' | Error> {
    const { expiresAt = Infinity } = stored;
    const left = expiresAt - this.deps.clock.now();
    if (left > EARLY_MS) {
      const isGranted = await this.isGranted(id, withToken(server, stored.tokens.access_token), stored.tokens.access_token);
      return isGranted ? stored : this.refreshed(id, server, stored);
    }
    const refreshed = await this.refreshed(id, server, stored);
    if (typeof refreshed === 'object' && !(refreshed instanceof Error)) {
      return refreshed;
    }
    // A failed refresh does not end the token. The user does, by signing out.
    return left > 0 && (await this.stored(id)) ? stored : refreshed;
  }

  /** One refresh at a time, because most servers accept a refresh token once. */
  private refreshed(id: string, server: McpRemoteServer, stored: Credentials): Promise<Credentials | 'ended' | Error> {
    const running = this.refreshing.get(id) ?? this.refresh(id, server, stored).finally(() => this.refreshing.delete(id));
    this.refreshing.set(id, running);
    return running;
  }

  private async refresh(id: string, server: McpRemoteServer, stored: Credentials): Promise<Credentials | 'ended' | Error> {
    const { clock, fetch } = this.deps;
    try {
      const { refresh } = await import('../../mcp/oauth/flow');
      const refreshed = await refresh(server, stored, fetch, clock.now());
      // Meanwhile the user may have signed out or in, and another window may have used the refresh token.
      const newer = await this.stored(id);
      if (newer && newer.tokens.access_token !== stored.tokens.access_token) {
        return newer;
      }
      if (refreshed && newer) {
        await this.write(id, refreshed);
        return refreshed;
      }
      return 'ended';
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** True when the server does not refuse the token. A server that does not answer is the agent's business. */
  private async isGranted(id: string, server: McpRemoteServer, token: string): Promise<boolean> {
    const now = this.deps.clock.now();
    const earlier = this.answered.get(id);
    if (earlier && earlier.token === token && now - earlier.at < BELIEVED_MS) {
      return earlier.isOpen;
    }
    const { access } = await probe(server, this.deps.fetch);
    const isOpen = access !== 'unauthorized';
    if (access !== 'unknown') {
      this.answered.set(id, { token, isOpen, at: now });
    }
    return isOpen;
  }

  /** Refreshes the token before its end, as long as sessions use it: each use sets the timer again. */
  private schedule(id: string, { server }: SignInSubject, { expiresAt, tokens }: Credentials): void {
    this.unschedule(id);
    if (expiresAt === undefined) {
      return;
    }
    const { clock } = this.deps;
    const left = expiresAt - clock.now();
    const wait = !tokens.refresh_token ? left : left > EARLY_MS ? left - EARLY_MS : Math.min(left, RETRY_MS);
    const timer = clock.after(Math.min(Math.max(wait, MIN_TIMER_MS), MAX_TIMER_MS), () => {
      this.timers.delete(id);
      void this.stored(id)
        .then((stored) => (stored && tokens.refresh_token !== undefined ? this.refreshed(id, server, stored) : undefined))
        .then(() => this.deps.changed());
    });
    this.timers.set(id, timer);
  }

  private unschedule(id: string): void {
    this.timers.get(id)?.dispose();
    this.timers.delete(id);
  }

  private async stored(id: string): Promise<Credentials | undefined> {
    let text: string | undefined;
    try {
      text = (await this.deps.secrets.get(PREFIX + id)) ?? (this.list().some((each) => each.id === id) ? undefined : this.known.get(id));
    } catch {
      text = this.known.get(id);
    }
    try {
      return text === undefined ? undefined : (JSON.parse(text) as Credentials);
    } catch {
      return undefined;
    }
  }

  private async write(id: string, credentials: Credentials): Promise<boolean> {
    const text = JSON.stringify(credentials);
    this.known.set(id, text);
    try {
      await this.deps.secrets.store(PREFIX + id, text);
      return true;
    } catch {
      return false;
    }
  }
}

/** A token belongs to one server of one source: no other source gets it by naming the same address, and no other address by the same name. */
function idOf({ sourceId, name, server }: SignInSubject): string {
  return createHash('sha256')
    .update(JSON.stringify([sourceId, name, server.url]))
    .digest('hex');
}

function withToken(server: McpRemoteServer, token: string): McpRemoteServer {
  const headers = { ...server.headers, Authorization: `Bearer ${token}` };
  return { ...server, headers, inserted: [...(server.inserted ?? []), { name: TOKEN_VALUE, value: token, isPassword: true }] };
}

/** The server as it is without a token, for comparisons. */
export function withoutToken(server: McpRemoteServer): McpRemoteServer {
  const token = server.inserted?.find(({ name }) => name === TOKEN_VALUE);
  if (!token) {
    return server;
  }
  const { inserted = [], ...others } = server;
  const { Authorization: _, ...headers } = server.headers;
  const left = inserted.filter((each) => each !== token);
  return { ...others, headers, ...(left.length > 0 && { inserted: left }) };
}
