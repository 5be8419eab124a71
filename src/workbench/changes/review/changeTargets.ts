/** Finds what a command of the review acts on: rows, code lenses, the peek, the diff in front, or the cursor. */
import * as vscode from 'vscode';
import { hunkAtBaselineLine, hunkAtLine, hunksAt } from '../../../changes/review/hunksAtLines';
import { baselineScheme, changesProvider } from '../../../application/shared/changeCommandIds';
import { type DocumentTarget, targetOfDiff, targetOfDocument } from './documentTargets';
import { type OpenReview, type OpenReviews, reviewedFile } from './openReviews';
import { inGroup, type PendingFile, type PendingFiles, pendingOf, sessionsIn } from '../session/pendingFiles';

/** The file or hunks that a command acts on. */
export interface Target extends PendingFile {
  /** Absent: the whole file. */
  readonly hunkIds?: readonly number[];
}

/** A file or hunk, as rows and code lenses pass it. */
interface ChangeTarget extends DocumentTarget {
  readonly hunkId?: number;
}

/** A change as VS Code's peek passes it. Lines count from 1; an end of 0 marks a change without lines. */
interface LineChange {
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

/** A line as the menu of line numbers passes it, from 1. */
interface NumberedLine {
  readonly uri: vscode.Uri;
  readonly lineNumber: number;
}

export class ChangeTargets {
  constructor(
    private readonly changes: PendingFiles,
    private readonly reviews: Pick<OpenReviews, 'inFront'>,
  ) {}

  /** The hunks of a code lens, of the peek, of a line number, or under the cursor. */
  ofChanges([first, second, third]: readonly unknown[]): readonly Target[] {
    if (isChangeTarget(first) && first.hunkId !== undefined) {
      return this.fileAt(first).map((each) => ({ ...each, hunkIds: [first.hunkId!] }));
    }
    if (first instanceof vscode.Uri && Array.isArray(second) && typeof third === 'number') {
      const { modifiedStartLineNumber: from, modifiedEndLineNumber: to } = (second as readonly LineChange[])[third]!;
      const span = to === 0 ? { first: from, end: from } : { first: from - 1, end: to };
      return this.changes
        .pendingAt(first)
        .slice(0, 1)
        .flatMap((each) => hunkTarget(each, each.file.hunks ? hunksAt(each.file.hunks, span) : []));
    }
    if (isNumberedLine(first)) {
      return this.atLine(first.uri, first.lineNumber - 1);
    }
    const editor = vscode.window.activeTextEditor;
    return editor ? this.atLine(editor.document.uri, editor.selection.active.line) : [];
  }

  /** The files of the selected rows, else of the given document or the active editor. */
  ofFiles(args: readonly unknown[]): readonly Target[] {
    const targets = args.flat().filter(isChangeTarget);
    if (targets.length > 0) {
      return targets.flatMap((target) => this.at(target));
    }
    const [uri = vscode.window.activeTextEditor?.document.uri] = args;
    return uri instanceof vscode.Uri ? this.ofDocument(uri) : [];
  }

  /** The files of the selected group, which is a session or a turn, or of the review whose title has the button, else all files. */
  ofGroups([group]: readonly unknown[]): readonly Target[] {
    const review: OpenReview | undefined = group instanceof vscode.Uri ? this.reviews.inFront : {};
    if (!review) {
      return [];
    }
    // Changes that came since the review was opened are not shown there.
    return this.ofGroup(groupIdOf(group) ?? review.groupId).filter(
      ({ changes, file }) => !review.files || review.files.has(reviewedFile(changes.key, file.path)),
    );
  }

  private ofGroup(id: string | undefined): readonly Target[] {
    if (id === undefined) {
      return this.changes.pending;
    }
    const { sessionKey, turnId } = inGroup(id);
    const changes = this.changes.get(sessionKey);
    // The id of a session that is closed by now must not mean all sessions.
    const pending = changes ? pendingOf(changes).map((file) => ({ changes, file })) : [];
    return turnId === undefined ? pending : turnIn(pending, turnId);
  }

  /** The changes of the newest turn, in the session that changed the active file, else in the newest session. */
  ofTurn(): readonly Target[] {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const [here = this.changes.pending.at(-1)] = uri ? this.changes.pendingAt(uri) : [];
    const pending = here ? this.changes.pending.filter(({ changes }) => changes === here.changes) : [];
    return turnIn(pending, undefined);
  }

  /** The pending files of a document. In a diff or review of one session only the changes of that session, and of a turn only those of the turn. */
  ofDocument(uri: vscode.Uri): readonly Target[] {
    const target = targetOfDiff(uri) ?? targetOfDocument(uri);
    return target ? this.at(target) : this.inReview(this.changes.pendingAt(uri));
  }

  /** The changes at a line, from 0, of the document in front. */
  atLine(uri: vscode.Uri, line: number): readonly Target[] {
    const target = targetOfDiff(uri);
    const isBaseline = uri.scheme === baselineScheme;
    if (!isBaseline && targetOfDocument(uri)) {
      // A stored version has other lines than the review.
      return [];
    }
    const pending = this.inReview(this.changes.pendingAt(uri)).filter(({ changes }) => !target || changes.key === target.sessionKey);
    return pending.flatMap((each) => {
      const { hunks } = each.file;
      const hunk = hunks && (isBaseline ? hunkAtBaselineLine(hunks, line) : hunkAtLine(hunks, line));
      return hunkTarget(each, hunk ? [hunk] : []);
    });
  }

  private inReview(pending: readonly PendingFile[]): readonly PendingFile[] {
    const groupId = this.reviews.inFront?.groupId;
    return groupId === undefined ? pending : pending.filter(({ changes }) => changes.key === inGroup(groupId).sessionKey);
  }

  private at(target: DocumentTarget): readonly Target[] {
    const files = this.fileAt(target);
    return target.turnId === undefined ? files : files.flatMap((each) => turnIn([each], target.turnId));
  }

  private fileAt({ sessionKey, path: real }: DocumentTarget): readonly PendingFile[] {
    const changes = this.changes.get(sessionKey);
    const file = changes && pendingOf(changes).find((each) => each.path === real);
    return changes && file ? [{ changes, file }] : [];
  }
}

/** Returns the id of the group that a command gets: a session or a turn. Undefined for all sessions. */
export function groupIdOf(group: unknown): string | undefined {
  const id = group && typeof group === 'object' && 'id' in group ? group.id : group;
  return typeof id === 'string' && id !== changesProvider ? id : undefined;
}

/** @param turnId absent: the newest */
function turnIn(pending: readonly PendingFile[], turnId: string | undefined): readonly Target[] {
  const turns = sessionsIn(pending).flatMap((session) => session.turns);
  const turn = turnId === undefined ? turns.at(-1) : turns.find((each) => each.turnId === turnId);
  return (turn?.parts ?? []).map(({ pending: each, hunkIds }) => ({ ...each, ...(hunkIds && { hunkIds }) }));
}

function isChangeTarget(value: unknown): value is ChangeTarget {
  return typeof value === 'object' && value !== null && 'sessionKey' in value && 'path' in value;
}

function isNumberedLine(value: unknown): value is NumberedLine {
  return typeof value === 'object' && value !== null && 'lineNumber' in value && 'uri' in value;
}

function hunkTarget(pending: PendingFile, hunks: readonly { readonly hunkId: number }[]): readonly Target[] {
  return hunks.length > 0 ? [{ ...pending, hunkIds: hunks.map(({ hunkId }) => hunkId) }] : [];
}
