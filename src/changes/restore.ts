/**
 * Going back to how files stood at a message. What is written is what was kept of files that a turn has touched; nothing else is looked at, and of a
 * repository only working files. A restore is itself a record, with what it found: it can be taken back like a turn.
 */
import path from 'node:path';
import { type ChangeRecord, type FileRecord, type FileState, sameState, statesAfter, statesBefore } from '../core/fileChanges/records';
import type { ChangeLog } from './store/changeLog';
import type { FileStates } from './turns/fileStates';

/** One file of a preview. */
export interface RestoreFile {
  readonly path: string;
  /** none: it is already as it was; unavailable: no earlier version was kept. */
  readonly action: 'write' | 'create' | 'delete' | 'none' | 'unavailable';
  readonly to: FileState;
  readonly now: FileState;
  /** Somebody has changed it since the agent did: it stays as it is unless it is chosen. */
  readonly changedSince: boolean;
}

export interface RestorePlan {
  /** ms since the epoch: when the files stood so. */
  readonly at: number;
  readonly files: readonly RestoreFile[];
}

export interface RestoreResult {
  /** What takes it back; undefined when there was nothing to do. */
  readonly restoreId: string | undefined;
  readonly restored: readonly string[];
  /** Those that were changed between preview and restore, or could not be written: they are as they were. */
  readonly left: readonly string[];
}

/** Writes a file as it was; the window does it in the editor where the file is open. */
export interface RestoreTarget {
  write(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  link(path: string, target: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface RestoreDependencies {
  readonly states: FileStates;
  readonly log: ChangeLog;
  /** Absent: on disk. */
  readonly target?: RestoreTarget;
  /** False for what is in none of the session's folders. */
  contains(path: string): Promise<boolean>;
  now(): number;
  mintId(): string;
}

export class Restore {
  constructor(private readonly ports: RestoreDependencies) {}

  /** The messages that can be gone back to, oldest first. */
  async checkpoints(): Promise<readonly { readonly turnId: string; readonly at: number }[]> {
    return (await this.ports.log.records()).filter((record) => record.type === 'checkpoint');
  }

  /** Of the newest restore. */
  async lastRestoreId(): Promise<string | undefined> {
    return (await this.ports.log.records()).findLast((record) => record.type === 'restore')?.restoreId;
  }

  /** What a file is now. */
  async stateOf(file: string): Promise<FileState> {
    return (await this.ports.states.of(file, false)).state;
  }

  /** What going back to before this message would do; undefined for a message that is not known. */
  async toCheckpoint(turnId: string): Promise<RestorePlan | undefined> {
    const records = await this.ports.log.records();
    const from = records.findIndex((record) => record.type === 'checkpoint' && record.turnId === turnId);
    return from < 0 ? undefined : this.plan(records, from, statesBefore(records, from));
  }

  /** What taking back a restore would do. */
  async undoing(restoreId: string): Promise<RestorePlan | undefined> {
    const records = await this.ports.log.records();
    const from = records.findIndex((record) => record.type === 'restore' && record.restoreId === restoreId);
    return from < 0 ? undefined : this.plan(records, from, statesBefore(records.slice(0, from + 1), from));
  }

  /** @param chosen of the files that were changed since, those to be written all the same */
  async perform(plan: RestorePlan, chosen: readonly string[] = []): Promise<RestoreResult> {
    const { states, log, now, mintId } = this.ports;
    const left: string[] = [];
    const files: FileRecord[] = [];
    for (const file of plan.files) {
      if (file.action === 'none' || file.action === 'unavailable' || (file.changedSince && !chosen.includes(file.path))) {
        continue;
      }
      const { state } = await states.of(file.path, true);
      if (sameState(state, file.now) && (state.kind !== 'file' || state.kept)) {
        files.push({ path: file.path, before: state, after: file.to });
      } else {
        left.push(file.path);
      }
    }
    if (files.length === 0) {
      return { restoreId: undefined, restored: [], left };
    }
    const restoreId = mintId();
    await log.append({ type: 'restore', restoreId, at: now(), files });
    const restored: string[] = [];
    // What goes makes room for what comes: a file may have been where a folder is to be.
    for (const { path: file, after } of [...files].sort(
      (one, other) => Number(other.after.kind === 'none') - Number(one.after.kind === 'none'),
    )) {
      await this.write(file, after, plan.at).then(
        () => restored.push(file),
        () => left.push(file),
      );
    }
    return { restoreId, restored, left };
  }

  private async plan(records: readonly ChangeRecord[], from: number, wanted: ReadonlyMap<string, FileState>): Promise<RestorePlan> {
    const { states } = this.ports;
    const left = statesAfter(records);
    const files: RestoreFile[] = [];
    for (const [file, to] of wanted) {
      const { state: now } = await states.of(file, false);
      const after = left.get(file);
      // What is too large to be compared by its content may have been changed by anybody.
      const changedSince = !(after && sameState(after, now));
      files.push({ path: file, to, now, action: await this.actionOf(file, to, now), changedSince });
    }
    return { at: records[from]!.at, files: files.sort((one, other) => (one.path < other.path ? -1 : 1)) };
  }

  private async actionOf(file: string, to: FileState, now: FileState): Promise<RestoreFile['action']> {
    if (sameState(to, now)) {
      return 'none';
    }
    const isOurs = (await this.ports.contains(file)) && !file.split(path.sep).includes('.git');
    // What is there cannot be kept, so it is not written over.
    const isKeepable = now.kind !== 'unknown';
    if (!isOurs || !isKeepable || to.kind === 'unknown' || (to.kind === 'file' && !(await this.ports.states.store.has(to.hash)))) {
      return 'unavailable';
    }
    return to.kind === 'none' ? 'delete' : now.kind === 'none' ? 'create' : 'write';
  }

  private async write(file: string, state: FileState, at: number): Promise<void> {
    const { states } = this.ports;
    const target = this.ports.target ?? states.files;
    if (state.kind !== 'none' && (await states.files.stat(file))?.kind === 'folder') {
      // It had taken the file's place; one that is not empty stays, and the file is left.
      await states.files.removeEmptyFolder(file);
    }
    if (state.kind === 'file') {
      const bytes = await states.store.get(state.hash);
      if (!bytes) {
        throw new Error(`Not kept: ${file}`);
      }
      await target.write(file, bytes, state.mode);
    } else if (state.kind === 'link') {
      await target.link(file, state.target);
    } else if (state.kind === 'none') {
      await target.remove(file);
      await this.removeFolders(path.dirname(file), at);
    }
  }

  /** Those that were made since, and are empty now. */
  private async removeFolders(folder: string, at: number): Promise<void> {
    const { files } = this.ports.states;
    for (let here = folder; here !== path.dirname(here) && (await this.ports.contains(here)); here = path.dirname(here)) {
      const stat = await files.stat(here);
      if (!stat || stat.birthtimeMs < at || (await files.list(here)).length > 0) {
        return;
      }
      await files.removeEmptyFolder(here);
    }
  }
}
