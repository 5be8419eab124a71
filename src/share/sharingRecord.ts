/**
 * The record of this window's sharing, for the window after a reload, an update or a crash. The secret storage has it under a random id. The state of
 * the workspace names the id, so that no window with another folder finds it. A file with this name shows by its time when the window was last there.
 */
import { randomUUID } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import type { Log } from '../core/platform/log';
import { sharingIn, type StoredSharing, textOfSharing } from './storedSharing';

/** The prefix of the keys in the secret storage. */
const SECRET = 'acpHost.sharing.';
/** ms between two signs that the window is there. */
export const BEAT_MS = 10_000;
/** ms after which the record of another window is deleted: it has ended long ago. A window that was only asleep writes its record again. */
const ABANDONED_MS = 3_600_000;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface SharingRecordDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** VS Code's secret storage. */
  readonly secrets: {
    get(key: string): PromiseLike<string | undefined>;
    store(key: string, value: string): PromiseLike<void>;
    delete(key: string): PromiseLike<void>;
  };
  /** The state of the workspace. */
  readonly state: { get(key: string): unknown; update(key: string, value: string | undefined): PromiseLike<void> };
  /** The key in `state`. */
  readonly stateKey: string;
  /** The folder of all windows for the files that show their time. */
  readonly folder: string;
  /** ms without a window after which nothing is shared again. Undefined when nothing outlives the window. */
  limit(): number | undefined;
}

export class SharingRecord {
  private readonly id = randomUUID();
  /** The record that {@link read} returned. */
  private found: string | undefined;
  /** The record that this window's own replaces. */
  private earlier: string | undefined;
  private wanted: StoredSharing | undefined;
  private written: string | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;
  private hasFailed = false;
  private beat: Disposable | undefined;
  private hasLeft = false;

  constructor(private readonly deps: SharingRecordDependencies) {}

  /** Returns the sharing of the window before. Undefined when there was none, or it is too old; nothing of it is left then. */
  async read(): Promise<StoredSharing | undefined> {
    try {
      await this.sweep();
      return await this.readEarlier();
    } catch (error) {
      this.deps.log.warn(`Sharing: what the window before has shared could not be read: ${nameOf(error)}`);
      return undefined;
    }
  }

  private async readEarlier(): Promise<StoredSharing | undefined> {
    const { secrets, state, stateKey } = this.deps;
    const id = state.get(stateKey);
    if (id === undefined || id === this.id) {
      return undefined;
    }
    if (typeof id !== 'string' || !ID.test(id)) {
      await state.update(stateKey, undefined);
      return undefined;
    }
    this.found = id;
    const sharing = (await this.isFresh(id)) ? sharingIn(await secrets.get(SECRET + id)) : undefined;
    if (!sharing) {
      await this.discard();
    }
    return sharing;
  }

  /** This window continues the sharing that {@link read} returned. The first {@link save} replaces that record. */
  take(): void {
    this.earlier = this.found;
  }

  /** Deletes the record that {@link read} returned: its sharing has ended. A window that closes leaves it to the next one. */
  async discard(): Promise<void> {
    const { found } = this;
    this.found = undefined;
    this.earlier = undefined;
    if (found !== undefined && !this.hasLeft) {
      await this.remove(found).catch((error: unknown) =>
        this.deps.log.warn(`Sharing: what the window before has stored could not be deleted: ${nameOf(error)}`),
      );
    }
  }

  /** Stores the sharing as it is now. Undefined: nothing is shared. */
  save(sharing: StoredSharing | undefined): void {
    if (!this.hasLeft) {
      this.wanted = sharing;
      this.write();
    }
  }

  /** The window closes: the next one may continue. Resolves when the record is stored, and changes nothing more. */
  leave(): Promise<void> {
    if (!this.hasLeft) {
      this.hasLeft = true;
      this.beat?.dispose();
      try {
        utimesSync(this.fileOf(this.id), this.deps.clock.now() / 1000, this.deps.clock.now() / 1000);
      } catch {
        // Nothing is stored.
      }
    }
    return this.writing;
  }

  /** Writes at once, because a token that was revoked must not be valid again after a crash. */
  private write(): void {
    if (!this.isWriting) {
      this.isWriting = true;
      this.writing = this.writeAll();
    }
  }

  private async writeAll(): Promise<void> {
    try {
      for (let text = this.text(); text !== this.written; text = this.text()) {
        await (text === undefined ? this.remove(this.id) : this.store(text));
        this.written = text;
        this.follow();
      }
    } catch (error) {
      if (!this.hasFailed) {
        this.hasFailed = true;
        this.deps.log.warn(`Sharing: it ends with this window, because it could not be stored: ${nameOf(error)}`);
      }
      await this.remove(this.id).catch(() => undefined);
      this.written = undefined;
    } finally {
      this.isWriting = false;
    }
  }

  private text(): string | undefined {
    return this.wanted && this.deps.limit() !== undefined ? textOfSharing(this.wanted) : undefined;
  }

  private async store(text: string): Promise<void> {
    const { clock, secrets, state, stateKey, folder } = this.deps;
    await secrets.store(SECRET + this.id, text);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(this.fileOf(this.id), '', { mode: 0o600 });
    await utimes(this.fileOf(this.id), clock.now() / 1000, clock.now() / 1000);
    if (state.get(stateKey) !== this.id) {
      await state.update(stateKey, this.id);
    }
    const { earlier } = this;
    this.earlier = undefined;
    await (earlier === undefined ? undefined : this.remove(earlier));
  }

  private async remove(id: string): Promise<void> {
    const { secrets, state, stateKey } = this.deps;
    await Promise.all([
      // Without its id, the secret is not found, so the id is removed also when the secret storage does not work.
      state.get(stateKey) === id ? state.update(stateKey, undefined) : undefined,
      rm(this.fileOf(id), { force: true }),
      secrets.delete(SECRET + id),
    ]);
  }

  /** Shows that the window is there, while something is stored. */
  private follow(): void {
    this.beat?.dispose();
    this.beat = undefined;
    if (this.written === undefined || this.hasLeft) {
      return;
    }
    this.beat = this.deps.clock.after(BEAT_MS, async () => {
      const now = this.deps.clock.now() / 1000;
      // Another window has deleted the record of a computer that was asleep.
      const isThere = await utimes(this.fileOf(this.id), now, now).then(
        () => true,
        () => false,
      );
      this.written = isThere ? this.written : '';
      this.follow();
      this.write(); // The setting may have changed.
    });
  }

  private async isFresh(id: string): Promise<boolean> {
    const limit = this.deps.limit();
    const age = limit === undefined ? undefined : await this.ageOf(id);
    return limit !== undefined && age !== undefined && age >= -BEAT_MS && age <= limit + BEAT_MS;
  }

  private async ageOf(id: string): Promise<number | undefined> {
    return stat(this.fileOf(id)).then(
      ({ mtimeMs }) => this.deps.clock.now() - mtimeMs,
      () => undefined,
    );
  }

  /** Deletes the records of windows that have not come back. */
  private async sweep(): Promise<void> {
    for (const id of await readdir(this.deps.folder).catch(() => [])) {
      if (ID.test(id) && id !== this.id && ((await this.ageOf(id)) ?? 0) > ABANDONED_MS) {
        await this.remove(id);
      }
    }
  }

  private fileOf(id: string): string {
    return path.join(this.deps.folder, id);
  }
}

/** The kind of an error, because its message may contain a value. */
function nameOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';
}
