/** Files that the user chose, as blocks of a prompt: what the agent takes whole goes whole, everything else as a link to it. */
import * as vscode from 'vscode';
import path from 'node:path';
import { MAX_EMBEDDED, MAX_MEDIA, mediaTypeOf, takes } from '../../core/model/attachment';
import type { ContentBlock, PromptCapabilities } from '../../core/model/content';
import { isForeignShare } from '../../core/model/networkPath';
import type { Roots } from '../../core/model/ports';
import { ProtectedPaths } from '../../fs/protection/protectedPaths';
import { ProtectedRules } from '../../fs/protection/protectedRules';
import { realPathOf } from '../../util/realPath';
import { RootCheck } from '../../util/roots';
import { readProtectedPaths } from '../agents/agentSettings';
import { judgeDropped } from './droppedFiles';
import { type InertText, joined, visible } from '../shared/escape';
import { workspaceFolders } from '../sessions/workspaceFolders';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

/** Files that a question names; of more, their number is. */
const MOST_NAMED = 10;
const MAX_PATH = 500;
/** Files of one choice at most. */
const MAX_FILES = 50;

/** What cannot be read is named in a message and left out. */
export async function fileBlocks(uris: readonly vscode.Uri[], capabilities: PromptCapabilities): Promise<ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  const unread: InertText[] = [];
  for (const uri of uris.slice(0, MAX_FILES)) {
    try {
      blocks.push(await fileBlock(uri, capabilities));
    } catch {
      unread.push(visible(vscode.workspace.asRelativePath(uri), 100));
    }
  }
  tellUnread(unread);
  tellLeftOut(uris.length);
  return blocks;
}

/** Of what the user chose what can be had, no more than go at once; the rest is named in a message. */
export async function thoseThere(uris: readonly vscode.Uri[]): Promise<{ readonly uri: vscode.Uri; readonly isFolder: boolean }[]> {
  const unread: InertText[] = [];
  const found = await Promise.all(
    uris.slice(0, MAX_FILES).map(async (uri) => {
      try {
        // What was never saved is an editor's alone.
        return uri.scheme === 'untitled'
          ? { uri, isFolder: false }
          : { uri, isFolder: ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0 };
      } catch {
        unread.push(visible(vscode.workspace.asRelativePath(uri), 100));
        return [];
      }
    }),
  );
  tellUnread(unread);
  tellLeftOut(uris.length);
  return found.flat();
}

function tellLeftOut(count: number): void {
  if (count > MAX_FILES) {
    void window.showWarningMessage(t('Only the first {count} files were attached.', { count: MAX_FILES }));
  }
}

function tellUnread(files: readonly InertText[]): void {
  if (files.length > 0) {
    void window.showWarningMessage(t("Couldn't attach: {files}", { files: joined(files, ', ') }));
  }
}

/**
 * Of files that the page names, those that may go to the agent; what is neither in the session's folders nor in the workspace's, or may hold secrets, is
 * asked about. No more than are attached at once, so that nothing comes in that was not looked at.
 */
export async function agreedFiles(activity: UserActivity, roots: Roots, uris: readonly vscode.Uri[]): Promise<vscode.Uri[]> {
  const folders = [roots.cwd, ...roots.additionalDirectories, ...workspaceFolders()];
  const all = { cwd: roots.cwd, additionalDirectories: folders.slice(1) };
  const check = new RootCheck(all);
  const protectedPaths = new ProtectedPaths(all, new ProtectedRules(readProtectedPaths()));
  const isProtected = async (file: string, real: string): Promise<boolean> =>
    (await protectedPaths.ruleFor(file, real, 'read')) !== undefined;
  const named = uris.slice(0, MAX_FILES).map(({ fsPath }) => ({ file: fsPath, isRemote: isForeignShare(fsPath, folders) }));
  const verdicts = await judgeDropped(named, {
    inside: (file) => check.resolve(file),
    realPath: (file) => realPathOf(file),
    isProtected,
  });
  tellUnread(verdicts.flatMap((verdict) => ('refuse' in verdict ? visible(verdict.refuse, 100) : [])));
  tellLeftOut(uris.length);
  const asked = verdicts.flatMap((verdict) => ('ask' in verdict ? verdict.ask : []));
  const agreed = asked.length === 0 || (await activity.during(() => agreesTo(asked)));
  return verdicts.flatMap((verdict) =>
    'attach' in verdict ? vscode.Uri.file(verdict.attach) : agreed && 'ask' in verdict ? vscode.Uri.file(verdict.ask) : [],
  );
}

/** Of files that the user has chosen in VS Code, which is their word, those that may go: asked about is what leads somewhere else than it says. */
export async function chosenFiles(activity: UserActivity, roots: Roots, uris: readonly vscode.Uri[]): Promise<vscode.Uri[]> {
  const folders = [roots.cwd, ...roots.additionalDirectories, ...workspaceFolders()];
  const chosen = uris.slice(0, MAX_FILES);
  tellLeftOut(uris.length);
  const arePlain = await Promise.all(chosen.map(async ({ scheme, fsPath }) => scheme !== 'file' || isWhereItSays(fsPath, folders)));
  const others = chosen.filter((_, at) => !arePlain[at]);
  return [...chosen.filter((_, at) => arePlain[at]), ...(others.length > 0 ? await agreedFiles(activity, roots, others) : [])];
}

/** No link leads from below these folders to somewhere else; of a file that is in none of them, it is no link itself. Never rejects. */
export async function isWhereItSays(file: string, folders: readonly string[]): Promise<boolean> {
  const below = (folder: string): string => path.relative(folder, file);
  const holds = (folder: string): boolean => !/^\.\.(?:$|[\\/])/.test(below(folder)) && !path.isAbsolute(below(folder));
  const folder = folders.find(holds) ?? path.dirname(file);
  try {
    return (await realPathOf(file)) === path.join(await realPathOf(folder), below(folder));
  } catch {
    return false;
  }
}

/** @param files real paths */
async function agreesTo(files: readonly string[]): Promise<boolean> {
  const attach = t('Attach');
  const named = files.slice(0, MOST_NAMED).map((file) => visible(file, MAX_PATH));
  const rest = files.length - named.length;
  const list = joined(rest > 0 ? [...named, t('and {count} more', { count: rest })] : named, '\n');
  const detail = joined(
    [list, t("They are outside this session's folders and the workspace, or may contain secrets. The agent can read attached files.")],
    '\n\n',
  );
  return (await window.showWarningMessage(t('Attach these files?'), { modal: true, detail }, attach)) === attach;
}

async function fileBlock(uri: vscode.Uri, capabilities: PromptCapabilities): Promise<ContentBlock> {
  const { size, type } = await vscode.workspace.fs.stat(uri);
  const name = uri.path.split('/').at(-1) || uri.path;
  const address = uri.toString();
  const media = mediaTypeOf(name);
  if (media && takes(media, capabilities) && size <= MAX_MEDIA) {
    const data = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('base64');
    return media.type === 'image'
      ? { type: 'image', data, mimeType: media.mimeType, uri: address }
      : { type: 'audio', data, mimeType: media.mimeType };
  }
  if (!media && (type & vscode.FileType.File) !== 0 && capabilities.embeddedContext && size <= MAX_EMBEDDED) {
    const text = await textOf(uri);
    if (text !== undefined) {
      return { type: 'resource', uri: address, text };
    }
  }
  return { type: 'resource_link', uri: address, name, ...(media && { mimeType: media.mimeType }), size };
}

/** As the user sees it: what is typed and not saved counts. Undefined for what is no text. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) {
    return open.getText();
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
