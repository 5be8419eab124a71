/** Runs shell code blocks in VS Code's own terminal, after the user has pressed the block's button. */
import * as vscode from 'vscode';
import { failureOf } from '../../core/model/failure';
import type { Disposable } from '../../core/platform/disposable';
import type { Roots } from '../../core/model/roots';
import { askedLines, isSeenWhole, shellCommand } from '../../text/markdown/shellCommand';
import { DisposableStore } from '../../util/disposable';
import { RootCheck } from '../../util/roots';
import { type InertText, joined, inertLine } from '../../application/shared/escape';
import { failureText } from '../../application/shared/failureText';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

/** The time in ms in which a new shell announces shell integration, if it supports that. */
const INTEGRATION_MS = 3000;

export class CodeTerminals implements Disposable {
  private readonly store = new DisposableStore();
  /** One terminal per folder. It is used again while no command runs in it. */
  private readonly terminals = new Map<string, vscode.Terminal>();
  private readonly busy = new Set<vscode.Terminal>();

  constructor(private readonly activity: UserActivity) {
    this.store.add(vscode.window.onDidStartTerminalShellExecution(({ terminal }) => this.busy.add(terminal)));
    this.store.add(vscode.window.onDidEndTerminalShellExecution(({ terminal }) => this.busy.delete(terminal)));
    this.store.add(vscode.window.onDidCloseTerminal((closed) => this.forget(closed)));
  }

  /**
   * Runs the commands of this block in the session's folder. If the page may not show a command completely, the user is asked first. Never
   * rejects.
   */
  async run(roots: Roots, block: string): Promise<void> {
    try {
      const found = shellCommand(block);
      if ('refused' in found) {
        void window.showWarningMessage(refusal(found.refused));
        return;
      }
      if (!vscode.workspace.isTrusted) {
        void window.showWarningMessage(t('Commands run only in trusted workspaces.'));
        return;
      }
      // Fails when the folder was replaced: the user meant the earlier one.
      await new RootCheck(roots).resolve(roots.cwd);
      const isAsked = !isSeenWhole(block);
      if (isAsked && !(await this.agrees(found.command))) {
        return;
      }
      const terminal = this.terminalIn(roots.cwd);
      terminal.show();
      await this.type(terminal, found.command, isAsked);
    } catch (error) {
      void window.showWarningMessage(failureText(failureOf(error), t));
    }
  }

  dispose(): void {
    this.store.dispose();
    this.terminals.clear();
  }

  /**
   * Types the command. A shell with integration accepts several lines as one command. Any other shell runs each line as it arrives, so the user is
   * asked first.
   */
  private async type(terminal: vscode.Terminal, command: string, isAsked: boolean): Promise<void> {
    const shell = await this.integrationOf(terminal);
    if (shell) {
      this.busy.add(terminal);
      shell.executeCommand(command);
      return;
    }
    if (isAsked || !command.includes('\n') || (await this.agrees(command))) {
      // The shell would use a tab for completion.
      terminal.sendText(command.replaceAll('\t', '    '), true);
    }
  }

  private async agrees(command: string): Promise<boolean> {
    const lines = askedLines(command);
    if (!lines) {
      void window.showWarningMessage(refusal('too_long'));
      return false;
    }
    const run = t('Run');
    const detail = joined(
      lines.map((line) => inertLine(line)),
      '\n',
    );
    const count = lines.length;
    const question = count === 1 ? t('Run this command in the terminal?') : t('Run {count} lines in the terminal?', { count });
    return (await this.activity.during(() => window.showWarningMessage(question, { modal: true, detail }, run))) === run;
  }

  private terminalIn(folder: string): vscode.Terminal {
    const known = this.terminals.get(folder);
    // Only shell integration reports whether a command runs in the terminal.
    if (known?.shellIntegration && known.exitStatus === undefined && !this.busy.has(known)) {
      return known;
    }
    const terminal = window.createTerminal({ cwd: folder });
    this.terminals.set(folder, terminal);
    return terminal;
  }

  private integrationOf(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | undefined> {
    if (terminal.shellIntegration) {
      return Promise.resolve(terminal.shellIntegration);
    }
    return new Promise((resolve) => {
      const end = (found?: vscode.TerminalShellIntegration): void => {
        clearTimeout(timer);
        watch.dispose();
        resolve(found);
      };
      const timer = setTimeout(end, INTEGRATION_MS);
      const watch = vscode.window.onDidChangeTerminalShellIntegration(
        (change) => change.terminal === terminal && end(change.shellIntegration),
      );
    });
  }

  private forget(closed: vscode.Terminal): void {
    this.busy.delete(closed);
    this.terminals.forEach((terminal, folder) => terminal === closed && this.terminals.delete(folder));
  }
}

function refusal(reason: 'unseen' | 'empty' | 'too_long'): InertText {
  switch (reason) {
    case 'unseen':
      return t('The command was not run because it contains hidden characters.');
    case 'too_long':
      return t('The command was not run because it is too long.');
    case 'empty':
      return t('There is no command to run.');
  }
}
