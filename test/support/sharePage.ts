/** The page of a sharing with clients in every state. */
import { sharePageState } from '../../src/application/share/sharePageState';
import type { ShareState } from '../../src/core/share/sharePage';
import { invitationOf } from '../../src/share/invitation';
import { englishVerbatim } from '../unit/application/english';

const AT = Date.UTC(2026, 10, 27, 9, 30);
const URL = 'wss://192.168.178.20:49152/acp';
const FINGERPRINT = '3a'.repeat(32);
const TOKEN = 'q1W2e3R4'.repeat(6).slice(0, 51);

/** @param isNew true while the token is shown */
export function sharedState(isNew: boolean): ShareState {
  const { link, code } = invitationOf(URL, TOKEN, FINGERPRINT);
  return sharePageState(
    {
      url: URL,
      fingerprint: FINGERPRINT,
      sessions: [
        { key: 'a', title: 'Fix the date parser of the import' },
        { key: 'b', title: 'سلام، این یک جلسه است' },
      ],
      attached: [
        { clientId: '1', name: 'Pixel', address: '192.168.178.31', since: AT, right: 'answer', sessions: ['a', 'b'] },
        {
          clientId: '2',
          name: `Laptop ${'of a very long name '.repeat(4)}`,
          address: 'fd00::1:2:3:4',
          since: AT,
          right: 'read',
          sessions: [],
        },
      ],
      given: [
        { accessId: 'x', right: 'answer', at: AT },
        { accessId: 'y', right: 'read', at: AT },
      ],
    },
    isNew ? { token: TOKEN, link, code } : undefined,
    'en',
    englishVerbatim,
  );
}

export const UNSHARED: ShareState = sharePageState(
  { url: undefined, fingerprint: undefined, sessions: [], attached: [], given: [] },
  undefined,
  'en',
  englishVerbatim,
);
