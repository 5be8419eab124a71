import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { TextDocument } from 'vscode';
import { withLineFeeds } from '../../util/text';

/**
 * The text each document had when it last was as on disk, as a digest. VS Code reports the first change of a clean document
 * before it reports that the document is dirty, and a reload from disk looks the same but for the second report: so a text
 * that came while the document was clean counts once the next change shows that it stayed clean.
 */
export class CleanTexts implements vscode.Disposable {
  private readonly states = new WeakMap<TextDocument, { clean?: string; perhaps?: string }>();

  private readonly subscriptions = [
    vscode.workspace.onDidOpenTextDocument((document) => this.noteState(document)),
    vscode.workspace.onDidSaveTextDocument((document) => this.noteState(document)),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) {
        this.noteText(document);
      } else {
        this.noteState(document);
      }
    }),
  ];

  constructor() {
    for (const document of vscode.workspace.textDocuments) {
      this.noteState(document);
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  /** Undefined: it has been dirty ever since we look. */
  of(document: TextDocument): string | undefined {
    return this.states.get(document)?.clean;
  }

  /** It was opened, saved, or became dirty or clean. */
  private noteState(document: TextDocument): void {
    if (document.uri.scheme !== 'file') {
      return;
    }
    if (document.isDirty) {
      this.states.set(document, withClean(this.of(document)));
    } else {
      this.states.set(document, { clean: digest(document.getText()) });
    }
  }

  /** Its text changed. */
  private noteText(document: TextDocument): void {
    if (document.uri.scheme !== 'file') {
      return;
    }
    const before = this.states.get(document);
    const known = withClean(before?.perhaps ?? before?.clean);
    this.states.set(document, document.isDirty ? known : { ...known, perhaps: digest(document.getText()) });
  }
}

/** Enough to see that a text is another one, without keeping it. Line ends do not count: a document makes them all alike. */
export function digest(text: string): string {
  return createHash('sha1').update(withLineFeeds(text)).digest('base64');
}

function withClean(clean: string | undefined): { clean?: string } {
  return clean === undefined ? {} : { clean };
}
