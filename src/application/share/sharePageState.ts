/** The page of a sharing in words. */
import type { AttachedClient, ShareAccess, ShareRight } from '../../core/share/share';
import type { ShareState, ShownInvitation } from '../../core/share/sharePage';
import { isLoopback } from '../../core/platform/privateAddress';
import { inertLine } from '../shared/escape';
import { titleLabel } from '../shared/sessionTitle';
import type { TranslateVerbatim } from '../shared/translate';

const MAX_TITLE = 80;
const MAX_ADDRESS = 80;
const MAX_START = 20;

export interface SharingFacts {
  readonly url: string | undefined;
  readonly fingerprint: string | undefined;
  readonly sessions: readonly { readonly key: string; readonly title: string }[];
  readonly attached: readonly AttachedClient[];
  readonly given: readonly ShareAccess[];
}

export function sharePageState(
  { url, fingerprint, sessions, attached, given }: SharingFacts,
  invitation: Omit<ShownInvitation, 'about'> | undefined,
  language: string,
  t: TranslateVerbatim,
): ShareState {
  const time = (at: number): string => new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
  return {
    type: 'share',
    about: aboutSharing(url, t),
    ...(url !== undefined && { url }),
    ...(fingerprint !== undefined && { fingerprint: inGroups(fingerprint) }),
    ...(invitation && { invitation: { ...invitation, about: t('Shown once. Copy it now, or make another token later.') } }),
    sessions: sessions.map(({ key, title }) => ({ key, name: titleLabel(title, MAX_TITLE), about: clientCount(attached, key, t) })),
    clients: attached.map(({ clientId, name, address, since, right }) => ({
      key: clientId,
      name: inertLine(name, MAX_TITLE),
      about: [inertLine(address, MAX_ADDRESS), rightName(right, t), t('since {time}', { time: time(since) })].join(' · '),
    })),
    accesses: given.map(({ accessId, right, at }) => ({
      key: accessId,
      name: rightName(right, t),
      about: t('Starts with {start} · made at {time}', { start: inertLine(accessId, MAX_START), time: time(at) }),
    })),
  };
}

function aboutSharing(url: string | undefined, t: TranslateVerbatim): string {
  if (url === undefined) {
    return t('No session is shared, and nothing listens for connections.');
  }
  return isLoopback(new URL(url).hostname)
    ? t('Programs on this computer can attach with a token, while the session is open in this window.')
    : t('Others in your network can attach with a token, while the session is open in this window.');
}

export function rightName(right: ShareRight, t: TranslateVerbatim): string {
  return right === 'answer' ? t('Read and answer') : t('Read only');
}

/** Returns the sentence above the choice of a right. @param tokens the number of tokens that are valid. Each opens all sessions of the window. */
export function accessHint(tokens: number, t: TranslateVerbatim): string {
  return tokens === 0
    ? t('Anyone who has the token gets this access.')
    : t('Anyone who has the token gets this access. Tokens that you have given before open this session, too.');
}

/** The number of clients that have opened the session. */
export function clientCount(attached: readonly AttachedClient[], key: string, t: TranslateVerbatim): string {
  const count = attached.filter(({ sessions }) => sessions.includes(key)).length;
  return count === 0 ? t('No clients') : count === 1 ? t('1 client') : t('{count} clients', { count });
}

/** Returns an entry for `acpHost.agents` of another window, with the token as a value that VS Code asks for. */
export function settingsEntry(url: string, fingerprint: string | undefined): string {
  const entry = { url, token: '${input:token}', ...(fingerprint !== undefined && { certificateFingerprint: fingerprint }) };
  return `"Shared Session": ${JSON.stringify(entry, undefined, 2)}`;
}

function inGroups(fingerprint: string): string {
  return fingerprint.replace(/..(?=.)/g, '$&:').toUpperCase();
}
