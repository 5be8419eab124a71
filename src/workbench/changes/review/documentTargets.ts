/** The session and file that a document of the extension shows an earlier version of, and the diff in front. */
import * as vscode from 'vscode';
import { baselineScheme, versionScheme } from '../../../application/shared/changeCommandIds';
import { isOtherTab } from './reviewTabs';

export interface DocumentTarget {
  readonly sessionKey: string;
  /** Real. */
  readonly path: string;
  /** The turn whose changes the diff shows; absent: all that wait. */
  readonly turnId?: string;
}

/** Returns undefined for a document of another scheme. */
export function targetOfDocument(uri: vscode.Uri): DocumentTarget | undefined {
  if (uri.scheme !== baselineScheme && uri.scheme !== versionScheme) {
    return undefined;
  }
  try {
    const { session, path, of } = JSON.parse(uri.query) as { session?: unknown; path?: unknown; of?: { path?: unknown; turnId?: unknown } };
    const real = of?.path ?? path;
    const turn = typeof of?.turnId === 'string' ? { turnId: of.turnId } : {};
    return typeof session === 'string' && typeof real === 'string' ? { sessionKey: session, path: real, ...turn } : undefined;
  } catch {
    return undefined;
  }
}

/** The place that the diff in front is about, where one of its sides is this document. */
export function targetOfDiff(uri: vscode.Uri): DocumentTarget | undefined {
  const diff = diffOf(uri);
  return diff && (targetOfDocument(diff.original) ?? targetOfDocument(diff.modified));
}

/** True when the document is a side of the diff in front, whatever the diff is about. */
export function isInDiff(uri: vscode.Uri): boolean {
  return diffOf(uri) !== undefined;
}

/** True when the document is in front in a diff of ours, or in one of several files, whose type is proposed API. */
export function isInReview(uri: vscode.Uri): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const scheme = diffOf(uri)?.original.scheme;
  return scheme === undefined
    ? activeTab?.input !== undefined && !isOtherTab(activeTab)
    : scheme === baselineScheme || scheme === versionScheme;
}

function diffOf(uri: vscode.Uri): vscode.TabInputTextDiff | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isSide =
    input instanceof vscode.TabInputTextDiff && [input.original, input.modified].some((side) => side.toString() === uri.toString());
  return isSide ? input : undefined;
}
