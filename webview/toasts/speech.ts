import type { NoticeShown } from '../../src/core/model/event';
import { t } from '../l10n';
import { oneLine } from '../../src/text/characters/textSafety';
import { severityWord } from '../words';

/** UTF-16 units; the rest is in the conversation. */
const LONGEST = 300;

/** What a screen reader says of a notice. The toast itself is no live region: it would be said twice. */
export function noticeSpeech({ severity, title, description }: Pick<NoticeShown, 'severity' | 'title' | 'description'>): string {
  const words = [title, description ?? ''].filter((text) => text.trim() !== '').map((text) => oneLine(text, LONGEST));
  return t('{severity}: {words}', { severity: severityWord(severity), words: words.join(' — ') });
}
