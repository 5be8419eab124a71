/** The places that show pending changes: a source control with a group for each session, editors with their gutter, and code lenses. Loaded with the first of them. */
import * as vscode from 'vscode';
import { isBehindDisk } from '../../../changes/undo/followedTexts';
import { isUndoable } from '../../../changes/review/reviewFile';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';
import { baselineScheme, changeCommands, changesProvider } from '../../../application/shared/changeCommandIds';
import { type InertText, joined } from '../../../application/shared/escape';
import { t } from '../../shared/l10n';
import type { Session } from '../../../session/session';
import { loadTitles, titleLabel, titleOf } from '../../../application/shared/sessionTitle';
import {
  createSourceControl,
  type Lens,
  registerHovers,
  registerLenses,
  type SourceControl,
  type SourceControlGroup,
} from './sourceControl';
import { BaselineDocuments } from '../versions/baselineDocuments';
import { ChangeDecorations } from './changeDecorations';
import { behindDiskLenses, changeLenses } from './changeLenses';
import { changeText } from '../../../application/changes/text/changeText';
import { GitCounts } from '../../git/gitCounts';
import { hunkLinks } from './hunkLinks';
import { ChangeTargets } from './changeTargets';
import { isInDiff } from './documentTargets';
import type { OpenReviews } from './openReviews';
import { removedLines } from './removedLines';
import { ReviewContext } from './reviewContext';
import { groupId, type PendingFile, type PendingFiles, sessionsIn } from '../session/pendingFiles';
import { sharedAuthors, sharedText } from '../../../application/changes/text/sharedAuthors';
import { turnTitle } from '../text/turnTitles';
import { uncountedFiles } from '../../git/uncountedFiles';

/** A row of the source control. */
export interface ChangeRow extends vscode.SourceControlResourceState {
  readonly sessionKey: string;
  /** Real. */
  readonly path: string;
  /** The turn of its group, where the session has changes of several; then only what that turn changed is meant. */
  readonly turnId?: string;
}

/** ms after a change until it is drawn: typing changes what waits with every key. */
const DRAW_MS = 100;
const MAX_TITLE = 60;
/** UTF-16 units of a title in a code lens. The actions of several sessions can be in one row. */
const MAX_LENS_TITLE = 24;

export class ReviewSurfaces implements Disposable {
  readonly baselines: BaselineDocuments;
  private readonly store = new DisposableStore();
  private readonly lensesChanged = this.store.add(new vscode.EventEmitter<void>());
  private readonly context: ReviewContext;
  private readonly decorations: ChangeDecorations;
  private readonly git: GitCounts;
  private control: SourceControl | undefined;
  /** True when Git had no repository when the source control was made. */
  private isBeforeGit = false;
  private readonly groups = new Map<string, SourceControlGroup>();
  private drawing: Disposable | undefined;

  constructor(
    private readonly changes: PendingFiles,
    private readonly clock: Clock,
    reviews: OpenReviews,
  ) {
    const { store } = this;
    const targets = new ChangeTargets(changes, reviews);
    this.git = store.add(new GitCounts(clock, () => this.later()));
    this.baselines = store.add(new BaselineDocuments(changes));
    store.add(registerLenses({ scheme: 'file' }, this.lensesChanged.event, (document) => this.lensesOf(document)));
    store.add(
      registerHovers(
        [{ scheme: 'file' }, { scheme: baselineScheme }],
        (document, line) => {
          const { uri } = document;
          const files = uri.scheme === 'file' ? inText([...changes.pendingAt(uri), ...changes.runningAt(uri)], document) : [];
          return removedLines(files, line, titleOfPending, t);
        },
        ({ uri }, line) => (isInDiff(uri) || reviews.inFront ? hunkLinks(targets.atLine(uri, line), titleOfPending, t) : []),
      ),
    );
    this.context = store.add(new ReviewContext(changes, reviews));
    this.decorations = store.add(new ChangeDecorations(changes));
    store.add(changes.onDidChange(() => this.later()));
    void loadTitles().then(() => this.later());
    this.draw();
  }

  dispose(): void {
    this.drawing?.dispose();
    this.removeControl();
    this.store.dispose();
  }

  private later(): void {
    this.drawing ??= this.clock.after(DRAW_MS, () => {
      this.drawing = undefined;
      this.draw();
    });
  }

  private draw(): void {
    const { pending } = this.changes;
    this.context.update();
    // VS Code's status bar shows the window's first source control until an editor of a file is in front. Git's comes first, for its branch.
    if (pending.length === 0 || (this.isBeforeGit && this.git.hasRepositories)) {
      this.removeControl();
    }
    if (pending.length > 0 && this.git.isSettled) {
      this.drawGroups(pending);
    }
    this.lensesChanged.fire();
    this.decorations.draw();
    void this.baselines.refresh();
  }

  private drawGroups(pending: readonly PendingFile[]): void {
    const control = (this.control ??= this.makeControl());
    const groups = sessionsIn(pending).flatMap(({ session, turns }) =>
      turns.map(({ turnId, parts }) => ({
        id: groupId(session.key, turns.length > 1 ? turnId : undefined),
        label: turns.length > 1 ? joined([titleIn(session), turnTitle(session, turnId, MAX_TITLE)], ' · ') : titleIn(session),
        rows: parts.map(({ pending: file, hunkIds }) => this.rowOf(file, hunkIds, turns.length > 1 ? turnId : undefined)),
      })),
    );
    // VS Code shows groups in the order in which they were made: another order needs new ones.
    const wanted = groups.map(({ id }) => id);
    const kept = [...this.groups.keys()].filter((id) => wanted.includes(id));
    const isSameOrder = kept.every((id, index) => wanted[index] === id);
    for (const [id, group] of this.groups) {
      if (!isSameOrder || !wanted.includes(id)) {
        group.dispose();
        this.groups.delete(id);
      }
    }
    for (const { id, label, rows } of groups) {
      const group = this.groups.get(id) ?? control.createResourceGroup(id, label);
      this.groups.set(id, group);
      group.label = label;
      group.resourceStates = rows;
    }
    // The view adds up the counts of all source controls. Most files are in Git's count already.
    const names = pending.map(({ changes, file }) => [file.path, changes.uriOf(file.path).fsPath] as const);
    control.count = uncountedFiles(names, this.git.counted);
  }

  private makeControl(): SourceControl {
    const control = createSourceControl(changesProvider, t('ACP Changes'));
    this.isBeforeGit = !this.git.hasRepositories;
    control.inputBox.visible = false;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) => {
        const [pending] = (uri.scheme === 'file' ? this.changes.pendingAt(uri) : []).filter(({ file }) => file.hunks);
        return pending && this.baselines.uriOf(pending);
      },
    };
    return control;
  }

  private removeControl(): void {
    this.groups.forEach((group) => group.dispose());
    this.groups.clear();
    this.control?.dispose();
    this.control = undefined;
  }

  /** @param hunkIds absent: all of the file's. @param turnId of the group, where there are several for the session */
  private rowOf({ changes, file }: PendingFile, hunkIds: readonly number[] | undefined, turnId: string | undefined): ChangeRow {
    const hunks = file.hunks?.hunks.filter(({ hunkId }) => hunkIds?.includes(hunkId) ?? true) ?? [];
    const reviewed = hunks.filter((hunk) => hunk.reviewed).length;
    const what = changeText(file, t);
    const counts =
      hunks.length === 0
        ? undefined
        : reviewed === 0
          ? t('Changes: {count}', { count: hunks.length })
          : t('Changes: {count}, reviewed: {reviewed}', { count: hunks.length, reviewed });
    const shared = file.shared ? [sharedText(sharedAuthors(file, this.titleOfKey), t)] : [];
    const tooltip = joined([what, ...(counts ? [counts] : []), ...shared], '. ');
    const row = {
      resourceUri: changes.uriOf(file.path),
      sessionKey: changes.key,
      path: file.path,
      contextValue: isUndoable(file) ? 'file' : 'unknown',
      ...(turnId !== undefined && { turnId }),
      decorations: { strikeThrough: file.isDeleted && !file.isBack, faded: hunks.length > 0 && reviewed === hunks.length, tooltip },
    };
    // VS Code shows it as it is; its argument is the row.
    return { ...row, command: { command: changeCommands.openFileChanges, title: t('Open Changes'), arguments: [row] } };
  }

  private readonly titleOfKey = (key: string, max = MAX_TITLE): InertText | undefined => {
    const changes = this.changes.get(key);
    return changes && titleIn(changes.session, max);
  };

  private lensesOf(document: vscode.TextDocument): readonly Lens[] {
    const titleOfLens = (key: string): InertText | undefined => this.titleOfKey(key, MAX_LENS_TITLE);
    const { uri, lineCount } = document;
    const [pending, running] = [this.changes.pendingAt(uri), this.changes.runningAt(uri)];
    const [shown, runs] = [inText(pending, document), inText(running, document)];
    const isBehind = shown.length + runs.length < pending.length + running.length;
    const lenses = [...(isBehind ? behindDiskLenses(uri, t) : []), ...changeLenses(shown, runs, lineCount, titleOfLens, t)];
    return lenses.map(({ line, ...lens }) => ({ ...lens, range: new vscode.Range(line, 0, line, 0) }));
  }
}

/** Leaves out the files whose changes the unsaved text of the document does not have. */
function inText<F extends { readonly file: Pick<PendingFile['file'], 'hunks'> }>(
  files: readonly F[],
  document: vscode.TextDocument,
): readonly F[] {
  return files.filter(({ file }) => !isBehindDisk(document, file.hunks));
}

function titleOfPending({ changes }: Pick<PendingFile, 'changes'>): InertText {
  return titleIn(changes.session);
}

function titleIn({ store }: Session, max = MAX_TITLE): InertText {
  return titleLabel(titleOf(store.state), max);
}
