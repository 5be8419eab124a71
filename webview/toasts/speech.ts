import type { NoticeShown } from '../../src/core/model/event';
import { t } from '../base/l10n';
import { oneLine } from '../../src/text/characters/textSafety';
import { severityLabel } from '../base/strings';

/** UTF-16 units; the conversation has the whole text. */
const LONGEST = 300;

/** The announcement of a notice. The toast itself is not a live region, because it would be announced twice. */
export function noticeSpeech({ severity, title, description }: Pick<NoticeShown, 'severity' | 'title' | 'description'>): string {
  const words = [title, description ?? ''].filter((text) => text.trim() !== '').map((text) => oneLine(text, LONGEST));
  return t('{severity}: {words}', { severity: severityLabel(severity), words: words.join(' — ') });
}
