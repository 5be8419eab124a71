import assert from 'node:assert/strict';
import type { ListedSession, SessionListPage } from '../../../../src/acp/dialect';
import type { AuthMethod } from '../../../../src/core/model/content';
import type { Failure } from '../../../../src/core/model/failure';
import { Fault } from '../../../../src/core/model/failure';
import { RemoteSessions, SessionPages } from '../../../../src/session/agent/remoteSessions';
import { Sessions } from '../../../../src/session/sessions';
import { FakeAccount, type FakeAgent, fakeDependencies, launch, turn } from '../fakes';

const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [] };
const listed = (sessionId: string): ListedSession => ({ sessionId, cwd: '/w' });
const page = (ids: string, nextCursor?: string): SessionListPage => ({
  sessions: [...ids].map(listed),
  ...(nextCursor !== undefined && { nextCursor }),
});
const ids = (sessions: readonly ListedSession[]): string => sessions.map(({ sessionId }) => sessionId).join('');
const failed = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure });
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof Fault ? error.failure.code : String(error)),
  );

const METHODS: AuthMethod[] = [
  { methodId: 'web', name: 'Web', type: 'agent' },
  { methodId: 'program', name: 'Program', type: 'terminal' },
  { methodId: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'KEY', secret: true, optional: false }] },
];

interface Scene extends ReturnType<typeof fakeDependencies> {
  readonly sessions: Sessions;
  readonly kept: RemoteSessions;
  readonly account: FakeAccount;
  readonly whyAsked: { readonly methods: readonly AuthMethod[]; readonly failure: Failure }[];
}

/** The sessions stored by one agent. `choose`: the sign-in methods that the user selects, one after the other. */
function scene(choose: readonly (string | undefined)[] = []): Scene {
  const fakes = fakeDependencies();
  const account = new FakeAccount();
  const sessions = new Sessions({ ...fakes.deps, account });
  const choices = [...choose];
  const whyAsked: { methods: readonly AuthMethod[]; failure: Failure }[] = [];
  const dependencies = sessions.remoteSessionsDependencies(async (_agentName, methods, failure) => {
    whyAsked.push({ methods, failure });
    const chosen = choices.shift();
    return methods.find(({ methodId }) => methodId === chosen);
  });
  const kept = new RemoteSessions(dependencies, launch(), '/w');
  return { ...fakes, sessions, kept, account, whyAsked };
}

async function ready(agent: FakeAgent, methods: readonly AuthMethod[] = []): Promise<void> {
  agent.offerList();
  agent.ready({ ...agent.dialect, authMethods: methods });
  await turn();
}

describe('an agent’s stored sessions', () => {
  it('start the agent for the first request, and stop it when disposed', async () => {
    const { kept, agents } = scene();
    assert.equal(agents.length, 0);
    const offers = kept.capabilities();
    assert.equal(agents.length, 1);
    await ready(agents[0]!);
    assert.equal((await offers).list, true);
    kept.dispose();
    assert.equal(agents[0]!.disposed, 1);
    assert.equal(await codeOf(kept.capabilities()), 'request.cancelled');
  });

  it('come from the running process, which keeps running', async () => {
    const { kept, agents, sessions } = scene();
    agents.length = 0;
    const session = sessions.create(launch(), setup);
    agents[0]!.offerList();
    agents[0]!.open();
    const pages = kept.pages(['/w']);
    const first = pages.next();
    await turn();
    assert.deepEqual(agents[0]!.sent.at(-1), ['list', '{"cwd":"/w"}']);
    agents[0]!.lists[0]!({ ok: true, value: page('a') });
    assert.equal(ids(await first), 'a');
    assert.equal(pages.done, false, 'those of other folders');
    kept.dispose();
    assert.deepEqual([agents.length, agents[0]!.disposed, session.store.state.status], [1, 0, 'ready']);
    sessions.dispose();
  });

  it('report when the agent cannot list or delete, or does not start', async () => {
    const without = scene();
    const next = without.kept.pages().next();
    const gone = without.kept.delete('a');
    const titled = without.kept.setTitle('a', 'Mine');
    without.agents[0]!.ready(without.agents[0]!.dialect);
    const codes = [await codeOf(next), await codeOf(gone), await codeOf(titled)];
    assert.deepEqual(codes, ['session.not_listed', 'session.not_deleted', 'session.not_titled']);

    const absent = scene();
    const offers = absent.kept.capabilities();
    absent.agents[0]!.end({ code: 'agent.not_found' });
    assert.equal(await codeOf(offers), 'agent.not_found');
    const again = absent.kept.capabilities();
    await ready(absent.agents[1]!);
    assert.equal((await again).list, true, 'it can be tried again');
  });

  it('give a session the title that the agent has stored', async () => {
    const { kept, agents } = scene();
    const titled = kept.setTitle('a', ' Mine ');
    agents[0]!.dialect.setTitle = (sessionId, title, settled) => {
      queueMicrotask(() => settled({ ok: true, value: `${sessionId}:${title.trim()}` }));
      return { requestId: 1, cancel: () => undefined };
    };
    await ready(agents[0]!);
    assert.equal(await titled, 'a:Mine');
    kept.dispose();
  });

  it('archive a session at an agent that can do that, and list the endpoints of its models', async () => {
    const { kept, agents } = scene();
    const archived = kept.archive('a', true);
    const providers = kept.providers();
    const asked: unknown[] = [];
    agents[0]!.dialect.archiveSession = (sessionId, isArchived, settled) => {
      asked.push([sessionId, isArchived]);
      queueMicrotask(() => settled({ ok: true, value: undefined }));
      return { requestId: 1, cancel: () => undefined };
    };
    const main = { providerId: 'main', supported: ['anthropic'], required: true };
    agents[0]!.dialect.listProviders = (settled) => {
      queueMicrotask(() => settled({ ok: true, value: [main] }));
      return { requestId: 2, cancel: () => undefined };
    };
    await ready(agents[0]!);
    await archived;
    assert.deepEqual([asked, await providers], [[['a', true]], [main]]);
    kept.dispose();

    const without = scene();
    const answers = [without.kept.archive('a', true), without.kept.providers()];
    without.agents[0]!.ready(without.agents[0]!.dialect);
    assert.deepEqual(await Promise.all(answers), [undefined, []]);
  });

  it('fail with the agent’s reason, and the same page can be requested again', async () => {
    const { kept, agents } = scene();
    const pages = kept.pages();
    const first = pages.next();
    await ready(agents[0]!);
    agents[0]!.lists[0]!({ ok: true, value: page('a', 'two') });
    await first;
    const second = pages.next();
    await turn();
    agents[0]!.lists[1]!(failed({ code: 'request.failed', detail: 'busy' }));
    assert.equal(await codeOf(second), 'request.failed');
    const again = pages.next();
    await turn();
    assert.deepEqual(agents[0]!.sent.slice(-2), [
      ['list', '{"cursor":"two"}'],
      ['list', '{"cursor":"two"}'],
    ]);
    agents[0]!.lists[2]!({ ok: true, value: page('b') });
    assert.equal(ids(await again), 'b');
  });

  it('cancel a request that is no longer needed', async () => {
    const { kept, agents } = scene();
    const next = kept.pages().next();
    await ready(agents[0]!);
    kept.dispose();
    assert.deepEqual(agents[0]!.sent.at(-1), ['give up', 'list']);
    assert.equal(await codeOf(next), 'request.cancelled');

    const starting = scene();
    const offers = starting.kept.capabilities();
    starting.kept.dispose();
    assert.equal(await codeOf(offers), 'request.cancelled');
    assert.equal(starting.agents[0]!.disposed, 1);
  });

  it('are deleted one by one', async () => {
    const { kept, agents } = scene();
    const gone = kept.delete('a');
    await ready(agents[0]!);
    assert.deepEqual(agents[0]!.sent, [['delete', 'a']]);
    agents[0]!.deletions[0]!({ ok: true, value: undefined });
    await gone;
    const kept2 = kept.delete('b');
    await turn();
    agents[0]!.deletions[1]!(failed({ code: 'request.failed', detail: 'locked' }));
    assert.equal(await codeOf(kept2), 'request.failed');
  });
});

describe('an agent’s stored sessions that need a sign-in', () => {
  const wantsSignIn: Failure = { code: 'auth.required', detail: 'who are you?' };

  it('are requested again after a sign-in, as often as necessary', async () => {
    const { kept, agents, whyAsked } = scene(['web', 'web']);
    const next = kept.pages().next();
    await ready(agents[0]!, METHODS);
    agents[0]!.lists[0]!(failed(wantsSignIn));
    await turn();
    assert.deepEqual([whyAsked[0]?.methods.length, whyAsked[0]?.failure.detail], [3, 'who are you?']);
    agents[0]!.authentications[0]!({ ok: true, value: undefined });
    await turn();
    agents[0]!.lists[1]!(failed(wantsSignIn));
    await turn();
    agents[0]!.authentications[1]!({ ok: true, value: undefined });
    await turn();
    agents[0]!.lists[2]!({ ok: true, value: page('a') });
    assert.equal(ids(await next), 'a');
  });

  it('are unavailable when the user declines the sign-in, or it fails', async () => {
    const declined = scene([undefined]);
    const next = declined.kept.pages().next();
    await ready(declined.agents[0]!, METHODS);
    declined.agents[0]!.lists[0]!(failed(wantsSignIn));
    assert.equal(await codeOf(next), 'auth.not_finished');

    const wrong = scene(['web']);
    const other = wrong.kept.pages().next();
    await ready(wrong.agents[0]!, METHODS);
    wrong.agents[0]!.lists[0]!(failed(wantsSignIn));
    await turn();
    wrong.agents[0]!.authentications[0]!(failed({ code: 'request.failed', detail: 'wrong password' }));
    assert.equal(await codeOf(other), 'request.failed');

    const unhelped = scene();
    const third = unhelped.kept.pages().next();
    await ready(unhelped.agents[0]!);
    unhelped.agents[0]!.lists[0]!(failed(wantsSignIn));
    assert.equal(await codeOf(third), 'auth.required', 'the agent names no way to sign in');
  });

  it('come from a new process if only that one has the sign-in', async () => {
    const { kept, agents, account } = scene(['program']);
    const next = kept.pages().next();
    await ready(agents[0]!, METHODS);
    agents[0]!.lists[0]!(failed(wantsSignIn));
    await turn();
    account.asked[0]!.finish();
    await turn();
    assert.deepEqual([agents.length, agents[0]!.disposed], [2, 1]);
    await ready(agents[1]!, METHODS);
    agents[1]!.lists[0]!({ ok: true, value: page('a') });
    assert.equal(ids(await next), 'a');
    assert.equal(agents[1]!.authentications.length, 0);
  });

  it('come from a new process that first receives the values; waiting sessions continue', async () => {
    const { kept, agents, account, sessions } = scene(['key']);
    const waiting = sessions.create(launch(), setup);
    const next = kept.pages().next();
    await ready(agents[0]!, METHODS);
    agents[0]!.newSession[0]!(failed(wantsSignIn));
    assert.equal(waiting.store.state.signIn?.status, 'required');
    agents[0]!.lists[0]!(failed(wantsSignIn));
    await turn();
    account.asked[0]!.finish();
    await turn();
    await ready(agents[1]!, METHODS);
    agents[1]!.authentications[0]!({ ok: true, value: undefined });
    await turn();
    agents[1]!.lists[0]!({ ok: true, value: page('a') });
    assert.equal(ids(await next), 'a');
    await turn();
    agents[1]!.newSession.at(-1)!({ ok: true, value: { sessionId: 'S', events: [] } });
    assert.equal(waiting.store.state.status, 'ready');
    sessions.dispose();
  });

  it('stop waiting for a sign-in when they are disposed', async () => {
    const { kept, agents, account } = scene(['program']);
    const next = kept.pages().next();
    await ready(agents[0]!, METHODS);
    agents[0]!.lists[0]!(failed(wantsSignIn));
    await turn();
    kept.dispose();
    assert.equal(account.asked[0]!.signal.aborted, true);
    assert.equal(await codeOf(next), 'request.cancelled');
    assert.equal(agents.length, 1);
  });
});

describe('pages of sessions', () => {
  /** The ids that these pages return and the cursors that are requested, when they are read to the end. */
  async function read(pages: Readonly<Record<string, SessionListPage>>): Promise<{ told: string[]; asked: string[]; done: boolean }> {
    const asked: string[] = [];
    const reader = new SessionPages(async ({ cursor = '' }) => {
      asked.push(cursor);
      return pages[cursor]!;
    });
    const told: string[] = [];
    while (!reader.done) {
      told.push(ids(await reader.next()));
    }
    assert.deepEqual(await reader.next(), []);
    return { told, asked, done: reader.done };
  }

  it('are requested one at a time, with the agent’s own cursors, to the end', async () => {
    const { told, asked } = await read({ '': page('ab', ' {"n": 2} '), ' {"n": 2} ': page('c', 'x'), x: page('d') });
    assert.deepEqual(
      [told, asked],
      [
        ['ab', 'c', 'd'],
        ['', ' {"n": 2} ', 'x'],
      ],
    );
    assert.deepEqual((await read({ '': page('') })).told, ['']);
  });

  it('report each session once, even when it moves while they are read', async () => {
    assert.deepEqual((await read({ '': page('abab', 'x'), x: page('bc') })).told, ['ab', 'c']);
  });

  it('end when a cursor repeats', async () => {
    const { told, asked } = await read({ '': page('a', 'x'), x: page('b', 'y'), y: page('c', 'x') });
    assert.deepEqual(
      [told, asked],
      [
        ['a', 'b', 'c'],
        ['', 'x', 'y'],
      ],
    );
  });

  it('begin with those of the relevant folders, and report them once', async () => {
    const asked: unknown[] = [];
    const answers = [page('a', 'x'), page('b'), page('c'), page('acd', 'x'), page('be')];
    const reader = new SessionPages(
      async (query) => {
        asked.push(query);
        return answers[asked.length - 1]!;
      },
      ['/one', '/two'],
    );
    const told: string[] = [];
    while (!reader.done) {
      told.push(ids(await reader.next()));
    }
    assert.deepEqual(told, ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(asked, [{ cwd: '/one' }, { cwd: '/one', cursor: 'x' }, { cwd: '/two' }, {}, { cursor: 'x' }]);
  });

  it('without new sessions are skipped, up to a limit', async () => {
    const { told } = await read({ '': page('a', 'x'), x: page('', 'y'), y: page('a', 'z'), z: page('b') });
    assert.deepEqual(told, ['a', 'b']);
    let asked = 0;
    const empty = new SessionPages(async () => page('', String(++asked)));
    assert.deepEqual(await empty.next(), []);
    assert.deepEqual([empty.done, asked], [true, 10]);
    let repeated = 0;
    const same = new SessionPages(async () => page('a', String(++repeated)));
    assert.deepEqual([ids(await same.next()), ids(await same.next()), same.done, repeated], ['a', '', true, 1000]);
    let made = 0;
    const endless = new SessionPages(async () => ({ sessions: [listed(`s${++made}`)], nextCursor: String(made) }));
    while (!endless.done) {
      await endless.next();
    }
    assert.equal(made, 1000);
  });
});
