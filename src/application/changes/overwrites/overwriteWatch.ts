/**
 * Follows the files of permission requests, because an agent may have computed the whole text of a file before it asks. A file that changes while a
 * request waits is shown on its card. When the agent has written, the watch compares the file with the saved texts, and adds a notice where lines are
 * missing. It writes no file.
 */
import { isHostQuestion } from '../../../core/approval/requests';
import type { TextStep } from '../../../changes/hunks/replayTurn';
import type { PermissionSubject } from '../../../core/model/content';
import type { PermissionRequested, PermissionResolved, SessionEvent } from '../../../core/model/event';
import { entryIdOf, isAbsent, isFinalStatus, type PermissionEntry, type ToolCallEntry } from '../../../core/model/state';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { bodyOf } from '../../../core/subagents/innerEvents';
import { slotIn } from '../../../core/subagents/subagentTree';
import type { SessionStore } from '../../../session/state/store';
import { changesLostIn, compareSaved, isSameText, MAX_COMPARED, type SavedChange } from './lostLines';

export interface OverwriteWatchDependencies {
  readonly clock: Clock;
  readonly store: Pick<SessionStore, 'state' | 'append' | 'seq'>;
  readonly agentName: string;
  /** Returns the real path of a file in the session's folders; undefined for any other file. */
  resolve(file: string): Promise<string | undefined>;
  /** Returns the name by which the session knows a file. */
  nameOf(real: string): string;
  /** Returns the text on disk; undefined where there is no text. */
  read(real: string): Promise<string | undefined>;
  /** Calls `changed` after the file on disk has changed, until disposed. */
  follow(real: string, changed: () => void): Disposable;
  /** Returns the texts of a file in the running turn, oldest first. */
  steps(real: string): readonly TextStep[] | undefined;
}

/** A change that an agent's write may have removed. */
export interface OverwrittenChange extends SavedChange {
  /** Real. */
  readonly path: string;
}

interface AskedFile {
  /** Real. */
  readonly path: string;
  /** The name that the agent used. */
  readonly name: string;
  /** The text when the request arrived. */
  readonly base: string;
  /** The text on disk now. */
  present: string;
  readonly following: Disposable;
}

interface Asked {
  readonly toolCallId: string | undefined;
  readonly files: AskedFile[];
  outdated: readonly string[];
  ended: boolean;
}

interface Allowed extends OverwrittenChange {
  readonly toolCallId: string | undefined;
}

/** ms after the end of a tool call in which its write may still reach the disk, and the editor's documents. */
export const CHECK_MS = 500;
/** Files of one request, files that the user saved in a turn, and the saved texts of one file. */
const MAX_FILES = 20;
const MAX_TEXTS = 20;
/** Files of all waiting requests together, and the UTF-16 units of their texts. An agent may ask hundreds of questions at once. */
const MAX_FOLLOWED = 100;
const MAX_HELD = 16 * 1024 * 1024;
/** Notices whose texts are kept for their buttons. */
const MAX_NOTICES = 50;
/** Tool calls of these kinds, and of requests with a diff, change the files that they name. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

export class OverwriteWatch implements Disposable {
  private readonly asked = new Map<string, Asked>();
  private allowed: Allowed[] = [];
  /** The texts that the user saved in the turn, by real path. */
  private readonly saved = new Map<string, string[]>();
  /** By the id of the notice's entry. */
  private readonly notices = new Map<string, OverwrittenChange>();
  /** The changes of the turn that have a notice. */
  private readonly reported = new Set<string>();
  private checking: Disposable | undefined;
  private readonly endings = new Set<Disposable>();
  private work: Promise<void> = Promise.resolve();
  private notice = 0;
  private disposed = false;

  constructor(private readonly deps: OverwriteWatchDependencies) {}

  onEvents(events: readonly SessionEvent[], whole: boolean): void {
    if (whole) {
      return;
    }
    for (const event of events.map(bodyOf)) {
      switch (event.type) {
        case 'turn_started':
          this.saved.clear();
          this.reported.clear();
          break;
        case 'permission_requested':
          void this.request(event);
          break;
        case 'permission_resolved':
          this.resolved(event);
          break;
        case 'tool_call_update':
          if (isFinalStatus(event.patch.status ?? '')) {
            this.checkSoon();
          }
          break;
        case 'turn_ended':
        case 'disconnected':
        case 'session_failed':
        case 'session_ended':
          this.turnEnded();
          break;
      }
    }
  }

  /** Called when the user saved a document. @param real a path in one of the session's folders */
  userSaved(real: string, text: string): void {
    for (const [permissionId, asked] of this.asked) {
      asked.files.filter(({ path }) => path === real).forEach((file) => this.changed(permissionId, asked, file, text));
    }
    if (this.deps.store.state.turn && text.length <= MAX_COMPARED && (this.saved.has(real) || this.saved.size < MAX_FILES)) {
      this.saved.set(real, [...(this.saved.get(real) ?? []).slice(1 - MAX_TEXTS), text]);
    }
  }

  /** The change of a notice, or of a request that waits: its file as the agent knew it, and as it was saved since. */
  changesOf(entryId: string): readonly OverwrittenChange[] {
    const notice = this.notices.get(entryId);
    const [, asked] = [...this.asked].find(([permissionId]) => entryIdOf.permission(permissionId) === entryId) ?? [];
    const files = asked?.files.filter(({ name }) => asked.outdated.includes(name)) ?? [];
    return notice ? [notice] : files.map(({ path, base, present }) => ({ path, base, saved: present }));
  }

  dispose(): void {
    this.disposed = true;
    this.checking?.dispose();
    this.endings.forEach((ending) => ending.dispose());
    this.asked.forEach((asked) => this.end(asked));
    this.asked.clear();
    this.notices.clear();
  }

  private async request({ permissionId, subject }: PermissionRequested): Promise<void> {
    const asked: Asked = { toolCallId: subject.toolCallId, files: [], outdated: [], ended: false };
    // A write through ACP Host, about which it asks itself, is merged.
    const names = isHostQuestion(subject) ? [] : this.namesIn(subject);
    if (names.length === 0) {
      return;
    }
    this.asked.set(permissionId, asked);
    await Promise.all(names.map((name) => this.followFile(permissionId, asked, name).catch(() => undefined)));
  }

  private async followFile(permissionId: string, asked: Asked, name: string): Promise<void> {
    const { deps } = this;
    const path = await deps.resolve(name);
    const base = path === undefined || asked.ended || !this.hasRoom() ? undefined : await this.textOf(path);
    if (path === undefined || base === undefined || asked.ended || asked.files.some((file) => file.path === path) || !this.hasRoom(base)) {
      return;
    }
    const update = async (): Promise<void> => {
      const text = await this.textOf(path).catch(() => undefined);
      void (text !== undefined && this.changed(permissionId, asked, file, text));
    };
    const file: AskedFile = { path, name, base, present: base, following: deps.follow(path, () => void update()) };
    asked.files.push(file);
  }

  /** True when one more file, with this text, can be followed. */
  private hasRoom(text = ''): boolean {
    const files = [...this.asked.values()].flatMap((asked) => asked.files);
    return files.length < MAX_FOLLOWED && files.reduce((sum, { base }) => sum + base.length, text.length) <= MAX_HELD;
  }

  private changed(permissionId: string, asked: Asked, file: AskedFile, text: string): void {
    if (asked.ended) {
      return;
    }
    file.present = text;
    const paths = asked.files.filter(({ base, present }) => !isSameText(base, present)).map(({ name }) => name);
    if (paths.join('\n') !== asked.outdated.join('\n')) {
      asked.outdated = paths;
      this.deps.store.append({ type: 'permission_outdated', permissionId, paths });
    }
  }

  private resolved({ permissionId, outcome, optionId }: PermissionResolved): void {
    const asked = this.asked.get(permissionId);
    if (!asked) {
      return;
    }
    this.asked.delete(permissionId);
    this.end(asked);
    const entry = this.permission(permissionId);
    const kind = entry?.options.find((option) => option.optionId === optionId)?.kind ?? '';
    if (outcome === 'selected' && !kind.startsWith('reject_')) {
      const { toolCallId, files } = asked;
      const changed = files.filter(({ base, present }) => !isSameText(base, present));
      this.allowed.push(...changed.map(({ path, base, present }) => ({ path, base, saved: present, toolCallId })));
    }
  }

  private end(asked: Asked): void {
    asked.ended = true;
    asked.files.forEach(({ following }) => following.dispose());
  }

  private checkSoon(): void {
    if (this.allowed.length > 0 || this.saved.size > 0) {
      this.checking ??= this.deps.clock.after(CHECK_MS, () => {
        this.checking = undefined;
        this.check(this.allowed.filter(({ toolCallId }) => this.isDone(toolCallId)));
      });
    }
  }

  private turnEnded(): void {
    const known = new Map([...this.saved.keys()].map((path) => [path, this.deps.steps(path)]));
    this.checking?.dispose();
    this.checking = undefined;
    if (this.allowed.length > 0 || known.size > 0) {
      const [allowed, saved] = [this.allowed, new Map(this.saved)];
      const ending = this.deps.clock.after(CHECK_MS, () => {
        this.endings.delete(ending);
        this.check(allowed, saved, (path) => known.get(path));
      });
      this.endings.add(ending);
    }
  }

  private check(allowed: readonly Allowed[], saved: ReadonlyMap<string, readonly string[]> = this.saved, steps = this.deps.steps): void {
    this.allowed = this.allowed.filter((change) => !allowed.includes(change));
    const checks = new Map([...saved].map(([path, texts]) => [path, { texts, steps: steps(path) ?? [] }]));
    this.work = this.work
      .then(async () => {
        for (const change of allowed) {
          this.compare(change, await this.textOf(change.path));
        }
        for (const [path, { texts, steps: known }] of checks) {
          const present = known.length === 0 ? undefined : await this.textOf(path);
          const all =
            present === undefined || known.at(-1)!.text === present ? known : [...known, { author: 'agent', text: present } as const];
          const isSaved = (text: string): boolean => texts.includes(text);
          changesLostIn(all, present ?? '', isSaved).forEach((change) => this.compare({ path, ...change }, present));
        }
      })
      .catch(() => undefined);
  }

  private compare({ path, base, saved }: OverwrittenChange, present: string | undefined): void {
    const { type } = compareSaved({ base, saved }, present ?? '');
    const key = JSON.stringify([path, saved]);
    if (type === 'kept' || this.reported.has(key) || this.disposed) {
      return;
    }
    this.reported.add(key);
    const noticeId = `overwritten-${this.deps.store.seq}-${++this.notice}`;
    this.notices.set(entryIdOf.notice(noticeId), { path, base, saved });
    if (this.notices.size > MAX_NOTICES) {
      this.notices.delete(this.notices.keys().next().value!);
    }
    const code = type === 'lost' ? 'changes.overwritten' : 'changes.maybe_overwritten';
    const params = { agent: this.deps.agentName, path: this.deps.nameOf(path) };
    this.deps.store.append({ type: 'notice', noticeId, severity: 'warning', title: '', failure: { code, params } });
  }

  private async textOf(real: string): Promise<string | undefined> {
    const text = await this.deps.read(real);
    return text !== undefined && text.length <= MAX_COMPARED ? text : undefined;
  }

  private isDone(toolCallId: string | undefined): boolean {
    const call = toolCallId === undefined ? undefined : this.call(toolCallId);
    return call !== undefined && isFinalStatus(call.status);
  }

  private namesIn(subject: PermissionSubject): readonly string[] {
    const call = subject.toolCallId === undefined ? undefined : this.call(subject.toolCallId);
    const content = subject.content?.some(({ type }) => type === 'diff') ? subject.content : (call?.content ?? []);
    const changed = content.flatMap((each) => (each.type === 'diff' ? each.changes.flatMap(({ path, oldPath }) => oldPath ?? path) : []));
    const isChanging = CHANGING.has(subject.kind ?? call?.toolKind ?? '');
    const locations = isChanging && changed.length === 0 ? (subject.locations?.length ? subject.locations : (call?.locations ?? [])) : [];
    return [...new Set([...changed, ...locations.map(({ path }) => path)])].slice(0, MAX_FILES);
  }

  private call(toolCallId: string): ToolCallEntry | undefined {
    const slot = slotIn(this.deps.store.state, entryIdOf.toolCall(toolCallId));
    return slot?.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
  }

  private permission(permissionId: string): PermissionEntry | undefined {
    const slot = slotIn(this.deps.store.state, entryIdOf.permission(permissionId));
    return slot?.kind === 'permission' && !isAbsent(slot) ? slot : undefined;
  }
}
