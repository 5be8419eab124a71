/** Takes files that were pasted or dropped into the message box, or the text beside them. Loaded with the first file. */
import type { PromptCapabilities } from '../../../src/core/model/content';
import { oneLine } from '../../../src/text/characters/textSafety';
import type { Draft } from '../../state/draft';
import { t } from '../../base/l10n';
import { compactNumber } from '../../base/strings';
import { attachmentName, attachmentNote, noteChange } from './attachmentLabel';
import { mentionChunk } from '../mentions/lazyMentions';
import type { Drawn } from './drawPicture';
import { readFiles, withOwnName } from './files';
import { textBeside, type Transferred } from './transfer';

interface TakeDependencies {
  readonly draft: Draft;
  /** Null when the message box no longer exists. */
  readonly area: HTMLTextAreaElement | null;
  readonly capabilities: PromptCapabilities;
  say(text: string): void;
  setHint(hint: string): void;
}

/** Never rejects. */
export async function take(transferred: Transferred, deps: TakeDependencies): Promise<void> {
  const text = textBeside(transferred);
  await (text === undefined ? attach(transferred.files, deps) : insertText(text, deps));
}

/** Inserts the text, because the browser would insert the files or nothing. */
async function insertText(text: string, { draft, area, say }: TakeDependencies): Promise<void> {
  const { takeLongText, replaceText } = await mentionChunk.load();
  const name = area?.isConnected ? takeLongText(area, draft, text) : undefined;
  if (name !== undefined) {
    say(name);
  } else if (area?.isConnected) {
    replaceText(area, area.selectionStart, area.selectionEnd, text.replace(/\r\n?/g, '\n'));
  }
}

async function attach(files: readonly File[], { draft, capabilities, say, setHint }: TakeDependencies): Promise<void> {
  const { blocks, refused, broken, tooLarge } = await readFiles(files, capabilities);
  const notes: string[] = [];
  for (const { block, change } of blocks) {
    const named = withOwnName(block, draft.attachments);
    void (change && noteChange(named, changeText(change)));
    draft.attach([named]);
    const note = attachmentNote(named);
    void (note !== '' && notes.push(`${oneLine(attachmentName(named), 60)}: ${note}`));
  }
  if (blocks.length > 0) {
    say([blocks.length === 1 ? t('Attached') : t('{count} attached', { count: blocks.length }), ...notes].join(', '));
  }
  const named = (names: readonly string[]): string => names.map((name) => oneLine(name, 60)).join(', ');
  const words = [
    ...(refused.length > 0 ? [t("The agent doesn't accept: {files}", { files: named(refused) })] : []),
    ...(broken.length > 0 ? [t("Couldn't read the image: {files}", { files: named(broken) })] : []),
    ...tooLarge.map(({ name, size, limit }) =>
      t('{file} is too large: {size}, at most {limit}', { file: oneLine(name, 60), size: bytes(size), limit: bytes(limit) }),
    ),
  ].join(' ');
  if (words !== '') {
    setHint(words);
    say(words);
  }
}

function changeText({ scaled, converted }: Pick<Drawn, 'scaled' | 'converted'>): string {
  return [
    ...(scaled ? [t('scaled to {width} × {height}', { width: scaled.width, height: scaled.height })] : []),
    ...(converted ? [t('converted to {format}', { format: converted })] : []),
  ].join(', ');
}

function bytes(count: number): string {
  return `${compactNumber(count)}B`;
}
