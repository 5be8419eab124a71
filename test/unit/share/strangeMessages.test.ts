/** Messages of a client that are no part of the protocol, or that nothing waits for. */
import assert from 'node:assert/strict';
import { Sharing } from '../../../src/share/sharing';
import { systemClock } from '../../../src/util/clock';
import { quiet } from '../session/fakes';
import { SharedClient, until } from '../../support/share/sharedClient';
import { FakeShared } from './fakeShared';

describe('a strange message of a client', function () {
  this.timeout(30_000);
  let sharing: Sharing;
  let session: FakeShared;
  let client: SharedClient;
  const written: unknown[][] = [];
  const { error } = console;

  beforeEach(async () => {
    written.length = 0;
    sharing = new Sharing({
      clock: systemClock,
      log: quiet,
      version: '0',
      redact: (text) => text,
      secretStart: () => 0,
      changed: () => undefined,
    });
    session = new FakeShared();
    sharing.add(session);
    await sharing.start({ host: '127.0.0.1' });
    client = new SharedClient({ permission: async () => ({ outcome: { outcome: 'selected', optionId: 'yes' } }) });
    await client.open(sharing.url!, sharing.issue('answer'));
    await client.load('one');
    console.error = (...args) => void written.push(args);
  });
  afterEach(async () => {
    console.error = error;
    client.close();
    await sharing.stop();
  });

  it('writes nothing to the console, however many there are', async () => {
    for (let id = 0; id < 50; id++) {
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', id: `${id}-${'x'.repeat(1000)}`, result: {} }));
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: 'no' } }));
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', result: {} }));
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: id } }));
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel' }));
      client.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'session/nothing', params: { id } }));
    }
    assert.equal((await client.list()).sessions.length, 1);
    assert.deepEqual([written, session.answers], [[], []]);
  });

  it('takes the place of no answer, and no cancellation', async () => {
    client.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 0, result: { outcome: { outcome: 'selected', optionId: 'no' } } }));
    await client.list();
    session.happen({
      type: 'permission_requested',
      permissionId: 'p',
      title: 'May I?',
      subject: {},
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    });
    await until('the answer', () => session.answers.length > 0);
    await client.agent.notify('session/cancel', { sessionId: 'one' });
    await until('the cancellation', () => session.answers.length > 1);
    assert.deepEqual(session.answers, ['yes', 'cancel']);
  });

  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const [what, text] of [
    ['without a version', '{"id":1,"method":"session/list"}'],
    ['with an id that is deep', `{"jsonrpc":"2.0","id":${deep},"method":"session/list"}`],
    ['with a method that is deep', `{"jsonrpc":"2.0","id":1,"method":${deep}}`],
    ['with nothing', '{}'],
  ] as const) {
    it(`ends the connection ${what}`, async () => {
      client.socket.send(text);
      await until('the end', () => client.closed);
      await until('the client to be gone', () => sharing.attached.length === 0);
    });
  }

  it('ends a connection that can send nothing more', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100)); // The first updates.
    // A text that no message can have: the SDK gives up, and the client must not stay in the list.
    Object.defineProperty(session, 'title', {
      get: () => ({
        toJSON: () => {
          throw new Error('Not to be sent.');
        },
      }),
    });
    void client.list().catch(() => undefined);
    await until('the client to be gone', () => sharing.attached.length === 0);
  });
});
