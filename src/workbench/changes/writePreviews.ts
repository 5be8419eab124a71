/**
 * Changes that wait before they are written, where the user wants that: one after the other in one preview diff, whose right side can be edited.
 * It never takes the focus; closing it decides nothing.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import { ANSWER_DELAY_MS } from '../../core/approval/answerDelay';
import { withoutUndrawn } from '../../text/characters/characters';
import type { Disposable } from '../../core/platform/disposable';
import type { Roots } from '../../core/model/roots';
import type { AcceptedWrite } from '../../changes/review/review';
import type { ProposedWrite } from '../../fs/fileService';
import type { WritePreview, WritePreviews } from '../../session/questions/questionDependencies';
import { DisposableStore } from '../../util/disposable';
import { followColumn } from '../follow/followColumn';
import { ContextKey } from '../shared/contextKey';
import { inertLine } from '../../application/shared/escape';
import { contextKeys } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { registerFiles } from '../documents/ownDocuments';
import { openDiff, window } from '../shared/window';
import { proposalScheme } from '../../application/shared/changeCommandIds';
import { MemoryFiles } from './versions/memoryFiles';

interface PendingPreview {
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
  decide(accepted: boolean): void;
}

export class EditorWritePreviews implements WritePreviews, Disposable {
  private readonly store = new DisposableStore();
  private readonly files = this.store.add(new MemoryFiles());
  private readonly hasHeld = new ContextKey(contextKeys.hasProposedChange);
  /** Oldest first: that one is shown. */
  private held: readonly PendingPreview[] = [];
  private opening: Promise<void> = Promise.resolve();
  private shown: PendingPreview | undefined;
  private count = 0;

  private readonly shownPreviews = new ShownPreviews();

  /**
   * @param accepted a session's change is written with this text
   * @param now ms
   */
  constructor(
    private readonly accepted: (roots: Roots, write: AcceptedWrite) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.noteShown()));
    this.store.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.noteShown()));
    this.store.add(registerFiles(proposalScheme, this.files, { isCaseSensitive: true }));
  }

  show(roots: Roots, write: ProposedWrite, decide: (accepted: boolean) => void): WritePreview {
    const serial = String(++this.count);
    // The tab shows this name.
    const file = vscode.Uri.file(withoutUndrawn(write.path, '_').replace(/\$(?=\()/g, '_'));
    const uriOf = (side: string): vscode.Uri => file.with({ scheme: proposalScheme, authority: '', query: `${serial}-${side}` });
    const held: PendingPreview = { before: uriOf('before'), after: uriOf('after'), decide };
    this.files.put(held.before, write.before ?? '', true);
    this.files.put(held.after, write.after, false);
    this.held = [...this.held, held];
    this.showFirst();
    return {
      text: () => documentOf(held.after)?.getText() ?? this.files.text(held.after) ?? write.after,
      end: (text) => {
        if (text !== undefined) {
          this.accepted(roots, { path: write.path, proposed: write.after, text });
        }
        void this.end(held);
      },
    };
  }

  /**
   * Answers the preview in front, once it has been shown long enough to be read. Without one in front it is opened, and nothing is answered.
   * @param button the editor whose button was pressed
   */
  decide(accepted: boolean, button?: vscode.Uri): void {
    this.noteShown();
    const held = this.heldIn(vscode.window.tabGroups.activeTabGroup.activeTab) ?? this.shownHeld().find((each) => isOf(each, button));
    if (!held) {
      void this.reveal();
    } else if (this.shownPreviews.isReadable(held.after.toString(), this.now())) {
      held.decide(accepted);
    }
  }

  /** Opens it again, with the focus. */
  async reveal(): Promise<void> {
    const [first] = this.held;
    if (first) {
      await this.open(first, false);
    } else {
      void window.showInformationMessage(t('There are no changes to accept or reject.'));
    }
  }

  dispose(): void {
    this.hasHeld.set(false);
    this.store.dispose();
  }

  private heldIn(tab: vscode.Tab | undefined): PendingPreview | undefined {
    const address = tab && uriOf(tab)?.toString();
    return this.held.find(({ after }) => after.toString() === address);
  }

  /** The held writes whose previews are in sight. */
  private shownHeld(): readonly PendingPreview[] {
    return vscode.window.tabGroups.all.flatMap(({ activeTab }) => this.heldIn(activeTab) ?? []);
  }

  private noteShown(): void {
    this.shownPreviews.set(
      this.shownHeld().map(({ after }) => after.toString()),
      this.now(),
    );
  }

  private showFirst(): void {
    this.hasHeld.set(this.held.length > 0);
    const [first] = this.held;
    if (first) {
      this.opening = this.opening.then(() => (this.held[0] === first ? this.openOnce(first) : undefined)).catch(() => undefined);
    }
  }

  private async openOnce(held: PendingPreview): Promise<void> {
    // A preview that the user closed is not opened again.
    if (this.shown !== held) {
      this.shown = held;
      await this.open(held, true);
    }
  }

  private async open({ before, after }: PendingPreview, preserveFocus: boolean): Promise<void> {
    const title = t('{file} (proposed changes)', { file: inertLine(path.basename(after.path), 80) });
    // Never over what the user has before them.
    const last = tabsWhere(({ scheme }) => scheme === proposalScheme)[0];
    await openDiff(before, after, title, { viewColumn: followColumn(vscode.window.tabGroups, last), preview: true, preserveFocus });
  }

  private async end(held: PendingPreview): Promise<void> {
    this.held = this.held.filter((other) => other !== held);
    this.showFirst();
    await this.opening;
    // The typed text was taken already. A tab with unsaved changes would ask before it closes.
    await documentOf(held.after)?.save();
    const address = held.after.toString();
    await vscode.window.tabGroups.close(
      tabsWhere((uri) => uri.toString() === address),
      true,
    );
    this.files.forget(held.before);
    this.files.forget(held.after);
  }
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === uri.toString());
}

function isOf({ before, after }: PendingPreview, uri: vscode.Uri | undefined): boolean {
  return uri !== undefined && [before, after].some((each) => each.toString() === uri.toString());
}

/** By the side that can be edited. */
function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
  return input instanceof vscode.TabInputTextDiff ? input.modified : input instanceof vscode.TabInputText ? input.uri : undefined;
}

function tabsWhere(fits: (uri: vscode.Uri) => boolean): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => {
      const uri = uriOf(tab);
      return uri !== undefined && fits(uri);
    });
}

/** Since when the previews of held writes are in sight. An answer right after a preview came into sight was meant for what it covered. */
class ShownPreviews {
  private since = new Map<string, number>();

  /** @param addresses of the previews that are in sight; @param now ms */
  set(addresses: readonly string[], now: number): void {
    this.since = new Map(addresses.map((address) => [address, this.since.get(address) ?? now]));
  }

  /** True when the preview has been in sight for {@link ANSWER_DELAY_MS}. */
  isReadable(address: string, now: number): boolean {
    return now - (this.since.get(address) ?? Infinity) >= ANSWER_DELAY_MS;
  }
}
