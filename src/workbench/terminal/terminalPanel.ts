/**
 * Shows agents' commands in the window's terminal panel: their earlier and new output, the user's input, and the terminal's size. The command
 * still belongs to the agent, so closing the terminal does not end it.
 */
import * as vscode from 'vscode';
import type { ExitStatus } from '../../core/model/content';
import type { Disposable } from '../../core/platform/disposable';
import type { TerminalState } from '../../core/model/state';
import { TERMINAL_SIZE } from '../../core/model/terminalSize';
import { newOutput, type OutputCursor } from '../../core/protocol/terminalTail';
import type { Session } from '../../session/session';
import { OutputFilter } from '../../terminal/outputFilter';
import { inertLine, visibleLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

type TerminalSession = Pick<Session, 'key' | 'agentName' | 'store' | 'typeInTerminal' | 'resizeTerminal'>;

const MAX_NAME = 60;
/**
 * Resets modes that the program has left on (colours, mouse, a hidden line), so that they do not affect the final message. Hides the cursor,
 * because there is no more input.
 */
const PLAIN = '\x1b[0m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?2004l\x1b[?25l';
const CLEAR = '\x1bc';

export class ShownTerminals implements Disposable {
  private readonly shown = new Map<string, vscode.Terminal>();
  private readonly closing = vscode.window.onDidCloseTerminal((closed) => this.forget(closed));

  /** Opens a terminal for a command of this session's agent, running or ended. A terminal that is open already comes to the front. */
  show(session: TerminalSession, terminalId: string): void {
    const key = `${session.key} ${terminalId}`;
    const command = commandOf(session, terminalId);
    if (!this.shown.has(key) && command?.ours) {
      const name = inertLine(command.command ?? terminalId, MAX_NAME);
      this.shown.set(key, window.createTerminal({ name, pty: new CommandTerminal(session, terminalId), isTransient: true }));
    }
    this.shown.get(key)?.show();
  }

  dispose(): void {
    this.closing.dispose();
    for (const terminal of this.shown.values()) {
      terminal.dispose();
    }
    this.shown.clear();
  }

  private forget(closed: vscode.Terminal): void {
    for (const [key, terminal] of this.shown) {
      if (terminal === closed) {
        this.shown.delete(key);
      }
    }
  }
}

/** The pseudo terminal of a command. */
class CommandTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.written.event;
  private readonly filter = new OutputFilter();
  private watch: Disposable | undefined;
  private before: OutputCursor | undefined;
  private state: TerminalState | undefined;
  private over = false;
  private refused = false;

  constructor(
    private readonly session: TerminalSession,
    private readonly terminalId: string,
  ) {}

  open(size: vscode.TerminalDimensions | undefined): void {
    const { session, terminalId } = this;
    const command = commandOf(session, terminalId);
    this.remark(visibleLine(command?.command ?? terminalId));
    if (command && !command.exitStatus) {
      const agentName = inertLine(session.agentName, MAX_NAME);
      this.remark(
        command.pipe
          ? t("Started by {agentName} without a terminal, so it doesn't accept input. Closing this terminal doesn't stop it.", {
              agentName,
            })
          : t("Started by {agentName}. What you type goes to the command. Closing this terminal doesn't stop it.", { agentName }),
      );
    }
    this.say('\r\n');
    if (size) {
      this.setDimensions(size);
    }
    this.follow(true);
    this.watch = session.store.onEvents((_seq, _events, whole) => this.follow(whole));
  }

  close(): void {
    this.watch?.dispose();
    this.written.dispose();
    this.session.resizeTerminal(this.terminalId, TERMINAL_SIZE);
  }

  handleInput(data: string): void {
    if (!this.over && !this.session.typeInTerminal(this.terminalId, data) && !this.refused) {
      this.refused = true;
      this.remark(t("The command doesn't accept input."));
    }
  }

  setDimensions(size: vscode.TerminalDimensions): void {
    this.session.resizeTerminal(this.terminalId, size);
  }

  /** @param past true for output from before the terminal was opened */
  private follow(past: boolean): void {
    const state = commandOf(this.session, this.terminalId);
    if (!state || state === this.state) {
      return;
    }
    this.state = state;
    const added = newOutput(this.before, state);
    if (added) {
      this.add(added, state, past);
    }
    if (state.exitStatus && !this.over) {
      this.over = true;
      this.say(PLAIN + '\r\n');
      this.remark(ending(state.exitStatus));
    }
  }

  private add(added: NonNullable<ReturnType<typeof newOutput>>, { dropped, pipe }: TerminalState, past: boolean): void {
    const { before } = this;
    this.before = added.shown;
    if (added.isReset) {
      this.filter.reset();
      if (before && dropped < before.end) {
        this.say(CLEAR); // The command's output was replaced.
      } else if (dropped > 0) {
        this.remark(t('… {count} characters omitted …', { count: dropped - (before?.end ?? 0) }));
      }
    }
    const text = this.filter.push(added.text, past);
    this.say(pipe ? text.replace(/\r?\n/g, '\r\n') : text);
  }

  private remark(text: string): void {
    this.say(`\x1b[2m${text}\x1b[0m\r\n`);
  }

  private say(text: string): void {
    this.written.fire(text);
  }
}

function commandOf({ store }: TerminalSession, terminalId: string): TerminalState | undefined {
  const { terminals } = store.state;
  return Object.hasOwn(terminals, terminalId) ? terminals[terminalId] : undefined;
}

function ending({ exitCode, signal }: ExitStatus): string {
  return signal
    ? t('The process was terminated by {signal}.', { signal: inertLine(signal, MAX_NAME) })
    : t('The process terminated with exit code {exitCode}.', { exitCode: exitCode ?? '?' });
}
