/** Takes pastes and drops into the message box: files as attachments, addresses to the host, text into the text. */
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { PromptCapabilities } from '../../../src/core/model/content';
import { oneLine } from '../../../src/text/characters/textSafety';
import { useView } from '../../context';
import type { Draft } from '../../draft';
import { t } from '../../l10n';
import { Late } from '../../late';
import { compactNumber } from '../../words';
import { attachmentName, attachmentNote, noteChange } from '../attachmentLabel';
import { filesOf, textBeside, urisOf } from './transfer';
import { mentionParts } from '../mentions/mentionParts';

const incomingFiles = new Late(() => import('./files'));

interface IncomingProps {
  readonly draft: Draft;
  readonly area: RefObject<HTMLTextAreaElement>;
  readonly capabilities: PromptCapabilities;
  setHint(hint: string): void;
}

interface IncomingControls {
  /** Handles a paste or a drop. */
  takeIn(event: Event, transfer: DataTransfer | null): void;
  /** Resolves when all files that were pasted are attached; undefined when none is read. */
  reading(): Promise<void> | undefined;
}

export function useIncoming({ draft, area, capabilities, setHint }: IncomingProps): IncomingControls {
  const { post, say } = useView();
  /** One after the other, so that attachments keep the order of the pastes. */
  const reading = useRef<Promise<void>>();

  const takeText = (event: Event, text: string, parts = mentionParts.now): boolean => {
    const name = area.current ? parts?.takeLongText(area.current, draft, text) : undefined;
    if (name !== undefined) {
      event.preventDefault();
      say(name);
    }
    return name !== undefined;
  };

  /** The browser would take the files, or nothing. */
  const insertText = async (event: Event, text: string): Promise<void> => {
    const parts = await mentionParts.load();
    const box = area.current;
    if (box && !takeText(event, text, parts)) {
      parts.replaceText(box, box.selectionStart, box.selectionEnd, text.replace(/\r\n?/g, '\n'));
    }
  };

  const attach = async (files: readonly File[]): Promise<void> => {
    const { readFiles, withOwnName } = await incomingFiles.load();
    const { blocks, refused, broken, tooLarge } = await readFiles(files, capabilities);
    const notes: string[] = [];
    for (const { block, change } of blocks) {
      const named = withOwnName(block, draft.attachments);
      void (change && noteChange(named, change));
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
  };

  return {
    reading: () => reading.current,
    takeIn: (event, transfer) => {
      const files = filesOf(transfer);
      const uris = files.length === 0 ? urisOf(transfer) : [];
      if (files.length === 0 && uris.length === 0) {
        // Text: the text area takes it itself, unless it is long.
        return event.type === 'paste' ? void takeText(event, transfer?.getData('text/plain') ?? '') : undefined;
      }
      event.preventDefault();
      const text = textBeside(transfer, files);
      if (files.length > 0 && text !== undefined) {
        return void insertText(event, text);
      }
      if (uris.length > 0) {
        post({ type: 'attach_uris', uris });
        return;
      }
      const before = reading.current ?? Promise.resolve();
      const own = before
        .then(() => attach(files))
        .finally(() => {
          if (reading.current === own) {
            reading.current = undefined;
          }
        });
      reading.current = own;
    },
  };
}

function bytes(count: number): string {
  return `${compactNumber(count)}B`;
}
