/**
 * The active file and the selection as chips in the composer, each only if the user's own settings enable it. The host sends them only to the
 * page, which includes the visible chips in a message.
 */
import * as vscode from 'vscode';
import type { Mention } from '../../core/mentions/mention';
import type { Disposable } from '../../core/platform/disposable';
import type { LiveMention, SendWith, ToView } from '../../core/protocol/view';
import { DisposableStore } from '../../util/disposable';
import { readUserValue } from '../settings/agentSettings';
import { settings } from '../../application/shared/ids';
import { verbatim } from '../shared/l10n';
import { fileMention, selectedLines } from '../../application/mentions/mentionOf';
import { documentMention, fileUriOf } from './notebookCells';
import type { FrontEditors, WatchedFront } from '../window/activeEditor';

/** The time in ms that a selection must stay unchanged before its chip changes. */
const REST_MS = 100;
const SETTINGS = { activeFile: settings.contextActiveFile, selection: settings.contextSelection } as const;

type Context = LiveMention['context'];

/** Sends the chips and the composer's setting to a page after each change. */
export function watchLiveContext(deps: WatchedFront, send: (message: ToView) => void): Disposable {
  const store = new DisposableStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let posted = '';
  const post = (): void => {
    clearTimeout(timer);
    const mentions = liveMentions(deps);
    const text = JSON.stringify(mentions);
    if (text !== posted) {
      posted = text;
      send({ type: 'live_context', mentions });
    }
  };
  store.add({ dispose: () => clearTimeout(timer) });
  store.add(deps.onDidChangeFront(post));
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === deps.frontEditor && isOn('selection')) {
        clearTimeout(timer);
        timer = setTimeout(post, REST_MS);
      }
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (Object.values(SETTINGS).some((setting) => event.affectsConfiguration(setting))) {
        post();
      }
      if (event.affectsConfiguration(settings.composerSendWith)) {
        send(composerFacts());
      }
    }),
  );
  return store;
}

/** Sends the current state to a new page. */
export function postLiveContext(deps: FrontEditors, send: (message: ToView) => void): void {
  send(composerFacts());
  send({ type: 'live_context', mentions: liveMentions(deps) });
}

/** Changes the user's setting, which applies to all windows. Without `isWanted` it toggles the setting. */
export async function setContext(context: Context, isWanted: boolean = !isOn(context)): Promise<void> {
  await vscode.workspace.getConfiguration().update(SETTINGS[context], isWanted, vscode.ConfigurationTarget.Global);
}

function liveMentions({ frontEditor, frontNotebook: notebook }: FrontEditors): LiveMention[] {
  const editor = notebook ? undefined : frontEditor;
  const uri = editor ? fileUriOf(editor.document.uri) : notebook?.uri;
  if (!uri || (uri.scheme !== 'file' && uri.scheme !== 'untitled')) {
    return [];
  }
  const file = { uri: uri.toString(), path: vscode.workspace.asRelativePath(uri).replaceAll('\\', '/') };
  const lines = editor && selectedLines(editor);
  const chip = (context: Context, mention: Mention): LiveMention[] => (isOn(context) ? [{ context, mention }] : []);
  return [
    ...chip('activeFile', fileMention(file, verbatim)),
    ...(lines ? chip('selection', documentMention(file, editor.document, lines)) : []),
  ];
}

function isOn(context: Context): boolean {
  return readUserValue(SETTINGS[context]).value === true;
}

function composerFacts(): ToView {
  const sendWith: SendWith = readUserValue(settings.composerSendWith).value === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
  return { type: 'composer', sendWith };
}
