/** The permission audit as a document: one line for each entry, newest day first, for reading and for the editor's search. Pure. */
import { withoutLineBreaks } from '../../../text/characters/characters';
import { escapeMisleading, oneLine } from '../../../text/characters/textSafety';
import { modeLabel } from '../../../text/messages/permissionModeNames';
import { decisionText, unansweredText } from '../../../text/messages/statusText';
import { PERMISSION_MODES, type PermissionMode } from '../../../core/modes/permissionMode';
import type { TranslateVerbatim } from '../../../text/messages/translate';
import type { AuditEntry } from './auditEntry';

/** UTF-16 units of a session's title on each line. */
const MAX_SESSION = 50;
/** UTF-16 units of a client's name. */
const MAX_CLIENT = 60;

export interface AuditDocument {
  /** The session's title; undefined for all sessions. */
  readonly session?: string;
  readonly days: number;
  /** BCP 47 */
  readonly language: string;
  /** An IANA name. Absent: the system's. */
  readonly timeZone?: string;
}

/** @param entries oldest first */
export function auditText(entries: readonly AuditEntry[], about: AuditDocument, t: TranslateVerbatim): string {
  const { session, days, language, timeZone } = about;
  const zone = timeZone === undefined ? {} : { timeZone };
  const dayOf = new Intl.DateTimeFormat(language, { dateStyle: 'full', ...zone });
  const timeOf = new Intl.DateTimeFormat(language, { timeStyle: 'medium', ...zone });
  const title =
    session === undefined ? t('Permission audit: all sessions') : t('Permission audit: {session}', { session: oneLine(session, 120) });
  const kept = days === 1 ? t('Entries are kept for 1 day.') : t('Entries are kept for {days} days.', { days });
  const lines = [title, kept];
  let day = '';
  for (const entry of entries.toReversed()) {
    const now = dayOf.format(entry.at);
    if (now !== day) {
      day = now;
      lines.push('', day, '');
    }
    lines.push(`${timeOf.format(entry.at)}  ${entryText(entry, session === undefined, t)}`);
  }
  return `${entries.length === 0 ? [...lines, '', t('There are no entries.')].join('\n') : lines.join('\n')}\n`;
}

/** @param named adds the session */
function entryText(entry: AuditEntry, named: boolean, t: TranslateVerbatim): string {
  const { agent, askedBy, client, session = '' } = entry;
  const who = [askedBy === undefined ? agent : `${agent}: ${askedBy}`, ...(named ? [oneLine(session, MAX_SESSION)] : [])];
  const detail = entry.detail === undefined ? '' : ` — ${entry.detail}`;
  const what = entry.kind === 'mode' ? '' : `: ${entry.title}${detail}`;
  // A rule of the settings belongs to no session.
  const where = [...new Set(who)].filter(Boolean).join(' · ');
  const from = client === undefined ? '' : ` (${t('Answered from {client}', { client: oneLine(client, MAX_CLIENT) })})`;
  const text = `${wordsOf(entry, t)}${from}${what}${where === '' ? '' : `  [${where}]`}`;
  return escapeMisleading(withoutLineBreaks(text, '\n').replace(/\s*\n\s*/g, ' '));
}

function wordsOf({ kind, outcome = '', option = '', title, rule, reason }: AuditEntry, t: TranslateVerbatim): string {
  switch (kind) {
    case 'question':
      return reason === undefined ? t('Asked') : t('Asked ({reason})', { reason: reasonWord(reason, t) });
    case 'mode':
      return t('Permission mode: {mode}', { mode: isMode(title) ? modeLabel(title, t) : title });
    case 'rule':
      return outcome === 'revoked' ? t('Rule revoked') : t('Rule added');
    case 'answer':
    case 'automatic': {
      const isChosen = option !== '';
      if (!isChosen && kind === 'answer' && outcome !== 'cancelled') {
        return outcome === 'accepted' ? t('Accepted by you') : unansweredText(outcome, t);
      }
      const type = isChosen ? 'selected' : 'cancelled';
      return decisionText({ type, kind: outcome, option, ...(kind === 'automatic' && { rule: rule ?? '', code: reason }) }, t);
    }
  }
}

function reasonWord(reason: string, t: TranslateVerbatim): string {
  switch (reason) {
    case 'protected_path':
      return t('protected path');
    case 'command':
      return t('setting for commands');
    case 'rule':
      return t('your rule');
    case 'repetition':
      return t('repeated call');
    default:
      return reason;
  }
}

function isMode(title: string): title is PermissionMode {
  return (PERMISSION_MODES as readonly string[]).includes(title);
}
