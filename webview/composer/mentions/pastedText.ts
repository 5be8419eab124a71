/** A long pasted text becomes one token in the box and a chip beside it. Undo brings the text back. */
import type { Mention } from '../../../src/core/mentions/mention';
import { attachmentUri } from '../../../src/core/mentions/attachmentUri';
import type { Draft } from '../../state/draft';
import { t } from '../../base/l10n';
import { insertToken, replaceText } from './editText';

/** The lines of a long text. The user may want to edit a shorter one. */
const LONG_LINES = 25;
const LONG_UNITS = 3000;
/** A longer text is inserted as usual. */
const MAX_UNITS = 1024 * 1024;
const EXCERPT = 200;

/**
 * Inserts a long text into the box: first the text, then the chip in its place, so that undo reverts one step. Returns the chip's name. Returns
 * undefined and does nothing when the text is not long.
 */
export function takeLongText(area: HTMLTextAreaElement, draft: Draft, pasted: string): string | undefined {
  const text = pasted.replace(/\r\n?/g, '\n');
  const mention = pastedMention(text);
  if (mention) {
    const { selectionStart: start, selectionEnd: end } = area;
    replaceText(area, start, end, text);
    area.setSelectionRange(start, start + text.length);
    insertToken(area, draft.mention(mention));
  }
  return mention?.name;
}

/** Undefined when the text is not long. */
function pastedMention(text: string): Mention | undefined {
  const lines = text.split('\n').length;
  if ((lines < LONG_LINES && text.length < LONG_UNITS) || text.length > MAX_UNITS) {
    return undefined;
  }
  const name = lines > 1 ? t('Pasted text, {count} lines', { count: lines }) : t('Pasted text, {count} characters', { count: text.length });
  return {
    type: 'mention',
    token: `[${name.replace(/[[\]]/g, '')}]`,
    name,
    about: text.slice(0, EXCERPT).toWellFormed(),
    ref: { kind: 'content', block: { type: 'resource', uri: attachmentUri('pasted-text.txt', name), mimeType: 'text/plain', text } },
  };
}
