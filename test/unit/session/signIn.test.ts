import { failedTurn } from '../../../src/core/queue/retry';
import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../src/core/model/content';
import type { EventInput } from '../../../src/core/model/event';
import { needsYou } from '../../../src/core/model/select';
import { turn } from './fakes';
import { REQUIRED, no, text, scene, initialize, opened, ended, statusOf, turnsOf, sentTo } from './signInScene';

describe('signing in with the agent’s own method', () => {
  it('repeats the failed request, once for each sign-in', () => {
    const { session, agent } = scene();
    agent().newSession[0]!(no);
    assert.equal(session.store.state.status, 'starting');
    assert.deepEqual(session.store.state.signIn, {
      status: 'required',
      failure: { ...REQUIRED, params: { ...REQUIRED.params, methods: 'Browser, Log in, Key' } },
    });
    assert.ok(needsYou(session.store.state));
    session.signIn('browser');
    assert.equal(statusOf(session), 'running');
    session.signIn('browser');
    assert.equal(agent().authentications.length, 1, 'one at a time');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.equal(statusOf(session), 'signed_in');
    agent().newSession[1]!(no);
    assert.equal(statusOf(session), 'required');
    assert.equal(agent().newSession.length, 2, 'not by itself');
    session.signIn('browser');
    agent().authentications[1]!({ ok: true, value: undefined });
    opened(agent());
    assert.deepEqual([session.store.state.status, statusOf(session)], ['ready', 'signed_in']);
    assert.ok(!needsYou(session.store.state));
  });

  it('keeps the turn open and sends the prompt again, with its attachments', () => {
    const { session, agent } = scene();
    opened(agent());
    const content: ContentBlock[] = [text('look'), { type: 'resource', uri: 'file:///w/a', text: 'a' }];
    session.prompt(content);
    agent().prompts[0]!(no);
    assert.ok(session.store.state.turn);
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual(
      agent().sent.filter(([what]) => what === 'prompt'),
      [
        ['prompt', 'S', content],
        ['prompt', 'S', content],
      ],
    );
    ended(agent());
    assert.deepEqual(turnsOf(session), ['end_turn']);
    assert.deepEqual(
      [...session.store.state.entries].map(({ kind }) => kind),
      ['message', 'turn'],
    );
  });

  it('shows why it failed, and offers all methods again', () => {
    const { session, agent } = scene();
    agent().newSession[0]!(no);
    session.signIn('browser');
    agent().authentications[0]!({ ok: false, failure: { code: 'request.failed', detail: 'no such account' } });
    assert.deepEqual(session.store.state.signIn, {
      status: 'failed',
      methodId: 'browser',
      failure: { code: 'request.failed', detail: 'no such account' },
    });
    session.signIn('nothing of the kind');
    assert.equal(session.store.state.signIn?.failure?.code, 'auth.unknown_method');
    session.signIn('browser');
    assert.equal(agent().authentications.length, 2);
  });

  it('is cancelled at the agent, which may still accept', async () => {
    const { session, agent } = scene();
    agent().newSession[0]!(no);
    session.signIn('browser');
    const question = agent().client.elicit(
      { requestId: 2 },
      { message: 'Code?', body: { mode: 'form', form: { fields: [] } } as never },
      new AbortController().signal,
    );
    session.signIn();
    assert.deepEqual(agent().sent.at(-1), ['give up', 'authenticate']);
    assert.deepEqual(session.store.state.signIn?.failure?.detail, 'Who are you?', 'the card is as it was');
    assert.equal(statusOf(session), 'required');
    assert.deepEqual(await question, { action: 'cancel' });
    agent().authentications[0]!({ ok: false, failure: { code: 'request.cancelled' } });
    assert.equal(statusOf(session), 'required');
    session.signIn('browser');
    session.signIn();
    agent().authentications[1]!({ ok: true, value: undefined });
    opened(agent());
    assert.equal(session.store.state.status, 'ready');
  });

  it('does not affect a second attempt when the first is answered late', () => {
    const { session, agent } = scene();
    agent().newSession[0]!(no);
    session.signIn('browser');
    session.signIn();
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.equal(statusOf(session), 'running');
    agent().authentications[1]!({ ok: true, value: undefined });
    assert.equal(agent().newSession.length, 2);
  });

  it('ends the start, or the turn, when the user declines', () => {
    const first = scene();
    first.agent().newSession[0]!(no);
    first.session.signIn();
    assert.deepEqual(
      [first.session.store.state.status, first.session.store.state.failure?.params?.['methods']],
      ['failed', 'Browser, Log in, Key'],
    );
    assert.equal(first.agent().disposed, 1);
    first.session.act('retry');
    initialize(first.agent());
    first.agent().newSession[0]!(no);
    assert.equal(statusOf(first.session), 'required', 'asked anew');

    const { session, agent, given } = scene();
    opened(agent());
    session.prompt([text('go'), { type: 'image', data: 'AA==', mimeType: 'image/png' }]);
    assert.equal(given.length, 0);
    session.prompt([text('go'), { type: 'resource_link', uri: 'file:///a', name: 'a' }]);
    agent().prompts[0]!(no);
    session.signIn();
    assert.deepEqual(given, [], 'Retry sends it');
    assert.deepEqual(turnsOf(session), ['error']);
    session.retryPrompt(failedTurn(session.store.state)!.turnId);
    assert.deepEqual(agent().sent.at(-1), ['prompt', 'S', [text('go'), { type: 'resource_link', uri: 'file:///a', name: 'a' }]]);
    assert.equal(statusOf(session), 'dismissed');
    session.signIn();
    assert.equal(statusOf(session), 'dismissed', 'nothing to back out of');
  });

  it('ends when an answered prompt shows that the user signed in elsewhere', () => {
    const { session, agent } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn();
    session.prompt([text('go')]);
    ended(agent());
    assert.equal(statusOf(session), 'signed_in');
  });
});

describe('Stop during a sign-in', () => {
  it('ends the waiting turn as cancelled and returns the prompt', () => {
    const { session, agent, given } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.cancel();
    assert.deepEqual([turnsOf(session), given, statusOf(session)], [['cancelled'], [[text('go')]], 'dismissed']);
    assert.ok(!sentTo(agent()).includes('cancel'), 'nothing runs there');
  });

  it('cancels the sign-in that runs for it', () => {
    const { session, agent, account } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn('login');
    session.cancel();
    assert.deepEqual([turnsOf(session), statusOf(session), account.asked[0]!.signal.aborted], [['cancelled'], 'dismissed', true]);
  });

  it('prevents the prompt from being sent when the session is reopened after the sign-in', async () => {
    const { session, agent, agents, account, given } = scene();
    opened(agent());
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    assert.equal(agents.length, 2);
    session.cancel();
    assert.deepEqual([turnsOf(session), given.length, session.store.state.status], [['cancelled'], 1, 'starting']);
    initialize(agent());
    agent().newSession[0]!(no);
    assert.equal(statusOf(session), 'required', 'the session itself is still wanted');
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    opened(agent(), 'T');
    assert.deepEqual([agent().prompts.length, session.store.state.status], [0, 'ready']);
  });

  it('ends a turn as cancelled for which the agent then requires a sign-in', () => {
    const { session, agent, given } = scene();
    opened(agent());
    session.prompt([text('go')]);
    session.cancel();
    agent().prompts[0]!(no);
    assert.deepEqual([turnsOf(session), given.length, statusOf(session)], [['cancelled'], 1, undefined]);
  });

  it('reaches the agent when only an option waits', () => {
    const { session, agent } = scene();
    opened(agent());
    session.prompt([text('go')]);
    session.setConfig('model', 'm');
    agent().configs[0]!(no);
    assert.equal(statusOf(session), 'required');
    session.cancel();
    assert.deepEqual(agent().sent.at(-1), ['cancel', 'S']);
    assert.ok(session.store.state.turn?.cancelling);
  });
});

describe('options that wait for a sign-in', () => {
  it('are set again, each with its newest value', () => {
    const { session, agent } = scene();
    opened(agent());
    session.setConfig('model', 'a');
    agent().configs[0]!(no);
    session.setConfig('model', 'b');
    agent().configs[1]!(no);
    session.setConfig('$mode', 'ask');
    agent().configs[2]!(no);
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual(agent().sent.slice(-2), [
      ['setConfig', 'S', 'model', 'b'],
      ['setConfig', 'S', '$mode', 'ask'],
    ]);
  });

  it('are reported when the user declines', () => {
    const { session, agent } = scene();
    opened(agent());
    session.setConfig('model', 'a');
    agent().configs[0]!(no);
    session.signIn();
    const notice = [...session.store.state.entries].at(-1);
    assert.deepEqual(notice && 'failure' in notice && notice.failure?.params?.['refusal'], 'auth.required');
    assert.equal(session.store.state.status, 'ready');
  });

  it('never interrupt a running turn: a sign-in that needs a new process must wait', async () => {
    const { session, agent, account } = scene();
    opened(agent());
    session.prompt([text('go')]);
    session.setConfig('model', 'a');
    agent().configs[0]!(no);
    session.signIn('login');
    assert.deepEqual([account.asked.length, session.store.state.signIn?.failure?.code], [0, 'turn.busy']);
    session.signIn('browser');
    agent().authentications[0]!({ ok: true, value: undefined });
    assert.deepEqual(agent().sent.at(-1), ['setConfig', 'S', 'model', 'a']);
    ended(agent());
    assert.deepEqual(turnsOf(session), ['end_turn']);
  });
});

describe('a prompt that waits for a sign-in with a new process', () => {
  const mode = (currentValue: string): EventInput => ({
    type: 'config_options',
    options: [
      {
        type: 'select',
        configId: 'mode',
        name: 'Mode',
        currentValue,
        groups: [{ choices: ['plan', 'code'].map((value) => ({ value, name: value })) }],
      },
    ],
  });

  async function reopened() {
    const made = scene();
    const { session, agent, account } = made;
    agent().offer('resume');
    agent().newSession.at(-1)!({ ok: true, value: { sessionId: 'S', events: [mode('plan')] } });
    session.prompt([text('go')]);
    agent().prompts[0]!(no);
    session.signIn('login');
    account.asked[0]!.finish();
    await turn();
    agent().offer('resume');
    initialize(agent());
    agent().again[0]!({ ok: true, value: { sessionId: 'S', events: [mode('code')] } });
    return made;
  }

  it('is sent after the values that the user sees are set again', async () => {
    const { agent } = await reopened();
    assert.deepEqual(agent().sent.at(-1), ['setConfig', 'S', 'mode', 'plan']);
    assert.equal(agent().prompts.length, 0);
    agent().configs[0]!({ ok: true, value: [] });
    assert.equal(agent().prompts.length, 1);
  });

  it('comes back to the user with Stop while the agent does not answer', async () => {
    const { session, agent, given, clock } = await reopened();
    clock.pass(60_000);
    assert.equal(agent().prompts.length, 0);
    session.cancel();
    assert.deepEqual([turnsOf(session), given], [['cancelled'], [[text('go')]]]);
    agent().configs[0]!({ ok: true, value: [] });
    assert.equal(agent().prompts.length, 0);
  });

  it('waits for the next sign-in when the agent requires one for a value, which is set first', async () => {
    const { session, agent } = await reopened();
    agent().configs[0]!(no);
    assert.deepEqual([statusOf(session), agent().configs.length, agent().prompts.length], ['required', 1, 0]);
    session.signIn('browser');
    agent().authentications.at(-1)!({ ok: true, value: undefined });
    assert.deepEqual(sentTo(agent()).slice(-2), ['setConfig', 'prompt']);
  });
});
