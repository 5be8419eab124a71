/**
 * Recognizes the tabs of reviews, and remembers their titles over a reload of the window. VS Code restores such a tab, but its documents and buttons
 * belong to the earlier extension host. Part of the first load.
 */
import * as vscode from 'vscode';

/** The title of each review's tab, with the id of its source control group; undefined for all sessions. */
export type ReviewTitles = ReadonlyMap<string, string | undefined>;

/** In `workspaceState`. */
const REVIEW_TITLES = 'changes.reviewTitles';

export function storedTitles(state: Pick<vscode.Memento, 'get'>): ReviewTitles {
  const stored = state.get<unknown>(REVIEW_TITLES);
  const isTitle = (item: unknown): item is readonly [string, string?] =>
    Array.isArray(item) && typeof item[0] === 'string' && ['string', 'undefined'].includes(typeof item[1]);
  return new Map((Array.isArray(stored) ? stored.filter(isTitle) : []).map(([title, groupId]) => [title, groupId]));
}

/** Adds a title, and forgets those whose tabs are closed. */
export function storeTitle(state: Pick<vscode.Memento, 'get' | 'update'>, title: string, groupId: string | undefined): void {
  const labels = reviewTabs().map(({ label }) => label);
  const open = [...storedTitles(state)].filter(([each]) => each !== title && labels.some((label) => isLabelOf(label, each)));
  const titles = [...open, [title, groupId] as const];
  void state.update(
    REVIEW_TITLES,
    titles.map(([each, id]) => (id === undefined ? [each] : [each, id])),
  );
}

/** True while the window has a tab with one of the titles. */
export function hasTitledTab(titles: ReviewTitles): boolean {
  return titles.size > 0 && reviewTabs().some(({ label }) => titlesOf(label, titles.keys()).length > 0);
}

/** The tabs that may be reviews. The type of a review's tab is proposed API, and VS Code gives its own pages no input. */
export function reviewTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => tab.input !== undefined && !isOtherTab(tab));
}

/** The titles that a tab with this label may have. */
export function titlesOf(label: string, titles: Iterable<string>): readonly string[] {
  return [...titles].filter((title) => isLabelOf(label, title));
}

/** @param label of a tab, to which VS Code adds the number of files */
function isLabelOf(label: string, title: string): boolean {
  return label === title || (label.startsWith(title) && /^ \([^()]*\)$/.test(label.slice(title.length)));
}

/** True for a tab of a kind that the API knows. */
export function isOtherTab({ input }: vscode.Tab): boolean {
  const kinds = [
    vscode.TabInputText,
    vscode.TabInputTextDiff,
    vscode.TabInputCustom,
    vscode.TabInputWebview,
    vscode.TabInputNotebook,
    vscode.TabInputNotebookDiff,
    vscode.TabInputTerminal,
  ];
  return kinds.some((kind) => input instanceof kind);
}
