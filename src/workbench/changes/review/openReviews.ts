/** The reviews of several files that this window has opened. VS Code reports of such a tab only its title, so the titles are remembered. */
import * as vscode from 'vscode';
import type { InertText } from '../../shared/escape';

/** A review of several files. */
export interface OpenReview {
  /** The source control group, which is a session or a turn; absent: all sessions. */
  readonly groupId?: string;
}

/** Titles that are remembered. */
const MAX_REVIEWS = 100;

export class OpenReviews {
  private readonly byTitle = new Map<string, OpenReview>();

  /** Called before the review opens, so that its buttons are there with it. */
  add(title: InertText, review: OpenReview): void {
    this.byTitle.delete(title);
    this.byTitle.set(title, review);
    if (this.byTitle.size > MAX_REVIEWS) {
      this.byTitle.delete([...this.byTitle.keys()][0]!);
    }
  }

  /** The review in the active tab; undefined for another tab. */
  get inFront(): OpenReview | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab && this.of(tab.label, isOtherTab(tab));
  }

  /** @param label of a tab, to which VS Code adds the number of files. @param isOther the tab shows something else */
  of(label: string, isOther: boolean): OpenReview | undefined {
    const title = isOther ? undefined : [...this.byTitle.keys()].findLast((each) => label === each || label.startsWith(`${each} (`));
    return title === undefined ? undefined : this.byTitle.get(title);
  }
}

/** True for a tab of a kind that the API knows. The type of a review's tab is proposed API. */
function isOtherTab({ input }: vscode.Tab): boolean {
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
