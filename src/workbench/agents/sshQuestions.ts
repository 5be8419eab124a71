/** The questions of `ssh` as dialogs. Answers go to `ssh` alone; nothing is stored or logged. Loaded with the first question. */
import * as vscode from 'vscode';
import type { SshQuestion } from '../../agent/ssh/sshQuestion';
import { type InertText, inertLine, joined } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_NAME = 60;
const MAX_LINE = 300;
const MAX_LINES = 20;

/** Resolves to undefined without an answer. The dialogs of VS Code cannot be closed when `signal` aborts, but their answer is then not used. */
export async function askSsh(agentName: string, host: string, question: SshQuestion, signal: AbortSignal): Promise<string | undefined> {
  const names = { agent: inertLine(agentName, MAX_NAME), host: inertLine(host, MAX_NAME) };
  const answer = await answerOf(names, question, signal);
  return signal.aborted ? undefined : answer;
}

async function answerOf(
  names: { readonly agent: InertText; readonly host: InertText },
  { kind, text }: SshQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const title = t('{agent} on {host}', names);
  switch (kind) {
    case 'hostKey': {
      const connect = t('Connect');
      const options = { modal: true, detail: linesOf(text) };
      return (await window.showWarningMessage(t('Trust the host {host}?', names), options, connect)) === connect ? 'yes' : 'no';
    }
    case 'confirm': {
      const allow = t('Allow');
      return (await window.showWarningMessage(title, { modal: true, detail: linesOf(text) }, allow)) === allow ? '' : undefined;
    }
    case 'notice': {
      // The user has to act outside of VS Code, so only the end of the helper program answers this.
      await window.withProgress({ location: vscode.ProgressLocation.Notification, title: inertLine(text, MAX_LINE) }, () =>
        aborted(signal),
      );
      return undefined;
    }
    case 'password':
      return passwordOf(title, inertLine(text, MAX_LINE), signal);
  }
}

function passwordOf(title: InertText, prompt: InertText, signal: AbortSignal): Promise<string | undefined> {
  const box = window.createInputBox();
  box.title = title;
  box.prompt = prompt;
  box.password = true;
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const done = (answer: string | undefined): void => {
      resolve(answer);
      box.dispose();
    };
    signal.addEventListener('abort', () => done(undefined), { once: true });
    box.onDidAccept(() => done(box.value));
    box.onDidHide(() => done(undefined));
    box.show();
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** The text of a dialog, which has several lines. */
function linesOf(text: string): InertText {
  return joined(
    text
      .split('\n')
      .slice(0, MAX_LINES)
      .map((line) => inertLine(line, MAX_LINE)),
    '\n',
  );
}
