import * as vscode from 'vscode';

/** A boolean for `when` clauses, sent to VS Code only when it changes. False until it is set. */
export class ContextKey {
  private value = false;

  constructor(private readonly key: string) {}

  set(value: boolean): void {
    if (value !== this.value) {
      this.value = value;
      void vscode.commands.executeCommand('setContext', this.key, value);
    }
  }
}
