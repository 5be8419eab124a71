/** The evidence of the author of a file change in one turn: the agent, the user, or both. */
import path from 'node:path';
import { type FileState, sameState } from '../../core/fileChanges/records';
import type { FileStat } from '../disk/diskFiles';
import { isBelow } from '../disk/git';
import { slackOf } from './fileStates';
import type { BroughtFiles } from './filesSnapshot';
import type { TextStep } from '../hunks/replayTurn';
import { TurnEdits } from './turnEdits';
import type { UnwatchedFiles } from './unwatchedFiles';

export type UserOperation = 'created' | 'deleted' | 'renamed';

interface Interval {
  readonly from: number;
  to: number;
}

interface UserCommand extends Interval {
  readonly cwd: string | undefined;
  /** True for a command in an earlier window. The calls of the agent that ran beside it are not known. */
  readonly isEarlier: boolean;
}

export interface FileOperation {
  readonly what: UserOperation;
  readonly path: string;
  readonly oldPath?: string | undefined;
  readonly at: number;
}

/** An action of the user in a turn, as a later window needs it. Paths are real. */
export type UserFact =
  | { readonly kind: 'typed'; readonly path: string }
  | { readonly kind: 'made'; readonly path: string; readonly state: FileState }
  | { readonly kind: 'operation'; readonly operation: FileOperation }
  | { readonly kind: 'command'; readonly from: number; readonly to: number; readonly cwd?: string };

/** A changed file at the end of a turn. */
export interface ChangedByTurn {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly stat: FileStat | undefined;
  /** True when a tool call or a write of the session named the file. */
  readonly named: boolean;
  /** The time in ms since the epoch when the file was first named and still had the state from before the turn. */
  readonly namedUnchangedAt?: number | undefined;
  /** The time in ms since the epoch of the last change in the turn before the file was first named. */
  readonly changedBeforeNamed?: number | undefined;
  /** True when the file has one of the texts that the agent reported; undefined when it reported none. */
  readonly hasReported: boolean | undefined;
  /** The state that the user's restore or undo wrote last, in any session. */
  readonly restored: FileState | undefined;
  /** Reads the file's texts. Needed only for edited documents. */
  texts(): Promise<{ readonly before: string | undefined; readonly after: string | undefined }>;
  /** Returns the state of another file before the turn. */
  stateBefore(path: string): FileState | undefined;
  /** Returns the state of another file after the turn. */
  stateAfter(path: string): FileState | undefined;
}

export interface Authorship {
  readonly author: 'agent' | 'user' | 'shared';
  /** True when the user, or a command of the user, is certainly the other author. */
  readonly withUser?: true;
  /** True when no window followed the turn while the file changed, and nothing says who changed it. */
  readonly unseen?: true;
  /** Present when both wrote, and each part is known. */
  readonly steps?: readonly TextStep[];
}

const AGENT: Authorship = { author: 'agent' };
const USER: Authorship = { author: 'user' };
const SHARED: Authorship = { author: 'shared' };
const WITH_USER: Authorship = { author: 'shared', withUser: true };
const UNWATCHED: Authorship = { author: 'shared', unseen: true };

/** ms around the second of a git operation in which VS Code reports it, or in which a tool call that was reported late has run. */
const BEFORE_MS = 1000;
const AFTER_MS = 5000;
const SECOND = 1000;
/** The ms by which VS Code may report the start of a command late, and by which its last write may be later than its reported end. */
const COMMAND_BEFORE_MS = 1000;
const COMMAND_AFTER_MS = 250;

export class TurnAuthors {
  readonly edits = new TurnEdits();
  /** Present for a turn that an earlier window has begun. */
  unwatched: UnwatchedFiles | undefined;
  /** The states that the user saved or made last, by path. */
  private readonly states = new Map<string, Promise<FileState>>();
  private readonly operations: FileOperation[] = [];
  private readonly commands: UserCommand[] = [];
  /** The files in which the user typed in an earlier window. */
  private readonly typedEarlier = new Set<string>();
  private readonly gitEvents: { readonly top: string; readonly at: number }[] = [];
  /** The tool calls that can run commands, by id. */
  private readonly runs = new Map<string, Interval>();

  /** @param roots the session's folders, real paths */
  constructor(private readonly roots: readonly string[] = []) {}

  userState(file: string, state: Promise<FileState>): void {
    this.states.set(file, state);
  }

  userOperation(operation: FileOperation): void {
    this.operations.push(operation);
  }

  userCommand(from: number, to: number, cwd: string | undefined, isEarlier = false): void {
    this.commands.push({ from: from - COMMAND_BEFORE_MS, to: to + COMMAND_AFTER_MS, cwd, isEarlier });
  }

  /** Adds what the user did in an earlier window of the turn. */
  earlier(fact: UserFact): void {
    switch (fact.kind) {
      case 'typed':
        this.typedEarlier.add(fact.path);
        break;
      case 'made':
        this.userState(fact.path, Promise.resolve(fact.state));
        break;
      case 'operation':
        this.userOperation(fact.operation);
        break;
      case 'command':
        this.userCommand(fact.from, fact.to, fact.cwd, true);
    }
  }

  userGit(top: string, at: number): void {
    this.gitEvents.push({ top, at });
  }

  agentRuns(toolCallId: string, isOpen: boolean, at: number): void {
    const run = this.runs.get(toolCallId);
    if (!run) {
      this.runs.set(toolCallId, { from: at, to: isOpen ? Infinity : at });
    } else {
      run.to = isOpen ? Infinity : Math.min(run.to, at);
    }
  }

  /** @param brought the git operations of the turn */
  async of(change: ChangedByTurn, brought: readonly BroughtFiles[]): Promise<Authorship> {
    const found = await this.evident(change, brought);
    const { unwatched } = this;
    if (!unwatched || found.author === 'user' || found.withUser) {
      return found;
    }
    if (found.author === 'shared') {
      return (await unwatched.has(change.path)) ? UNWATCHED : found;
    }
    const isTyped = this.typedEarlier.has(change.path) && (await unwatched.has(change.path));
    return isTyped || (await unwatched.isUnclear(change)) ? (isTyped || found.steps ? WITH_USER : UNWATCHED) : found;
  }

  private async evident(change: ChangedByTurn, brought: readonly BroughtFiles[]): Promise<Authorship> {
    const byGit = this.ofOperations(change, brought);
    if (byGit) {
      return byGit;
    }
    const { path: file, after, named, restored } = change;
    const byOperation = this.ofFileOperations(change);
    if (byOperation) {
      return byOperation;
    }
    const made = await this.states.get(file);
    // Without the texts of an earlier window, a save of the text from before the turn is no part of the change.
    const isNoChange = this.unwatched !== undefined && made !== undefined && sameState(made, change.before);
    const last = (isNoChange ? undefined : made) ?? restored ?? (await this.savedByOtherName(change));
    const isUsers = (last !== undefined && sameState(last, after)) || (restored !== undefined && sameState(restored, after));
    if (isUsers && restored !== undefined && sameState(restored, after)) {
      return USER;
    }
    const texts = this.edits.has(file) ? await change.texts() : { before: undefined, after: undefined };
    const steps = this.edits.stepsOf(file, texts.before, texts.after, isUsers);
    if (steps?.length) {
      if (isUsers && steps.every(({ author }) => author === 'user')) {
        return USER;
      }
      // A reload after a command's write is reported like one after the agent's.
      const hasUsers = steps.some(({ author }) => author === 'user') && !this.isInCommand(change);
      return hasUsers ? { author: 'agent', steps } : this.ofCommands(change);
    }
    if (last === undefined) {
      return this.ofCommands(change);
    }
    const isShared = !isUsers || (named && change.hasReported !== false) || this.edits.hasOthers(file, texts.before);
    return isShared ? WITH_USER : USER;
  }

  /** A save writes all names of a file. Returns the state that the user saved by another name; undefined when there is none. */
  private async savedByOtherName({ stat, after }: ChangedByTurn): Promise<FileState | undefined> {
    if (stat?.kind !== 'file' || stat.nlink < 2) {
      return undefined;
    }
    const saved = await Promise.all(this.states.values());
    return saved.find((state) => sameState(state, after));
  }

  /** Returns the author of a file that a git operation wrote; undefined for another file. */
  private ofOperations({ path: file, named }: ChangedByTurn, brought: readonly BroughtFiles[]): Authorship | undefined {
    const authors = new Set(
      brought.filter(({ paths }) => paths.has(file)).map(({ at, top }) => (at === undefined ? 'shared' : this.ofOperation(at, top))),
    );
    if (authors.size === 0) {
      return undefined;
    }
    const [author] = authors;
    return authors.size > 1 || author === 'shared' || (named && author === 'user')
      ? authors.has('user')
        ? WITH_USER
        : SHARED
      : author === 'user'
        ? USER
        : undefined;
  }

  private ofOperation(at: number, top: string): Authorship['author'] {
    const end = at + SECOND;
    const isUsers =
      this.commands.some(
        ({ from, to, cwd, isEarlier }) => !isEarlier && from < end && to >= at && (cwd === undefined || cwd === top || isBelow(cwd, top)),
      ) || this.gitEvents.some((event) => path.relative(event.top, top) === '' && event.at >= at - BEFORE_MS && event.at <= at + AFTER_MS);
    const isAgents = [...this.runs.values()].some(({ from, to }) => from - BEFORE_MS < end && to >= at);
    return isUsers === isAgents ? 'shared' : isUsers ? 'user' : 'agent';
  }

  /**
   * Returns the author of a file that the user created, deleted or renamed in the Explorer; undefined for another file, or one that changed since.
   */
  private ofFileOperations({ path: file, before, after, stat, named, stateBefore, stateAfter }: ChangedByTurn): Authorship | undefined {
    for (const { what, path: to, oldPath, at } of this.operations.toReversed()) {
      const isIn = (folder: string | undefined): boolean => folder !== undefined && (file === folder || isBelow(file, folder));
      if (what === 'renamed' && oldPath !== undefined && after.kind === 'none' && isIn(oldPath)) {
        const now = stateAfter(to + file.slice(oldPath.length));
        return now && !sameState(before, now) ? WITH_USER : USER;
      }
      if (what === 'renamed' && oldPath !== undefined && after.kind !== 'none' && isIn(to)) {
        const earlier = stateBefore(oldPath + file.slice(to.length));
        return earlier && sameState(earlier, after) ? USER : WITH_USER;
      }
      if (what === 'deleted' && after.kind === 'none' && isIn(to)) {
        return USER;
      }
      const isUnchanged = stat !== undefined && stat.ctimeMs <= at + slackOf(stat.ctimeMs);
      if (what === 'created' && isIn(to) && isUnchanged && !named) {
        return USER;
      }
    }
    return undefined;
  }

  private ofCommands(change: ChangedByTurn): Authorship {
    return this.isInCommand(change) ? WITH_USER : AGENT;
  }

  /** True when the user's command may have written the file, whether or not the agent named it, too. */
  private isInCommand({ path: file, stat, namedUnchangedAt, changedBeforeNamed }: ChangedByTurn): boolean {
    // A new name or other permissions change one of the times, but not that of the content.
    const times = [stat?.ctimeMs, stat?.mtimeMs, changedBeforeNamed].flatMap((at) => at ?? []);
    return this.commands.some(({ from, to, cwd }) => {
      // The time of a removal is unknown.
      const isIn = stat ? times.some((at) => at >= from - slackOf(at) && at <= to) : (namedUnchangedAt ?? 0) <= to;
      return isIn && this.reaches(cwd, file);
    });
  }

  /** True when a command may have written the file. A command in one of the session's folders may write all its files. */
  private reaches(cwd: string | undefined, file: string): boolean {
    return cwd === undefined || isBelow(file, cwd) || this.roots.some((root) => cwd === root || isBelow(cwd, root));
  }
}
