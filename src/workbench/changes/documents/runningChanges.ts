/**
 * The changes that agents have made so far in running turns, in the files of visible editors. They are shown before the review has them, and no command
 * acts on them.
 */
import * as vscode from 'vscode';
import { RunningHunks } from '../../../changes/review/runningHunks';
import type { RunningTexts } from '../../../changes/turns/runningTexts';
import type { FileState } from '../../../core/fileChanges/records';
import type { LiveHunks } from '../../../changes/hunks/liveHunks';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';

/** A session, as far as its running turn is shown. */
export interface RunningSession {
  readonly key: string;
  /** The turn that runs. */
  readonly turnId: string | undefined;
  /** Absent: changes are not reviewed. */
  readonly review: { file(path: string): { readonly hunks?: LiveHunks } | undefined } | undefined;
  readonly recorder: { running(path: string): RunningTexts | undefined };
  /** True for a real path in one of the session's folders. */
  holds(real: string): boolean;
  textOf(real: string, state: FileState): Promise<string | undefined>;
  /** Resolves when the review has the changes of the turns that have ended. */
  settled(): Promise<void>;
}

/** A file with changes of a running turn. */
export interface RunningFile<S extends RunningSession = RunningSession> {
  readonly changes: S;
  readonly file: { readonly path: string; readonly hunks: LiveHunks };
}

export interface RunningChangesDependencies<S extends RunningSession> {
  readonly clock: Clock;
  sessions(): readonly S[];
  realPathOf(name: string): string;
  onDidChange(): void;
}

interface Shown<S extends RunningSession> {
  readonly changes: S;
  readonly path: string;
  readonly turnId: string;
  /** Undefined when the text before the turn is not known. */
  readonly running: RunningHunks | undefined;
  isNamed: boolean;
  hunks: LiveHunks | undefined;
}

/** ms in which changes are handled together. */
const LOOK_MS = 100;

export class RunningChanges<S extends RunningSession> implements Disposable {
  private readonly owned = new DisposableStore();
  /** By session and real path. */
  private readonly shown = new Map<string, Shown<S>>();
  private looking: Disposable | undefined;
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly deps: RunningChangesDependencies<S>) {
    const look = (): void => this.look();
    this.owned.add(vscode.workspace.onDidChangeTextDocument(look));
    this.owned.add(vscode.window.onDidChangeVisibleTextEditors(look));
    this.owned.add({ dispose: () => this.looking?.dispose() });
  }

  /** True when some file has changes to show. */
  get isAny(): boolean {
    return this.files.length > 0;
  }

  /** The changes in the file with this real path. A file that sessions have named is theirs alone. */
  at(real: string): readonly RunningFile<S>[] {
    const found = this.files.filter(({ path }) => path === real);
    const named = found.filter(({ isNamed }) => isNamed);
    return (named.length > 0 ? named : found.slice(0, 1)).map(({ changes, path, hunks }) => ({ changes, file: { path, hunks: hunks! } }));
  }

  /** Called when events of a session may have changed what is shown. */
  look(): void {
    const isRunning = this.deps.sessions().some(({ turnId, review }) => turnId !== undefined && review);
    if (this.owned.disposed || (!isRunning && this.shown.size === 0)) {
      return;
    }
    this.looking ??= this.deps.clock.after(LOOK_MS, () => {
      this.looking = undefined;
      this.work = this.work.then(() => this.update()).catch(() => undefined);
    });
  }

  dispose(): void {
    this.owned.dispose();
    this.shown.clear();
  }

  private get files(): readonly Shown<S>[] {
    const sessions = this.deps.sessions();
    return [...this.shown.values()].filter(
      ({ hunks, changes, path }) => hunks && hunks.hunks.length > 0 && !changes.review?.file(path)?.hunks && sessions.includes(changes),
    );
  }

  private async update(): Promise<void> {
    this.removeEnded();
    const documents = new Set(vscode.window.visibleTextEditors.map(({ document }) => document).filter(({ uri }) => uri.scheme === 'file'));
    let isChanged = false;
    for (const document of documents) {
      const real = this.deps.realPathOf(document.uri.fsPath);
      for (const changes of this.deps.sessions()) {
        // The review follows a file that has waited before, and its changes can be kept and undone meanwhile.
        if (changes.turnId !== undefined && changes.review && changes.holds(real) && !changes.review.file(real)?.hunks) {
          isChanged = (await this.updateFile(changes, real, document)) || isChanged;
        }
      }
    }
    if (isChanged && !this.owned.disposed) {
      this.deps.onDidChange();
    }
  }

  /** Resolves to true when something else is shown. */
  private async updateFile(changes: S, real: string, document: vscode.TextDocument): Promise<boolean> {
    const texts = changes.recorder.running(real);
    if (!texts || (!texts.isNamed && !texts.steps.some(({ author }) => author === 'agent'))) {
      return false;
    }
    const id = `${changes.key} ${real}`;
    const { turnId, steps, isNamed } = texts;
    const known = this.shown.get(id);
    // The name may bring a copy from before the turn.
    const isKnown = known?.turnId === turnId && (known.running !== undefined || known.isNamed === isNamed);
    const shown: Shown<S> = isKnown
      ? known
      : { changes, path: real, turnId, running: await runningHunks(changes, real, texts), isNamed, hunks: undefined };
    const before = shown.hunks;
    shown.isNamed = isNamed;
    shown.hunks = await shown.running?.update(steps, document.getText());
    this.shown.set(id, shown);
    return shown !== known || !isSame(before, shown.hunks);
  }

  /** The changes of a turn that has ended are shown until the review has them. */
  private removeEnded(): void {
    const sessions = this.deps.sessions();
    for (const [id, shown] of this.shown) {
      if (!sessions.includes(shown.changes)) {
        this.shown.delete(id);
      } else if (shown.changes.turnId !== shown.turnId) {
        void shown.changes.settled().then(() => {
          if (this.shown.get(id) === shown) {
            this.shown.delete(id);
            this.deps.onDidChange();
          }
        });
      }
    }
  }
}

async function runningHunks(
  changes: RunningSession,
  real: string,
  { turnId, steps, before }: RunningTexts,
): Promise<RunningHunks | undefined> {
  const state = await before();
  const [first] = steps;
  // The document was open before the agent's first write, unless it had unsaved text.
  const text = (state && (await changes.textOf(real, state))) ?? (first?.author === 'agent' ? first.text : undefined);
  return text === undefined ? undefined : new RunningHunks(text, turnId);
}

function isSame(one: LiveHunks | undefined, other: LiveHunks | undefined): boolean {
  return one?.text === other?.text && one?.hunks.length === other?.hunks.length;
}
