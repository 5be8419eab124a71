/** Every start of an agent checks whether its folders are trusted. */
import assert from 'node:assert/strict';
import type { Failure } from '../../../../src/core/model/failure';
import { RemoteSessions } from '../../../../src/session/agent/remoteSessions';
import type { FolderTrust, TrustRequest } from '../../../../src/session/agent/folderTrust';
import type { Session } from '../../../../src/session/session';
import { forkSession } from '../../../../src/session/forkSession';
import { restartAgent } from '../../../../src/session/restartAgent';
import { Sessions } from '../../../../src/session/sessions';
import { setup } from '../earlierScene';
import { type FakeAccount, type FakeAgent, fakeDependencies, launch, turn } from '../fakes';

const UNTRUSTED: Failure = { code: 'session.folder_untrusted', params: { folder: '/w' } };

/** A window in which the test decides about trust. */
class TestTrust implements FolderTrust {
  refusal: Failure | undefined = undefined;
  isHeld = false;
  readonly requests: TrustRequest[] = [];
  readonly waiting: ((refusal: Failure | undefined) => void)[] = [];

  isRestricted(): boolean {
    return false;
  }

  check(request: TrustRequest, settled: (refusal: Failure | undefined) => void): void {
    this.requests.push(request);
    if (this.isHeld) {
      this.waiting.push(settled);
    } else {
      settled(this.refusal);
    }
  }
}

function scene() {
  const fakes = fakeDependencies();
  const trust = new TestTrust();
  const sessions = new Sessions({ ...fakes.deps, trust });
  return { ...fakes, trust, sessions };
}

const folder = { ...setup, cwd: '/w', additionalDirectories: ['/x'] };
const running = ({ agents }: { agents: FakeAgent[] }): number => agents.filter(({ disposed }) => disposed === 0).length;
const failureOf = ({ store }: Session): unknown => [store.state.status, store.state.failure?.code];
const REFUSED = ['failed', 'session.folder_untrusted'];

/** A session that ran in a trusted folder, which the user no longer trusts. */
function revoked(...offers: ('load' | 'resume')[]) {
  const made = scene();
  const session = made.sessions.create(launch(), folder);
  const agent = made.agents[0]!;
  offers.forEach((offer) => agent.offer(offer));
  agent.open();
  made.trust.refusal = UNTRUSTED;
  made.trust.requests.length = 0;
  return { ...made, session, agent };
}

describe('the start of an agent', () => {
  it('checks the working folder and the further folders of a new session', () => {
    const { trust, sessions, agents } = scene();
    sessions.create(launch(), folder);
    assert.deepEqual(trust.requests, [{ folders: ['/w', '/x'], byUser: true }]);
    assert.equal(agents.length, 1);
  });

  it('is refused in a folder that is not trusted, with a reason in the conversation', () => {
    const made = scene();
    made.trust.refusal = UNTRUSTED;
    const session = made.sessions.create(launch(), folder);
    assert.equal(made.agents.length, 0);
    assert.deepEqual(failureOf(session), REFUSED);
    assert.deepEqual(session.store.state.failure?.params, { folder: '/w' });
  });

  it("is possible once the user trusts the folder with the notice's button", () => {
    const made = scene();
    made.trust.refusal = UNTRUSTED;
    const session = made.sessions.create(launch(), folder);
    made.trust.refusal = undefined;
    assert.equal(session.act('trust_folder'), true);
    made.agents[0]!.open();
    assert.equal(session.store.state.status, 'ready');
  });

  it('waits for the answer, and does not happen after the user has cancelled it', () => {
    for (const give of ['cancel_start', 'end_session'] as const) {
      const made = scene();
      made.trust.isHeld = true;
      const session = made.sessions.create(launch(), folder);
      assert.equal(session.store.state.status, 'starting');
      session.act(give);
      made.trust.waiting[0]!(undefined);
      assert.equal(made.agents.length, 0, give);
    }
  });

  it('does not happen when the window closes before the answer', () => {
    const made = scene();
    made.trust.isHeld = true;
    made.sessions.create(launch(), folder);
    made.sessions.dispose();
    made.trust.waiting[0]!(undefined);
    assert.equal(made.agents.length, 0);
  });

  it('pins the folders only after they are trusted', () => {
    const made = scene();
    made.trust.isHeld = true;
    const session = made.sessions.create(launch(), folder);
    const pinned: string[] = [];
    session.roots.pins!.of = async (each) => void pinned.push(each);
    made.trust.waiting[0]!(undefined);
    assert.deepEqual(pinned, ['/w', '/x']);
  });
});

describe('a later start of an agent', () => {
  const starts: Record<string, (made: ReturnType<typeof revoked>) => void | Promise<void>> = {
    'a resume of an ended session': async ({ session, agent }) => {
      const end = session.end();
      agent.closes.forEach((close) => close());
      await end;
      session.act('resume');
    },
    'a restart after a crash': ({ session, agent }) => {
      agent.end({ code: 'agent.exited' });
      session.act('restart');
    },
    'a message that resumes the session': ({ session, agent }) => {
      agent.end({ code: 'agent.exited' });
      session.submit([{ type: 'text', text: 'go' }]);
    },
    'a restart of the agent': ({ sessions, session, agents }) => {
      restartAgent(sessions, 'Fake', session);
      assert.equal(agents[0]!.disposed, 1);
    },
  };
  for (const [name, start] of Object.entries(starts)) {
    it(`asks again and is refused: ${name}`, async () => {
      const made = revoked('load', 'resume');
      await start(made);
      made.clock.pass(60_000);
      await turn();
      assert.deepEqual(made.trust.requests, [{ folders: ['/w', '/x'], byUser: true }]);
      assert.equal(made.agents.length, 1, 'no other process');
    });
  }

  it('asks again although the process is running, for another session in the folder', () => {
    const made = revoked();
    const other = made.sessions.create(launch(), folder);
    assert.deepEqual(failureOf(other), REFUSED);
    assert.equal(running(made), 1, 'the first one goes on');
  });

  it('asks again for a fork', async () => {
    const made = revoked('load');
    const fork = await forkSession(made.sessions, made.deps.journals, made.session, launch());
    fork.open();
    assert.deepEqual(failureOf(fork), REFUSED);
  });

  it('asks again for a session that is restored from its journal', async () => {
    const made = revoked('load');
    await made.sessions.flush();
    const later = scene();
    made.journals.forEach((text, key) => later.journals.set(key, text));
    later.trust.refusal = UNTRUSTED;
    const restored = (await later.sessions.restore(made.session.key, () => launch()))!;
    assert.deepEqual(later.trust.requests, [], 'reading it starts nothing');
    restored.act('resume');
    assert.deepEqual(later.trust.requests, [{ folders: ['/w', '/x'], byUser: true }]);
    assert.equal(later.agents.length, 0);
  });

  it('asks nothing for the other sessions of an agent that is restarted', () => {
    const made = scene();
    const one = made.sessions.create(launch(), folder);
    made.sessions.create(launch(), { ...folder, additionalDirectories: ['/y'] });
    made.trust.requests.length = 0;
    restartAgent(made.sessions, 'Fake', one);
    assert.deepEqual(
      made.trust.requests.map(({ folders, byUser }) => [folders[1], byUser]),
      [
        ['/x', true],
        ['/y', false],
      ],
    );
  });

  it('asks nothing after a sign-in in another session', async () => {
    const method = { methodId: 'program', name: 'Program', type: 'terminal' as const };
    const made = scene();
    const sessions = [made.sessions.create(launch(), folder), made.sessions.create(launch(), folder)];
    const agent = made.agents[0]!;
    agent.dialect.authMethods = [method];
    agent.ready(agent.dialect);
    agent.newSession.forEach((settled) => settled({ ok: false, failure: { code: 'auth.required' } }));
    sessions[0]!.signIn('program');
    made.trust.refusal = UNTRUSTED;
    made.trust.requests.length = 0;
    (made.deps.account as FakeAccount).asked[0]!.finish();
    await turn();
    await turn();
    assert.deepEqual(
      made.trust.requests.map(({ byUser }) => byUser),
      [false, false],
    );
    assert.deepEqual(sessions.map(failureOf), [REFUSED, REFUSED]);
  });
});

describe('other programs of an agent', () => {
  it('do not list sessions in a folder that is not trusted', async () => {
    const made = scene();
    made.trust.refusal = UNTRUSTED;
    for (const byUser of [true, false]) {
      const dependencies = made.sessions.remoteSessionsDependencies(async () => undefined, byUser);
      const listed = new RemoteSessions(dependencies, launch(), '/w');
      await assert.rejects(listed.capabilities(), ({ failure }: { failure: Failure }) => failure.code === 'session.folder_untrusted');
      assert.deepEqual(made.trust.requests.at(-1), { folders: ['/w'], byUser });
      listed.dispose();
    }
    assert.equal(made.agents.length, 0);
  });

  it('do not sign in, in a terminal, in a folder that is not trusted', async () => {
    const method = { methodId: 'program', name: 'Program', type: 'terminal' as const };
    const made = scene();
    const session = made.sessions.create(launch(), folder);
    const agent = made.agents[0]!;
    agent.dialect.authMethods = [method];
    agent.ready(agent.dialect);
    agent.newSession[0]!({ ok: false, failure: { code: 'auth.required' } });
    made.trust.refusal = UNTRUSTED;
    session.signIn('program');
    await turn();
    assert.equal((made.deps.account as FakeAccount).asked.length, 0);
    assert.equal(session.store.state.signIn?.failure?.code, 'session.folder_untrusted');
  });
});
