import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { TextDocument } from 'vscode';
import { withLineFeeds } from '../../util/text';

/**
 * A digest of the text that each document last had in common with the disk. VS Code reports the first change of a clean document before it reports
 * that the document is dirty. A reload from the disk looks the same, except for that second report. A text that arrives while the document is
 * clean therefore counts once the next change shows that the document stayed clean.
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

  /** Returns undefined for a document that was dirty when it was first observed and still is. */
  of(document: TextDocument): string | undefined {
    return this.states.get(document)?.clean;
  }

  /** Called when a document was opened, saved, or became dirty or clean. */
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

  /** Called when a document's text changed. */
  private noteText(document: TextDocument): void {
    if (document.uri.scheme !== 'file') {
      return;
    }
    const before = this.states.get(document);
    const known = withClean(before?.perhaps ?? before?.clean);
    this.states.set(document, document.isDirty ? known : { ...known, perhaps: digest(document.getText()) });
  }
}

/** Returns a digest to compare texts without storing them. Ignores line endings, because a document makes them uniform. */
export function digest(text: string): string {
  return createHash('sha1').update(withLineFeeds(text)).digest('base64');
}

function withClean(clean: string | undefined): { clean?: string } {
  return clean === undefined ? {} : { clean };
}
