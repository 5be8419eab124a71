/** Secrets in texts that arrive in parts, at clients of a sharing. */
import assert from 'node:assert/strict';
import type { Log } from '../../../src/core/platform/log';
import { KnownSecrets } from '../../../src/application/agents/knownSecrets';
import { Sharing } from '../../../src/share/sharing';
import { systemClock } from '../../../src/util/clock';
import { SharedClient, until } from '../../support/share/sharedClient';
import { FakeShared } from './fakeShared';

const SECRET = 'sk-secret-0123456789';
const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('a secret in a shared conversation', () => {
  let sharing: Sharing;
  let session: FakeShared;
  let client: SharedClient;

  beforeEach(async () => {
    const secrets = new KnownSecrets();
    secrets.add('agent', [SECRET]);
    const { text: redact, startLength: secretStart } = secrets;
    sharing = new Sharing({ clock: systemClock, log: quiet, version: '0', redact, secretStart, changed: () => undefined });
    session = new FakeShared();
    session.happen({ type: 'turn_started', turnId: 't' });
    sharing.add(session);
    await sharing.start({ host: '127.0.0.1' });
    client = new SharedClient();
    await client.open(sharing.url!, sharing.issue('read'));
  });
  afterEach(async () => {
    client.close();
    await sharing.stop();
  });

  const received = (): string => client.text('agent_message_chunk');
  const round = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

  for (const at of [1, 3, 4, 12, SECRET.length - 1]) {
    it(`is not sent when it arrives in two parts, the first of ${at}`, async () => {
      await client.load('one');
      session.say(`The key is ${SECRET.slice(0, at)}`);
      await until('the first part', () => received().startsWith('The key is '));
      await round();
      session.say(`${SECRET.slice(at)}.`);
      session.happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
      await until('the end', () => received().endsWith('.'));
      assert.equal(received(), 'The key is [redacted].');
    });
  }

  it('is not sent to a client that attaches between its parts, nor to one that continues', async () => {
    session.say('The key is sk-secret');
    await client.load('one');
    await client.agent.request('session/resume', { sessionId: 'one', cwd: '/', mcpServers: [] });
    session.say('-0123456789.');
    await until('the end', () => received().endsWith('.'));
    assert.equal(received(), 'The key is [redacted].');
  });

  it('is not sent where a long text is cut', async () => {
    session.say(`${'x'.repeat(64 * 1024 - 5)}${SECRET}.`);
    await client.load('one');
    await until('the end', () => received().endsWith('.'));
    assert.equal(received().slice(-12), 'x[redacted].');
  });

  it('holds no end of a text back when the turn ends, or something follows', async () => {
    await client.load('one');
    session.say('Two words', 'a');
    await until('the start', () => received() === 'Two word');
    session.say('and more words', 'b');
    await until('the first end', () => received() === 'Two wordsand more word');
    session.happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await until('the last end', () => received() === 'Two wordsand more words');
  });
});
