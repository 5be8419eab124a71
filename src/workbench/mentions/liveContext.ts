/**
 * What the user looks at, as chips in the composer: the active file and the selection, each only where the user's own settings say so. Nothing of it goes
 * anywhere by itself: the page sends what its chips show.
 */
import * as vscode from 'vscode';
import type { Mention } from '../../core/mentions/mention';
import type { Disposable } from '../../core/model/ports';
import type { LiveMention, SendWith, ToView } from '../../core/protocol/view';
import { DisposableStore } from '../../util/disposable';
import { readUserValue } from '../agents/agentSettings';
import { settings } from '../shared/ids';
import { verbatim } from '../shared/l10n';
import { fileMention, selectedLines } from './mentionOf';
import { documentMention, fileUriOf } from './notebookCells';

/** ms that a selection rests before its chip changes. */
const REST_MS = 100;
const SETTINGS = { activeFile: settings.contextActiveFile, selection: settings.contextSelection } as const;

type Context = LiveMention['context'];

/** The editor that the user was in last. */
interface FrontEditors {
  readonly frontEditor: vscode.TextEditor | undefined;
  /** A notebook that is in front without a cell being edited. */
  readonly frontNotebook?: vscode.NotebookDocument | undefined;
}

export interface LiveContextDependencies extends FrontEditors {
  onDidChangeFront(listener: () => void): Disposable;
}

/** Tells a page of it, now and whenever it changes. */
export function watchLiveContext(ports: LiveContextDependencies, send: (message: ToView) => void): Disposable {
  const store = new DisposableStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told = '';
  const tell = (): void => {
    clearTimeout(timer);
    const mentions = liveMentions(ports);
    const text = JSON.stringify(mentions);
    if (text !== told) {
      told = text;
      send({ type: 'live_context', mentions });
    }
  };
  store.add({ dispose: () => clearTimeout(timer) });
  store.add(ports.onDidChangeFront(tell));
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === ports.frontEditor && isOn('selection')) {
        clearTimeout(timer);
        timer = setTimeout(tell, REST_MS);
      }
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (Object.values(SETTINGS).some((setting) => event.affectsConfiguration(setting))) {
        tell();
      }
      if (event.affectsConfiguration(settings.composerSendWith)) {
        send(composerFacts());
      }
    }),
  );
  return store;
}

/** Tells a page that is new. */
export function tellLiveContext(ports: FrontEditors, send: (message: ToView) => void): void {
  send(composerFacts());
  send({ type: 'live_context', mentions: liveMentions(ports) });
}

/** One key switches it, for all windows of the user. */
export async function setContext(context: Context, isWanted: boolean = !isOn(context)): Promise<void> {
  await vscode.workspace.getConfiguration().update(SETTINGS[context], isWanted, vscode.ConfigurationTarget.Global);
}

function liveMentions({ frontEditor, frontNotebook: notebook }: FrontEditors): LiveMention[] {
  const editor = notebook ? undefined : frontEditor;
  const uri = editor ? fileUriOf(editor.document.uri) : notebook?.uri;
  if (!uri || (uri.scheme !== 'file' && uri.scheme !== 'untitled')) {
    return [];
  }
  const place = { uri: uri.toString(), path: vscode.workspace.asRelativePath(uri).replaceAll('\\', '/') };
  const lines = editor && selectedLines(editor);
  const chip = (context: Context, mention: Mention): LiveMention[] => (isOn(context) ? [{ context, mention }] : []);
  return [
    ...chip('activeFile', fileMention(place, verbatim)),
    ...(lines ? chip('selection', documentMention(place, editor.document, lines)) : []),
  ];
}

function isOn(context: Context): boolean {
  return readUserValue(SETTINGS[context]).value === true;
}

function composerFacts(): ToView {
  const sendWith: SendWith = readUserValue(settings.composerSendWith).value === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
  return { type: 'composer', sendWith };
}
