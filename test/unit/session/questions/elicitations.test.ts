import assert from 'node:assert/strict';
import type { ElicitationBody, ElicitationField } from '../../../../src/core/elicitation/elicitation';
import type { ElicitationEntry } from '../../../../src/core/model/state';
import { entryIdOf } from '../../../../src/core/model/state';
import { type CheckPatterns, Elicitations } from '../../../../src/session/questions/elicitations';
import { Questions } from '../../../../src/session/questions/questions';
import { Sessions } from '../../../../src/session/sessions';
import { SessionStore } from '../../../../src/session/state/store';
import type { PatternVerdict } from '../../../../src/util/patternCheck';
import { FakeClock } from '../permission/fakes';
import { fakeDependencies, launch, turn } from '../fakes';

const text = (name: string, more: object = {}): ElicitationField => ({ name, type: 'string', required: false, ...more });
const formOf = (...fields: ElicitationField[]): ElicitationBody => ({ mode: 'form', fields });
const PAGE: ElicitationBody = { mode: 'url', elicitationId: 'page', url: 'https://a.example/' };

describe('the handler of elicitations', () => {
  function room(check: CheckPatterns = () => assert.fail('no pattern to check')) {
    const store = new SessionStore(new FakeClock());
    const questions = new Questions(store);
    const elicitations = new Elicitations(questions, store, check);
    const abort = new AbortController();
    const ask = (body: ElicitationBody) => {
      const answer = elicitations.ask({ message: 'M', body }, abort.signal);
      return { answer, requestKey: store.state.pendingElicitations.at(-1)! };
    };
    const outcome = (requestKey: string) => (store.state.entries.get(entryIdOf.elicitation(requestKey)) as ElicitationEntry).outcome;
    return { store, questions, elicitations, abort, ask, outcome };
  }

  it('sends a form’s values only when all are valid', async () => {
    const { elicitations, ask, outcome } = room();
    const { answer, requestKey } = ask(formOf(text('name', { required: true }), text('note')));
    assert.deepEqual(await elicitations.answer(requestKey, 'accept', { note: 'x' }), [{ name: 'name', code: 'required' }]);
    assert.equal(outcome(requestKey), undefined);
    assert.deepEqual(await elicitations.answer(requestKey, 'accept', { name: 'a', note: '', other: 1 }), []);
    assert.deepEqual(await answer, { action: 'accept', content: { name: 'a' } });
    assert.deepEqual(outcome(requestKey)?.content, { name: 'a' });
  });

  it('distinguishes an explicit no from a missing answer', async () => {
    const { elicitations, ask, outcome } = room();
    for (const [action, type] of [
      ['decline', 'declined'],
      ['cancel', 'cancelled'],
    ] as const) {
      const { answer, requestKey } = ask(formOf(text('name', { required: true })));
      assert.deepEqual(await elicitations.answer(requestKey, action, { name: 'typed' }), []);
      assert.deepEqual(await answer, { action });
      assert.equal(outcome(requestKey)?.type, type);
      assert.equal(outcome(requestKey)?.content, undefined);
    }
  });

  it('accepts the first answer only', async () => {
    const { elicitations, ask, outcome } = room();
    const { answer, requestKey } = ask(formOf());
    await elicitations.answer(requestKey, 'decline');
    assert.deepEqual(await elicitations.answer(requestKey, 'accept'), []);
    assert.deepEqual(await elicitations.answer('nobody', 'accept'), []);
    assert.deepEqual(await answer, { action: 'decline' });
    assert.equal(outcome(requestKey)?.type, 'declined');
  });

  it('refuses a value that does not match, and reports a pattern without a result once', async () => {
    const tried: string[][] = [];
    const verdicts: Record<string, PatternVerdict> = { good: 'match', bad: 'no_match' };
    const { elicitations, ask } = room(async (checks) => {
      tried.push(checks.map(({ value }) => value));
      return checks.map(({ value }) => verdicts[value] ?? 'undecided');
    });
    const { answer, requestKey } = ask(formOf(text('a', { pattern: 'p' }), text('b', { pattern: 'q' }), text('c')));
    const wrong = (content: Record<string, string>) => elicitations.answer(requestKey, 'accept', content);
    assert.deepEqual(await wrong({ a: 'bad', b: 'slow', c: 'x' }), [
      { name: 'a', code: 'pattern' },
      { name: 'b', code: 'pattern_unknown' },
    ]);
    // The result does not apply to another value.
    assert.deepEqual(await wrong({ a: 'good', b: 'slower' }), [{ name: 'b', code: 'pattern_unknown' }]);
    assert.deepEqual(await wrong({ a: 'bad', b: 'slower' }), [{ name: 'a', code: 'pattern' }]);
    assert.deepEqual(await wrong({ a: 'good', b: 'slower' }), []);
    assert.deepEqual(tried, [['bad', 'slow'], ['good', 'slower'], ['bad'], ['good']]);
    assert.deepEqual(await answer, { action: 'accept', content: { a: 'good', b: 'slower' } });
  });

  it('drops an answer whose request ends while its pattern is checked', async () => {
    let decide: (verdicts: PatternVerdict[]) => void = () => undefined;
    const { elicitations, ask, abort, outcome } = room(() => new Promise((resolve) => (decide = resolve)));
    const { answer, requestKey } = ask(formOf(text('a', { pattern: 'p' })));
    const answered = elicitations.answer(requestKey, 'accept', { a: 'x' });
    abort.abort();
    decide(['match']);
    assert.deepEqual(await answered, []);
    assert.deepEqual(await answer, { action: 'cancel' });
    assert.equal(outcome(requestKey)?.type, 'withdrawn');
  });

  it('accepts the consent to a web page without values, and names the page until it is finished', async () => {
    const { elicitations, ask, outcome, store } = room();
    const { answer, requestKey } = ask(PAGE);
    assert.equal(elicitations.pageOf(requestKey), 'https://a.example/');
    assert.deepEqual(await elicitations.answer(requestKey, 'accept', { sneaky: true }), []);
    assert.deepEqual(await answer, { action: 'accept' });
    assert.equal(outcome(requestKey)?.content, undefined);
    assert.equal(elicitations.pageOf(requestKey), 'https://a.example/');
    elicitations.complete('other');
    const { seq } = store;
    elicitations.complete('page');
    elicitations.complete('page');
    assert.equal(store.seq, seq + 1, 'finished once');
    assert.equal(elicitations.pageOf(requestKey), undefined);
    assert.equal(elicitations.pageOf(ask(formOf()).requestKey), undefined);
  });

  it('does not finish a page that the user refused', async () => {
    const { elicitations, ask, store } = room();
    const { requestKey } = ask(PAGE);
    await elicitations.answer(requestKey, 'decline');
    const { seq } = store;
    elicitations.complete('page');
    assert.equal(store.seq, seq);
    assert.equal(elicitations.pageOf(requestKey), undefined);
  });

  it('takes a page as accepted when the agent finishes it before the answer', async () => {
    const { elicitations, ask, outcome } = room();
    const { answer, requestKey } = ask(PAGE);
    elicitations.complete('page');
    assert.deepEqual(await answer, { action: 'accept' });
    assert.equal(outcome(requestKey)?.type, 'accepted');
  });

  it('records a page that was finished while the rules were asked about it', async () => {
    const { elicitations, abort, store, outcome } = room();
    let allow: (isAllowed: boolean) => void = () => assert.fail('not asked');
    const answer = elicitations.askForPage({ message: 'M', body: PAGE }, abort.signal, () => new Promise((resolve) => (allow = resolve)));
    elicitations.complete('page');
    assert.deepEqual(store.state.pendingElicitations, [], 'nothing is asked before the rules');
    allow(true);
    assert.deepEqual(await answer, { action: 'accept' });
    const [entry] = [...store.state.entries.inMemory()].filter((slot) => slot.kind === 'elicitation');
    assert.equal(outcome((entry as ElicitationEntry).requestKey)?.type, 'accepted');
    assert.deepEqual(
      await elicitations.askForPage({ message: 'M', body: PAGE }, abort.signal, async () => false),
      { action: 'decline' },
      'the next page with this id is not finished',
    );
  });

  it('ends waiting elicitations when the turn is stopped or the agent exits', async () => {
    const { questions, ask, outcome } = room();
    const [first, second] = [ask(formOf()), ask(PAGE)];
    questions.endAll('cancelled');
    assert.deepEqual([await first.answer, await second.answer], [{ action: 'cancel' }, { action: 'cancel' }]);
    const third = ask(formOf());
    questions.endAll('lost');
    await third.answer;
    assert.deepEqual(
      [first, second, third].map(({ requestKey }) => outcome(requestKey)?.type),
      ['cancelled', 'cancelled', 'lost'],
    );
  });

  it('answers elicitations after Stop at once', async () => {
    const { store, ask, outcome } = room();
    store.append({ type: 'turn_started', turnId: 't' }, { type: 'turn_cancelling' });
    const asked = store.seq;
    const { answer } = ask(formOf());
    assert.deepEqual(await answer, { action: 'cancel' });
    assert.equal(outcome(`elicitation-${asked}-1`)?.type, 'cancelled');
  });
});

describe('elicitations for a request of the client', () => {
  const { signal } = new AbortController();
  const ask = { message: 'Where?', body: formOf(text('place')) };

  function opening() {
    const { deps, agents } = fakeDependencies();
    const sessions = new Sessions(deps);
    const session = sessions.create(launch(), { cwd: '/w', additionalDirectories: [], mcpServers: [] });
    const agent = agents[0]!;
    agent.ready(agent.dialect);
    return { agent, session, sessions };
  }

  it('appear in the session that is being opened', async () => {
    const { agent, session, sessions } = opening();
    const answer = agent.client.elicit({ requestId: 1 }, ask, signal);
    assert.deepEqual(await session.elicitations.answer(session.store.state.pendingElicitations[0]!, 'accept', { place: 'here' }), []);
    assert.deepEqual(await answer, { action: 'accept', content: { place: 'here' } });
    sessions.dispose();
  });

  it('are withdrawn with the request', async () => {
    const { agent, session, sessions } = opening();
    const answer = agent.client.elicit({ requestId: 1 }, ask, signal);
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.deepEqual(await answer, { action: 'cancel' });
    const [entry] = session.store.state.entries as Iterable<ElicitationEntry>;
    assert.equal(entry?.outcome?.type, 'withdrawn');
    await assert.rejects(agent.client.elicit({ requestId: 1 }, ask, signal), { rpcCode: -32602 });
    sessions.dispose();
  });

  it('are refused when no request has that id', async () => {
    const { agent, sessions } = opening();
    await assert.rejects(agent.client.elicit({ requestId: 7 }, ask, signal), { rpcCode: -32602 });
    await assert.rejects(agent.client.elicit({ sessionId: 'nobody' }, ask, signal), { rpcCode: -32002 });
    sessions.dispose();
  });

  it('appear in the session of the request when they cannot be asked', async () => {
    const { agent, session, sessions } = opening();
    agent.client.onUnknown('elicitation/create', { requestId: 1, mode: 'voice' });
    await turn();
    assert.deepEqual(
      [...session.store.state.entries].map(({ kind }) => kind),
      ['unknown'],
    );
    sessions.dispose();
  });
});
