/** Shows files to the user, and asks the user on a card of the conversation. */
import * as vscode from 'vscode';
import type { ElicitationAnswer } from '../../../acp/dialect';
import type { ElicitationField } from '../../../core/elicitation/elicitation';
import type { UserAnswer, UserPort, UserQuestion } from '../../../mcp/editor/tools/user';
import { DiffDocuments } from '../../editor/diffDocuments';
import type { DisposableStore } from '../../../util/disposable';
import { inertLine } from '../../../application/shared/escape';
import { t } from '../../shared/l10n';
import { openDiff } from '../../shared/window';
import { editorColumn } from '../../window/columns';
import type { FileAccess, ToolSessions } from './fileAccess';

const MAX_NAME = 80;
const CHOICE = 'choice';
const TEXT = 'text';

export function userPort(sessions: ToolSessions, { textOf, mayRead }: FileAccess, store: DisposableStore): UserPort {
  const documents = store.add(new DiffDocuments());
  return {
    textOf,
    mayRead,
    showFile: async (path, range) => {
      const uri = vscode.Uri.file(path);
      const selection = range && new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
      // `vscode.open` also opens pictures and notebooks, in their own editors.
      await vscode.commands.executeCommand('vscode.open', uri, { ...beside(), ...(selection && { selection }) });
    },
    showDiff: async (before, after) => {
      if ('text' in after) {
        const oldText = await textOf(before);
        await documents.open({ operation: 'modify', path: before, oldText, newText: after.text }, undefined, false);
        return;
      }
      const [left, right] = [vscode.Uri.file(before), vscode.Uri.file(after.path)];
      const title = t('{left} and {right}', { left: nameOf(left), right: nameOf(right) });
      await openDiff(left, right, title, beside());
    },
    ask: async (key, question, signal) => {
      const session = sessions.session(key);
      if (!session) {
        return { action: 'unavailable' };
      }
      const body = { mode: 'form' as const, fields: fieldsOf(question) };
      return answerOf(await session.elicitations.ask({ message: question.message, body }, signal));
    },
  };
}

function beside(): vscode.TextDocumentShowOptions {
  return { viewColumn: editorColumn(), preview: true, preserveFocus: true };
}

function nameOf(uri: vscode.Uri) {
  return inertLine(uri.path.split('/').at(-1)!, MAX_NAME);
}

/** Returns the fields of the form: the options, a text, or both. */
export function fieldsOf({ options, allowsSeveral, allowsText }: UserQuestion): ElicitationField[] {
  const choices = options.map(({ label, description }) => ({
    value: label,
    title: label,
    ...(description !== undefined && { description }),
  }));
  const required = !allowsText || options.length === 0;
  const choice: ElicitationField[] =
    options.length === 0
      ? []
      : [allowsSeveral ? { type: 'choices', name: CHOICE, choices, required } : { type: 'choice', name: CHOICE, choices, required }];
  return [...choice, ...(allowsText ? [{ type: 'string' as const, name: TEXT, title: t('Answer'), required }] : [])];
}

function answerOf(answer: ElicitationAnswer): UserAnswer {
  if (answer.action !== 'accept') {
    return { action: answer.action === 'decline' ? 'declined' : 'cancelled' };
  }
  const choice = answer.content?.[CHOICE];
  const text = answer.content?.[TEXT];
  return {
    action: 'answered',
    options: Array.isArray(choice) ? choice : typeof choice === 'string' ? [choice] : [],
    text: typeof text === 'string' ? text : undefined,
  };
}
