/**
 * The agents' sessions that were created here and never got a message. An agent goes on listing them after their files are deleted here, under a
 * title of its own. Each is an empty file, named by a hash, that any window can write; its time is the last one at which the session was unused.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type AgentKey, type StoredAgent, storedIdOf } from '../../core/agents/agentIds';
import { inPool } from '../../util/pool';

/** ms within which a change at the agent is still a consequence of what was done here, such as closing the session. */
const SETTLE_MS = 60_000;
/** The maximum number of files. The oldest ones above it are deleted. */
const MAX_FILES = 1000;
/** Files that are read or deleted at the same time. */
const MAX_PARALLEL = 16;
const HASH_LENGTH = 32;

export class UnpromptedSessions {
  private bounded: Promise<void> | undefined;
  /** The files that do not exist, because a session with messages is described again and again. */
  private readonly used = new Set<string>();

  constructor(
    /** Absolute; created with the first file. */
    private readonly directory: string,
  ) {}

  /** Notes that the session had no message until now. @throws the file system's error */
  async add(agent: StoredAgent, sessionId: string): Promise<void> {
    const file = this.fileOf(storedIdOf(agent), sessionId);
    this.used.delete(file);
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await writeFile(file, '', { mode: 0o600 });
    const now = new Date();
    await utimes(file, now, now);
    await (this.bounded ??= this.bound());
  }

  /** Called when the session got a message. @throws the file system's error */
  async remove(agent: StoredAgent, sessionId: string): Promise<void> {
    const file = this.fileOf(storedIdOf(agent), sessionId);
    if (!this.used.has(file)) {
      await rm(file, { force: true });
      this.used.add(file);
    }
  }

  /**
   * True for a session that was created here and has no message. @param updatedAt ISO 8601: a later change at the agent means that another client
   * uses the session
   */
  async has({ agentId, earlierId = agentId }: AgentKey, sessionId: string, updatedAt?: string): Promise<boolean> {
    const changed = updatedAt === undefined ? NaN : Date.parse(updatedAt);
    const files = [...new Set([agentId, earlierId])].map((id) => this.fileOf(id, sessionId));
    const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
    return found.some((info) => info !== undefined && !(changed > info.mtimeMs + SETTLE_MS));
  }

  private fileOf(agentId: string, sessionId: string): string {
    const hash = createHash('sha256').update(`${agentId}\0${sessionId}`).digest('hex').slice(0, HASH_LENGTH);
    return path.join(this.directory, hash);
  }

  private async bound(): Promise<void> {
    const names = await readdir(this.directory).catch(() => []);
    if (names.length <= MAX_FILES) {
      return;
    }
    const times = new Map<string, number>();
    await inPool(names, MAX_PARALLEL, async (name) => {
      const info = await stat(path.join(this.directory, name)).catch(() => undefined);
      times.set(name, info?.mtimeMs ?? 0);
    });
    const oldest = names.toSorted((one, other) => times.get(one)! - times.get(other)!).slice(0, names.length - MAX_FILES);
    await inPool(oldest, MAX_PARALLEL, (name) => rm(path.join(this.directory, name), { force: true }).catch(() => undefined));
  }
}
