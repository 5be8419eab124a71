/** The moment at which a question is sent to a client of a sharing. */
import assert from 'node:assert/strict';
import { Sharing } from '../../../src/share/sharing';
import { systemClock } from '../../../src/util/clock';
import { quiet } from '../session/fakes';
import { SharedClient, until } from '../../support/share/sharedClient';
import { FakeShared } from './fakeShared';

describe('a question of a shared session', () => {
  let sharing: Sharing;
  let session: FakeShared;
  let client: SharedClient;

  beforeEach(async () => {
    const redaction = { redact: (text: string) => text, secretStart: () => 0 };
    sharing = new Sharing({ clock: systemClock, log: quiet, version: '0', ...redaction, changed: () => undefined });
    session = new FakeShared();
    sharing.add(session);
    await sharing.start({ host: '127.0.0.1' });
    client = new SharedClient();
    await client.open(sharing.url!, sharing.issue('answer'));
    await client.load('one');
  });
  afterEach(async () => {
    client.close();
    await sharing.stop();
  });

  it('is sent when nothing else follows, also in the pause after an update', async () => {
    for (let n = 0; n < 5; n++) {
      session.happen({ type: 'tool_call_update', toolCallId: `call ${n}`, patch: { status: 'completed' } });
      await until('the update', () => client.updates.length > n);
      session.happen({ type: 'permission_requested', permissionId: `p${n}`, title: 'May I?', subject: {}, options: [] });
      await until(`question ${n}`, () => client.questions.length > n, 2000);
    }
    assert.equal(client.questions.length, 5);
  });
});
