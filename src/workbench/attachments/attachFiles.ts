/** Files that the user chose, as content blocks of a prompt. Content that the agent accepts is embedded; every other file is sent as a link. */
import * as vscode from 'vscode';
import path from 'node:path';
import { isPictureLink, MAX_EMBEDDED, MAX_MEDIA } from '../../core/model/attachment';
import type { ContentBlock, PromptCapabilities } from '../../core/model/content';
import { fileMedia } from '../../core/media/fileMedia';
import { isForeignShare } from '../../core/model/networkPath';
import type { Roots } from '../../core/model/roots';
import { ProtectedPaths } from '../../policy/protection/protectedPaths';
import { ProtectedRules } from '../../policy/protection/protectedRules';
import { identityOf, type FileIdentity } from '../../util/checkedFiles';
import type { Consents } from '../../policy/consents';
import { maySendText } from '../../policy/readAccess';
import { realPathOf } from '../../util/realPath';
import { RootCheck } from '../../util/roots';
import { readProtectedPaths } from '../settings/agentSettings';
import { type CheckedFile, checkedBytesOf, checkedHeadOf, checkedTextOf, factsOf } from './checkedContent';
import { agreeToOutside, judgeDropped } from '../../application/attachments/droppedFiles';
import { type InertText, joined, inertLine } from '../../application/shared/escape';
import { workspaceFolders } from '../window/workspaceFolders';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

/** The number of files that a question names. The rest is shown as a count. */
const MAX_NAMED = 10;
const MAX_PATH = 500;
/** The maximum number of files that can be attached at once. */
const MAX_FILES = 50;

/** Returns the files as content blocks. Leaves out files that cannot be read, and names them in a message. */
export async function fileBlocks(files: readonly CheckedFile[], capabilities: PromptCapabilities): Promise<ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  const unread: InertText[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    try {
      blocks.push(await fileBlock(file, capabilities));
    } catch {
      unread.push(inertLine(vscode.workspace.asRelativePath(file.uri), 100));
    }
  }
  warnUnreadableFiles(unread);
  warnTooManyFiles(files.length);
  warnLinkedPictures(blocks, capabilities);
  return blocks;
}

/** Returns the chosen files and folders that exist, up to `MAX_FILES`, and warns about the others. */
export async function existingFiles(uris: readonly vscode.Uri[]): Promise<{ readonly uri: vscode.Uri; readonly isFolder: boolean }[]> {
  const unread: InertText[] = [];
  const found = await Promise.all(
    uris.slice(0, MAX_FILES).map(async (uri) => {
      try {
        // An untitled document exists only in an editor.
        return uri.scheme === 'untitled'
          ? { uri, isFolder: false }
          : { uri, isFolder: ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0 };
      } catch {
        unread.push(inertLine(vscode.workspace.asRelativePath(uri), 100));
        return [];
      }
    }),
  );
  warnUnreadableFiles(unread);
  warnTooManyFiles(uris.length);
  return found.flat();
}

function warnTooManyFiles(count: number): void {
  if (count > MAX_FILES) {
    void window.showWarningMessage(t('Only the first {count} files were attached.', { count: MAX_FILES }));
  }
}

function warnUnreadableFiles(files: readonly InertText[]): void {
  if (files.length > 0) {
    void window.showWarningMessage(t("Couldn't attach: {files}", { files: joined(files, ', ') }));
  }
}

/**
 * Returns the files that may go to the agent, of those that the page names. Asks the user about files outside the session's folders and the
 * workspace, and about files that may hold secrets. A file with an earlier consent needs no question. Returns `MAX_FILES` at most, so that all of
 * them were checked.
 */
export async function agreedFiles(
  activity: UserActivity,
  roots: Roots,
  uris: readonly vscode.Uri[],
  consents: Pick<Consents, 'agree' | 'has'>,
): Promise<CheckedFile[]> {
  const folders = [roots.cwd, ...roots.additionalDirectories, ...workspaceFolders()];
  const all = { cwd: roots.cwd, additionalDirectories: folders.slice(1) };
  const check = new RootCheck(all);
  const protectedPaths = new ProtectedPaths(all, new ProtectedRules(readProtectedPaths()));
  const named = uris.slice(0, MAX_FILES).map(({ fsPath }) => ({ file: fsPath, isRemote: isForeignShare(fsPath, folders) }));
  const judged = await judgeDropped(named, {
    inside: (file) => check.resolve(file),
    realPath: (file) => realPathOf(file),
    isProtected: async (file, real) => (await protectedPaths.ruleFor(file, real, 'read')) !== undefined,
    identify: (real) => identityOf(real),
    isAgreed: (identity) => consents.has(identity),
  });
  warnUnreadableFiles(judged.flatMap(({ verdict, file }) => (verdict === 'refuse' ? inertLine(file, 100) : [])));
  warnTooManyFiles(uris.length);
  const asked = judged.filter(({ verdict }) => verdict === 'ask');
  const agreed = asked.length === 0 || (await activity.during(() => agreesTo(asked.map(({ real }) => real))));
  if (agreed) {
    asked.forEach(({ identity }) => identity && consents.agree(identity));
  }
  const going = judged.filter(({ verdict }) => verdict === 'attach' || (agreed && verdict === 'ask'));
  await agreeFor(
    roots,
    going.map(({ identity }) => identity),
    consents,
  );
  return going.map(({ verdict, file, real, identity }) => ({ uri: vscode.Uri.file(verdict === 'ask' ? real : file), real, identity }));
}

/** Resolves to true when text of this file may be attached: the file is not protected from reading, or the user agrees. Never rejects. */
export async function mayAttachTextOf(
  uri: vscode.Uri,
  activity: UserActivity,
  { roots, consents }: { readonly roots: Roots; readonly consents: Consents },
): Promise<boolean> {
  return (
    uri.scheme !== 'file' ||
    (await maySendText(uri.fsPath, { roots, consents, setting: readProtectedPaths })) ||
    (await agreedFiles(activity, roots, [uri], consents)).length > 0
  );
}

/** Returns the files chosen in VS Code that may go to the agent. The choice is the user's consent, so only files behind links need a question. */
export async function chosenFiles(
  activity: UserActivity,
  roots: Roots,
  uris: readonly vscode.Uri[],
  consents: Pick<Consents, 'agree' | 'has'>,
): Promise<CheckedFile[]> {
  const folders = [roots.cwd, ...roots.additionalDirectories, ...workspaceFolders()];
  const chosen = uris.slice(0, MAX_FILES);
  warnTooManyFiles(uris.length);
  const plain = await Promise.all(
    chosen.map(async (uri): Promise<CheckedFile | undefined> => {
      const found = uri.scheme === 'file' ? await fileAsNamed(uri.fsPath, folders) : undefined;
      return uri.scheme !== 'file' ? { uri } : found && { uri, ...found };
    }),
  );
  const others = chosen.filter((_, at) => !plain[at]);
  await agreeFor(
    roots,
    plain.map((file) => file?.identity),
    consents,
  );
  return [
    ...plain.filter((file) => file !== undefined),
    ...(others.length > 0 ? await agreedFiles(activity, roots, others, consents) : []),
  ];
}

/** Names the pictures that are sent as links although the agent accepts pictures: models reject their format or their size. */
export function warnLinkedPictures(blocks: readonly ContentBlock[], { image }: PromptCapabilities): void {
  const names = blocks.flatMap((block) =>
    image && block.type === 'resource_link' && isPictureLink(block) ? inertLine(block.name, 100) : [],
  );
  if (names.length > 0) {
    const files = joined(names, ', ');
    void window.showInformationMessage(t("Sent as links, because their format or size isn't supported for images: {files}", { files }));
  }
}

/** Records that the session's agent may read files of other folders that the user added. */
function agreeFor(roots: Roots, files: readonly (FileIdentity | undefined)[], consents: Pick<Consents, 'agree'>): Promise<void> {
  const own = new RootCheck(roots);
  return agreeToOutside(files, (real) => own.contains(real), consents);
}

/**
 * Returns the file if no link between these folders and the file changes its location. A file in none of the folders must not be a link itself.
 * Returns undefined otherwise. Never rejects.
 */
export async function fileAsNamed(
  file: string,
  folders: readonly string[],
): Promise<{ readonly real: string; readonly identity: FileIdentity | undefined } | undefined> {
  const below = (folder: string): string => path.relative(folder, file);
  const holds = (folder: string): boolean => !/^\.\.(?:$|[\\/])/.test(below(folder)) && !path.isAbsolute(below(folder));
  const folder = folders.find(holds) ?? path.dirname(file);
  try {
    const real = path.join(await realPathOf(folder), below(folder));
    const identity = await identityOf(file);
    return (identity?.real ?? (await realPathOf(file))) === real ? { real, identity } : undefined;
  } catch {
    return undefined;
  }
}

/** @param files real paths */
async function agreesTo(files: readonly string[]): Promise<boolean> {
  const attach = t('Attach');
  const named = files.slice(0, MAX_NAMED).map((file) => inertLine(file, MAX_PATH));
  const rest = files.length - named.length;
  const list = joined(rest > 0 ? [...named, t('and {count} more', { count: rest })] : named, '\n');
  const detail = joined(
    [list, t("They are outside this session's folders and the workspace, or may contain secrets. The agent can read attached files.")],
    '\n\n',
  );
  return (await window.showWarningMessage(t('Attach these files?'), { modal: true, detail }, attach)) === attach;
}

async function fileBlock(file: CheckedFile, capabilities: PromptCapabilities): Promise<ContentBlock> {
  const { uri } = file;
  const { size, isFile } = await factsOf(file);
  const name = uri.path.split('/').at(-1) || uri.path;
  const address = uri.toString();
  const media = isFile ? fileMedia(name, await checkedHeadOf(file), size, capabilities) : undefined;
  if (media && media.as !== 'link') {
    const data = Buffer.from(await checkedBytesOf(file, MAX_MEDIA)).toString('base64');
    const { mimeType } = media;
    return media.as === 'image' ? { type: 'image', data, mimeType, uri: address } : { type: 'audio', data, mimeType };
  }
  if (!media && isFile && capabilities.embeddedContext && size <= MAX_EMBEDDED) {
    const text = await checkedTextOf(file, MAX_EMBEDDED);
    if (text !== undefined) {
      return { type: 'resource', uri: address, text };
    }
  }
  return { type: 'resource_link', uri: address, name, ...(media && { mimeType: media.mimeType }), size };
}
