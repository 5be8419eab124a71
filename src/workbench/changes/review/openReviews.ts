/** The reviews of several files that this window has opened. VS Code reports of such a tab only its title, so the titles are remembered. */
import * as vscode from 'vscode';
import { inert, type InertText, joined } from '../../../application/shared/escape';
import { isOtherTab, titlesOf } from './reviewTabs';

/** A review of several files. */
export interface OpenReview {
  /** The source control group, which is a session or a turn; absent: all sessions. */
  readonly groupId?: string;
  /** The name that it was opened with; another review may have the same. */
  readonly name?: InertText;
  /** The files that it shows, see {@link reviewedFile}. Its buttons act on no other file. */
  readonly files?: ReadonlySet<string>;
}

/** In place of a review when a tab may show any of several: its buttons act on nothing. */
const UNCERTAIN: OpenReview = { groupId: '', files: new Set() };

/** Returns the key of a session's file in {@link OpenReview.files}. */
export function reviewedFile(sessionKey: string, path: string): string {
  return `${sessionKey} ${path}`;
}

/** Titles that are remembered. */
const MAX_REVIEWS = 100;

export class OpenReviews {
  private readonly byTitle = new Map<string, OpenReview>();

  /** @param store stores a title for the time after a reload of the window */
  constructor(private readonly store: (title: string, groupId: string | undefined) => void = () => undefined) {}

  /**
   * Called before the review opens, so that its buttons are there with it.
   * @returns the title for its tab: agents name sessions, so that two may have the same name
   */
  add(name: InertText, review: OpenReview): InertText {
    let title = name;
    for (let count = 2; (this.byTitle.get(title) ?? review).groupId !== review.groupId; count++) {
      title = joined([name, inert(String(count))], ' · ');
    }
    this.byTitle.delete(title);
    this.byTitle.set(title, review);
    if (this.byTitle.size > MAX_REVIEWS) {
      this.byTitle.delete([...this.byTitle.keys()][0]!);
    }
    this.store(title, review.groupId);
    return title;
  }

  /** The review in the active tab; undefined for another tab. */
  get inFront(): OpenReview | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab && this.of(tab.label, isOtherTab(tab));
  }

  /** @param label of a tab, to which VS Code adds the number of files. @param isOther the tab shows something else */
  of(label: string, isOther: boolean): OpenReview | undefined {
    const [title, ...others] = isOther ? [] : titlesOf(label, this.byTitle.keys());
    return others.length > 0 ? UNCERTAIN : title === undefined ? undefined : this.byTitle.get(title);
  }
}
