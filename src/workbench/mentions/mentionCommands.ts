/** **Add to ACP Session** of VS Code's menus: what is under the pointer becomes a mention in the message of the session in front. */
import * as vscode from 'vscode';
import type { DraftBlock } from '../../core/mentions/mention';
import type { Session } from '../../session/session';
import type { SessionPanels } from '../chat/panels';
import { t, verbatim } from '../shared/l10n';
import { isProblem, window } from '../shared/window';
import { changesMention, fileMention, selectedLines, textMention } from './mentionOf';
import { type Mentions, outputMention } from './mentions';

export interface MentionCommandsDependencies {
  readonly panels: SessionPanels;
  mentions(): Promise<Mentions>;
  /** The session in front, else the newest that runs. */
  sessionInFront(): Session | undefined;
  editor(): vscode.TextEditor | undefined;
}

export class MentionCommands {
  constructor(private readonly ports: MentionCommandsDependencies) {}

  /** The selection of the editor, else its file. */
  editor(): Promise<void> {
    return this.add(async (session) => {
      const editor = vscode.window.activeTextEditor ?? this.ports.editor();
      if (!editor) {
        void window.showInformationMessage(t('No file is open.'));
        return [];
      }
      const place = (await this.ports.mentions()).placeOf(session, editor.document.uri);
      return [fileMention(place, verbatim, selectedLines(editor))];
    });
  }

  /** What source control hands to a command: files, or a group of them. */
  changes(args: readonly unknown[]): Promise<void> {
    return this.add(async (session) => {
      const mentions = await this.ports.mentions();
      const files = args.flat().flatMap(urisIn);
      const unique = [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
      if (unique.length === 0) {
        const cwd = vscode.Uri.file(session.roots.cwd);
        return [changesMention({ uri: cwd.toString(), path: session.roots.cwd.replaceAll('\\', '/') }, true, verbatim)];
      }
      return unique.map((uri) => changesMention(mentions.placeOf(session, uri), false, verbatim));
    });
  }

  /** What the last command of the terminal in front printed. */
  terminalOutput(): Promise<void> {
    return this.add(async () => {
      const output = (await this.ports.mentions()).outputs.lastOf(vscode.window.activeTerminal);
      if (!output) {
        void window.showInformationMessage(t("No command's output is known in this terminal. Shell integration must be on."));
        return [];
      }
      return [outputMention(output)];
    });
  }

  /** What is selected in the terminal: VS Code tells extensions of it by the clipboard alone, which is put back. */
  terminalSelection(): Promise<void> {
    return this.add(async () => {
      const before = await vscode.env.clipboard.readText();
      await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
      const text = await vscode.env.clipboard.readText();
      if (before !== '') {
        await vscode.env.clipboard.writeText(before);
      }
      if (text.trim() === '') {
        return [];
      }
      const lines = text.split('\n').length;
      return [
        textMention(
          verbatim('Terminal selection'),
          verbatim('{count} lines from the terminal', { count: lines }),
          'terminal-selection.txt',
          text,
        ),
      ];
    });
  }

  /** Of the code action: problems at one place. */
  problem(uri: unknown, diagnostics: unknown): Promise<void> {
    return this.add(async (session) => {
      if (!(uri instanceof vscode.Uri) || !Array.isArray(diagnostics)) {
        return [];
      }
      const place = (await this.ports.mentions()).placeOf(session, uri);
      const { converter } = await import('../editor/lspConverter');
      const all = (diagnostics as unknown[]).filter(isProblem);
      const first = all[0];
      if (!first) {
        return [];
      }
      const lines = { line: first.range.start.line + 1, endLine: first.range.end.line + 1 };
      const text = JSON.stringify({ uri: converter.asUri(uri), diagnostics: converter.asDiagnosticsSync(all) }, null, 2);
      const name = verbatim('Problem in {file}', { file: fileMention(place, verbatim, lines).name });
      return [textMention(name, first.message, 'problem.json', text, 'application/json'), fileMention(place, verbatim, lines)];
    });
  }

  private async add(what: (session: Session) => Promise<readonly DraftBlock[]>): Promise<void> {
    const session = this.ports.sessionInFront();
    if (!session) {
      void window.showInformationMessage(t('No sessions yet. Start one with ACP: New Session.'));
      return;
    }
    const blocks = await what(session);
    if (blocks.length > 0) {
      this.ports.panels.attach(session, blocks);
      this.ports.panels.open(session);
    }
  }
}

/** Resource states and groups of source control, or files. */
function urisIn(value: unknown): vscode.Uri[] {
  if (value instanceof vscode.Uri) {
    return [value];
  }
  const { resourceUri, resourceStates } = (value ?? {}) as { resourceUri?: unknown; resourceStates?: unknown };
  if (resourceUri instanceof vscode.Uri) {
    return [resourceUri];
  }
  return Array.isArray(resourceStates) ? (resourceStates as unknown[]).flatMap(urisIn) : [];
}
