/** Opens content embedded in a conversation: a text as a read-only document, anything else saved to a file of the user's choice. */
import * as vscode from 'vscode';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ContentBlock } from '../../core/model/content';
import type { Disposable } from '../../core/platform/disposable';
import { linkSafeLanguage } from '../../text/markdown/foreignLinks';
import { DisposableStore } from '../../util/disposable';
import { editorColumn } from '../window/columns';
import { contentName, languageOf } from '../../application/editor/contentName';
import { inertLine } from '../../application/shared/escape';
import { documentSchemes } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { registerDocuments } from '../documents/ownDocuments';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

/** The number of texts kept in memory for editors that read them again. */
const MAX_TEXTS = 20;

export class ContentDocuments implements Disposable {
  private readonly store = new DisposableStore();
  /** The texts by address, oldest first. */
  private readonly texts = new Map<string, string>();
  private readonly serials = new WeakMap<ContentBlock, number>();
  private opened = 0;

  constructor(private readonly activity: Pick<UserActivity, 'during'>) {}

  async open(block: ContentBlock | undefined): Promise<void> {
    if (block?.type === 'resource' && block.text !== undefined) {
      await this.openText(block, block.uri, block.text, block.mimeType);
    } else if (block?.type === 'resource' && block.blob !== undefined) {
      await saveAs(contentName(block.uri, block.mimeType), block.blob, this.activity);
    } else if (block?.type === 'image' || block?.type === 'audio') {
      await saveAs(contentName(block.type === 'image' ? block.uri : undefined, block.mimeType), block.data, this.activity);
    } else {
      void window.showWarningMessage(t('Nothing to open.'));
    }
  }

  dispose(): void {
    this.store.dispose();
    this.texts.clear();
  }

  private async openText(block: ContentBlock, uri: string, text: string, mimeType: string | undefined): Promise<void> {
    if (this.opened === 0) {
      const provideTextDocumentContent = (requested: vscode.Uri) => this.texts.get(requested.toString());
      this.store.add(registerDocuments(documentSchemes.content, { provideTextDocumentContent }));
    }
    const serial = this.serials.get(block) ?? ++this.opened;
    this.serials.set(block, serial);
    const target = vscode.Uri.from({ scheme: documentSchemes.content, path: `/${contentName(uri, mimeType)}`, query: String(serial) });
    this.texts.delete(target.toString());
    this.texts.set(target.toString(), text);
    for (const old of [...this.texts.keys()].slice(0, -MAX_TEXTS)) {
      this.texts.delete(old);
    }
    const document = await vscode.workspace.openTextDocument(target);
    const language = languageOf(mimeType);
    // VS Code derives the language from the name. The type is used when the name gives none.
    const isNamed = document.languageId !== 'plaintext' || language === undefined || linkSafeLanguage(language, text) !== language;
    if (!isNamed && (await vscode.languages.getLanguages()).includes(language)) {
      await vscode.languages.setTextDocumentLanguage(document, language);
    }
    await vscode.window.showTextDocument(document, { viewColumn: editorColumn(), preview: true });
  }
}

/** @param data base64 */
async function saveAs(name: string, data: string, activity: Pick<UserActivity, 'during'>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const [{ chooseTarget }, { saveBytes }] = await Promise.all([import('../documents/saveTarget'), import('../documents/saveText')]);
  const target = await chooseTarget(
    { defaultUri: vscode.Uri.joinPath(folder, name), title: t('Save {name}', { name: inertLine(name, 80) }) },
    activity,
  );
  if (target && (await saveBytes(target, Buffer.from(data.replace(/^data:[^,]*,/, ''), 'base64'), activity))) {
    window.setStatusBarMessage(t('Saved {name}', { name: inertLine(path.posix.basename(target.uri.path), 80) }), 4000);
  }
}
