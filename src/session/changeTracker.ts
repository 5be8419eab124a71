/**
 * Passes a session's events to the recorder of changes, and the changes found on disk to the session. Loaded with the first turn. No operation of a
 * session waits for it.
 */
import { type FoundChanges, withFound } from '../core/toolCalls/foundChanges';
import { turnChanges } from '../core/toolCalls/turnChanges';
import type { FileChange, ToolContent } from '../core/model/content';
import type { SessionEvent, ToolCallUpdate } from '../core/model/event';
import type { Clock } from '../core/platform/clock';
import { entryIdOf, isAbsent, type ToolCallEntry, type TurnEntry } from '../core/model/state';
import { bodyOf } from '../core/subagents/innerEvents';
import { slotIn } from '../core/subagents/subagentTree';
import type { AnnouncedChange, ChangeRecorder, RecordedTurn } from '../changes/turns/changeRecorder';
import type { FileGuard } from '../fs/fileService';
import type { LazyListener } from './listenLazily';
import type { RunningFiles } from './runningFiles';
import type { SessionStore } from './state/store';

/** Tool calls of these kinds change the files that they name. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
/** Tool calls of these kinds, and of unknown kinds, can run commands. */
const WITHOUT_COMMANDS: ReadonlySet<string> = new Set(['read', 'edit', 'delete', 'move', 'search', 'think', 'fetch', 'switch_mode']);
const OPEN: ReadonlySet<string> = new Set(['pending', 'in_progress']);
/** ms until the changes found on disk are added although those that the agent reported are not counted yet. */
const COUNTING_MS = 10_000;

export class ChangeTracking implements LazyListener {
  private turnId: string | undefined;
  /** The changes of each tool call that were reported to the recorder, by call id. */
  private readonly reported = new Map<string, Set<string>>();
  private disposed = false;
  /** Settles when the turns that have ended are recorded. */
  private recording: Promise<unknown> = Promise.resolve();
  /** Open tool calls that can run commands, and running terminals. */
  private readonly running = new Set<string>();

  /** @param onRecorded called with the changes of a turn, when they are known */
  constructor(
    private readonly store: SessionStore,
    private readonly clock: Clock,
    private readonly recorder: ChangeRecorder,
    private readonly onRecorded: (turn: RecordedTurn) => void = () => undefined,
    /** Returns the session's name for a file. */
    private readonly nameOf: (path: string) => string = (path) => path,
    /** Gets the changes that were made so far. */
    private readonly changed?: RunningFiles,
  ) {}

  dispose(): void {
    this.disposed = true;
  }

  /** Continues the turn that an agent of an earlier window runs. Call it before the first event. @param since ms since the epoch, when the turn began */
  continues(turnId: string, since: number): void {
    this.turnId = turnId;
    this.recorder.turnContinued(turnId, since);
    this.changed?.turnStarted(turnId);
    let calls: string[] = [];
    const { entries, subagents } = this.store.state;
    for (const entry of entries.inMemory()) {
      if (!isAbsent(entry) && entry.kind === 'message' && entry.messageId === turnId) {
        calls = [];
      } else if (!isAbsent(entry) && entry.kind === 'tool_call') {
        calls.push(entry.toolCallId);
      }
    }
    for (const { conversation } of subagents ?? []) {
      for (const entry of conversation.entries.inMemory()) {
        void (!isAbsent(entry) && entry.kind === 'tool_call' && entry.at >= since && calls.push(entry.toolCallId));
      }
    }
    for (const toolCallId of calls) {
      this.announce({ toolCallId });
      this.followCommands({ toolCallId });
    }
  }

  /** Resolves when the changes of the turns that have ended are recorded and passed on. */
  async settled(): Promise<void> {
    await this.recording;
  }

  onEvents(events: readonly SessionEvent[], whole: boolean): void {
    if (whole) {
      return;
    }
    // A subagent's changes belong to the turn of the session, too.
    for (const event of events.map(bodyOf)) {
      switch (event.type) {
        case 'turn_started':
          this.turnId = event.turnId;
          this.reported.clear();
          this.recorder.turnStarted(event.turnId, event.at);
          this.changed?.turnStarted(event.turnId);
          // A terminal of an earlier turn still runs.
          this.running.forEach((id) => this.recorder.agentRuns(id, true));
          break;
        case 'tool_call_update':
          this.announce(event);
          this.followCommands(event);
          break;
        case 'file_written':
          void (this.turnId !== undefined && this.changed?.changed(event.file));
          break;
        case 'terminal_update':
          this.followTerminal(event.terminalId);
          break;
        case 'turn_ended':
          this.ended(event.turnId);
          break;
        case 'disconnected':
        case 'session_failed':
        case 'session_ended':
          this.ended(this.turnId);
          break;
      }
    }
  }

  private announce({ toolCallId }: Pick<ToolCallUpdate, 'toolCallId'>): void {
    const slot = slotIn(this.store.state, entryIdOf.toolCall(toolCallId));
    if (this.turnId === undefined || !slot || isAbsent(slot) || slot.kind !== 'tool_call') {
      return;
    }
    const known = this.reported.get(toolCallId) ?? new Set<string>();
    this.reported.set(toolCallId, known);
    for (const change of changesOf(slot)) {
      const { path, oldPath } = change;
      void (slot.status === 'completed' && this.changed?.changed({ operation: 'modify', ...change }));
      // A change counts once it was made. Agents report it again with each status.
      const done = slot.status === 'completed' ? reportOf(change) : {};
      const key = JSON.stringify([path, done]);
      if (!known.has(key)) {
        known.add(key);
        this.recorder.reportChange({ path, ...done });
        if (oldPath !== undefined) {
          this.recorder.reportChange({ path: oldPath });
        }
      }
    }
  }

  private followCommands({ toolCallId }: Pick<ToolCallUpdate, 'toolCallId'>): void {
    const slot = slotIn(this.store.state, entryIdOf.toolCall(toolCallId));
    if (slot && !isAbsent(slot) && slot.kind === 'tool_call' && !WITHOUT_COMMANDS.has(slot.toolKind)) {
      this.follows(`call ${toolCallId}`, OPEN.has(slot.status));
    }
  }

  private followTerminal(terminalId: string): void {
    const terminal = this.store.state.terminals[terminalId];
    this.follows(`terminal ${terminalId}`, terminal !== undefined && !terminal.exitStatus && !terminal.released);
  }

  private follows(id: string, isOpen: boolean): void {
    if (isOpen) {
      this.running.add(id);
    } else {
      this.running.delete(id);
    }
    this.recorder.agentRuns(id, isOpen);
  }

  private ended(turnId: string | undefined): void {
    if (turnId === undefined || turnId !== this.turnId) {
      return;
    }
    this.turnId = undefined;
    // No call outlives its turn, even when its end is never reported. A terminal may.
    [...this.running].filter((id) => id.startsWith('call ')).forEach((id) => this.running.delete(id));
    const recorded = this.recorder
      .turnEnded(turnId)
      .then((turn) => turn && this.found(turn))
      .catch(() => undefined);
    this.recording = Promise.all([this.recording, recorded]);
  }

  /** The changes that the agent reported are counted first, in an event of their own. */
  private async found(turn: RecordedTurn): Promise<void> {
    await this.counted(turn.turnId);
    if (this.disposed) {
      return;
    }
    const slot = this.store.state.entries.get(entryIdOf.turn(turn.turnId));
    const entry = slot && !isAbsent(slot) && slot.kind === 'turn' ? (slot satisfies TurnEntry) : undefined;
    const changes = entry && withFound(entry.changes, this.foundIn(turn));
    if (changes) {
      this.store.append({ type: 'turn_changes', turnId: turn.turnId, changes });
    }
    this.onRecorded(turn);
  }

  /** Resolves when the reported changes of a turn are counted, when the conversation is replaced, or after {@link COUNTING_MS}. */
  private async counted(turnId: string): Promise<void> {
    if (this.disposed || !turnChanges(this.store.state, turnId)) {
      return;
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        timeout.dispose();
        subscription.dispose();
        resolve();
      };
      const timeout = this.clock.after(COUNTING_MS, done);
      const subscription = this.store.onEvents((_, events, whole) => {
        if (whole || events.some((event) => event.type === 'turn_changes' && event.turnId === turnId)) {
          done();
        }
      });
    });
  }

  private foundIn({ files, named }: RecordedTurn): FoundChanges {
    const names = new Map([...named].map(([name, path]) => [path, name]));
    const nameOf = (path: string): string => names.get(path) ?? this.nameOf(path);
    const changed = new Set(files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])));
    return {
      files: files.map(({ oldPath, ...file }) => ({
        ...file,
        path: nameOf(file.path),
        ...(oldPath !== undefined && { oldPath: nameOf(oldPath) }),
      })),
      unchanged: [...named].flatMap(([name, path]) => (changed.has(path) && names.get(path) === name ? [] : [name])),
    };
  }
}

/** Lets the recorder copy a file before the host writes it for the agent. @param recorder of the session that writes, while there is one */
export function copyingBefore(guard: FileGuard, recorder: () => ChangeRecorder | undefined): FileGuard {
  return async (operation, signal) => {
    const wasAsked = await guard(operation, signal);
    if (operation.access === 'write') {
      const { path, content } = operation;
      await recorder()?.announce({ path, ...(content !== undefined && { writes: content }) });
    }
    return wasAsked;
  };
}

type NamedChange = Pick<FileChange, 'path'> & Partial<FileChange>;

function changesOf({ toolKind, locations, content }: ToolCallEntry): readonly NamedChange[] {
  const diffs = content.flatMap((part: ToolContent) => (part.type === 'diff' ? part.changes : []));
  const named = CHANGING.has(toolKind) ? locations.filter(({ path }) => !diffs.some((diff) => diff.path === path)) : [];
  // A call of version 1 names both places of a move, and does not say which one is the new one. The disk does.
  const [one, other, ...more] = toolKind === 'move' && diffs.length === 0 ? named : [];
  const isPair = one !== undefined && other !== undefined && more.length === 0;
  return [
    ...named.map(({ path }): NamedChange => {
      const oldPath = isPair ? (path === one.path ? other : one).path : undefined;
      return { path, ...(toolKind === 'delete' && { operation: 'delete' }), ...(oldPath !== undefined && { operation: 'move', oldPath }) };
    }),
    ...diffs,
  ];
}

/** Returns the change as the agent reports it once it was made. */
function reportOf({ operation, oldPath, oldText, newText }: NamedChange): Pick<AnnouncedChange, 'reported' | 'isDeleted' | 'movedFrom'> {
  // Libraries of version 1 leave out `oldText` for a new file.
  const earlier = oldText === undefined && operation === 'add' ? null : oldText;
  return {
    ...(earlier !== undefined && newText !== undefined && { reported: [{ oldText: earlier, newText }] }),
    ...(operation === 'delete' && { isDeleted: true }),
    ...(operation === 'move' && oldPath !== undefined && { movedFrom: oldPath }),
  };
}
