/** The decision about a request after a reload of the window. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { Accesses } from '../../../src/share/accesses';
import { Admission } from '../../../src/share/admission';
import { Attempts } from '../../../src/share/attempts';

describe('the admission after a reload', () => {
  const accesses = new Accesses();
  const { token } = accesses.issue('answer', 0);
  const headers = (bearer: string): IncomingHttpHeaders => ({ host: '127.0.0.1:1', authorization: `Bearer ${bearer}` });
  const decide = (isOwnOnly: boolean, bearer = token) =>
    new Admission(accesses, new Attempts(() => 0), false, isOwnOnly).decide({
      url: '/acp',
      headers: headers(bearer),
      address: '127.0.0.1',
      isOtherUser: () => true,
    });

  it('refuses a token in the hands of another user of this machine', () => {
    assert.deepEqual(decide(true), { status: 403, reason: 'a program of another user' });
    assert.equal((decide(true, `${token.slice(0, -1)}_`) as { status: number }).status, 401, 'a stranger learns nothing of the user');
    assert.equal((decide(false) as { right: string }).right, 'answer', 'as long as no one else can have had the port');
  });
});
