import assert from 'node:assert/strict';
import { canResume } from '../../../src/core/model/select';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { type FakeAgent, fakeDependencies, launch, turn } from './fakes';
import type { Scene } from './earlierScene';
import { setup, text, user, back, refused, lines, crashed, OURS, listed, next } from './earlierScene';

describe('a conversation restored from its journal', () => {
  async function readBack(scene: Scene, launchOf: typeof launch | (() => undefined) = launch): Promise<Scene> {
    await scene.sessions.flush();
    const after = fakeDependencies();
    after.journals.set(scene.session.key, scene.journals.get(scene.session.key)!);
    const sessions = new Sessions(after.deps);
    return { ...after, sessions, session: (await sessions.restore(scene.session.key, launchOf))! };
  }

  it('is resumed when the user asks, and no other session takes its place', async () => {
    const scene = await readBack(crashed());
    const { session, agents } = scene;
    assert.deepEqual([session.store.state.status, lines(session), agents.length], ['disconnected', OURS, 0]);
    session.act('resume');
    const agent = next(scene, 'load');
    agent.again[0]!(refused('gone'));
    assert.deepEqual([session.store.state.status, session.store.state.failure?.detail, lines(session)], ['failed', 'gone', OURS]);
    session.act('retry');
    const second = next(scene, 'resume');
    second.again[0]!(back('S'));
    assert.deepEqual([session.store.state.status, lines(session)], ['ready', OURS]);
  });

  it('gets no id twice, however often it was replayed', async () => {
    const first = crashed();
    first.session.act('restart');
    const agent = next(first, 'load');
    agent.client.onUpdate('S', [user('q', 'told again')]);
    agent.again[0]!(back('S'));
    const highest = first.session.store.seq;
    const scene = await readBack(first);
    assert.equal(scene.session.store.seq, highest + 1, 'the event that says it was interrupted comes after all others');
    const ids = [...scene.session.store.state.entries].map(({ entryId }) => entryId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('never allows everything, even when its journal says so', async () => {
    const scene = crashed();
    await scene.sessions.flush();
    const { key } = scene.session;
    const journal = scene.journals.get(key)!;
    const seq = scene.session.store.seq;
    for (const mode of ['planOnly', 'allowEverything'] as const) {
      const edited = `${journal}${JSON.stringify({ seq, event: { type: 'permission_mode', mode, at: 0 } })}\n`;
      scene.journals.set(key, edited);
      const after = await readBack({ ...scene, sessions: { flush: async () => undefined } as unknown as Sessions });
      const expected = mode === 'planOnly' ? mode : undefined;
      assert.equal(after.session.store.state.permissionMode?.mode, expected, 'read');
      after.session.act('resume');
      next(after, 'load').again[0]!(back('S'));
      assert.equal(after.session.store.state.permissionMode?.mode, expected, 'resumed');
    }
  });

  it('is resumed by a prompt, which is sent when the session is open', async () => {
    const scene = await readBack(crashed());
    const { session } = scene;
    assert.equal(session.submit(text('and now?')), undefined);
    assert.equal(session.submit(text('and then?')), undefined);
    const agent = next(scene, 'resume');
    assert.equal(agent.prompts.length, 0);
    agent.again[0]!(back('S'));
    assert.deepEqual(agent.sent.at(-1), ['prompt', 'S', text('and now?')]);
    assert.deepEqual(lines(session), [...OURS, 'user: and now?']);
    agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    assert.deepEqual(agent.sent.at(-1), ['prompt', 'S', text('and then?')]);
  });

  it('keeps the prompt, waiting for the user, when it cannot be resumed', async () => {
    for (const fail of [
      (agent: FakeAgent) => agent.again[0]!(refused('gone')),
      (agent: FakeAgent) => agent.end({ code: 'agent.exited' }),
    ]) {
      const scene = await readBack(crashed());
      const image = { type: 'image', data: '', mimeType: 'image/png' } as const;
      scene.session.submit([...text('and now?'), image]);
      fail(next(scene, 'resume'));
      const { queue } = scene.session.store.state;
      assert.deepEqual(
        queue.map(({ content, paused }) => [content, paused]),
        [[[...text('and now?'), image], true]],
      );
      assert.deepEqual([scene.session.store.state.status, lines(scene.session)], ['failed', OURS]);
    }
  });

  it('takes no prompt when no agent can reopen it', async () => {
    const gone = await readBack(crashed(), () => undefined);
    assert.equal(gone.session.submit(text('hello?'))?.code, 'session.not_ready');
    gone.session.act('resume');
    assert.deepEqual([gone.agents.length, lines(gone.session).at(-1)], [0, 'notice session.agent_removed']);
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    fakes.agents[0]!.open();
    fakes.agents[0]!.end({ code: 'agent.exited' });
    assert.equal(session.submit(text('hello?'))?.code, 'session.not_ready');
  });

  it('is the requested session even if it was never opened', async () => {
    const first = listed('load');
    first.agent.again[0]!(refused('not now'));
    const scene = await readBack(first);
    assert.equal(scene.session.store.state.title, 'Old one');
    scene.session.act('resume');
    const agent = next(scene, 'load');
    agent.again[0]!(refused('still not'));
    assert.deepEqual([scene.session.store.state.status, agent.newSession.length], ['failed', 0]);
  });

  it('begins when the window closed before its agent had it, and sends a waiting message once', async () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    session.submit(text('hello'));
    await sessions.flush();
    for (const bringBack of [(again: Session) => again.resumeQueue(), (again: Session) => void again.submit(text('more'))]) {
      const after = fakeDependencies();
      after.journals.set(session.key, fakes.journals.get(session.key)!);
      fakes.queues.forEach((queue, key) => after.queues.set(key, queue));
      const restored = (await new Sessions(after.deps).restore(session.key, launch))!;
      assert.equal(canResume(restored.store.state), true);
      assert.equal(after.agents.length, 0, 'nothing starts by itself');
      bringBack(restored);
      const [agent] = after.agents;
      agent!.open();
      assert.equal(restored.store.state.status, 'ready');
      assert.equal(agent!.again.length, 0, 'no session is asked for that there is not');
      assert.equal(agent!.prompts.length, 1);
    }
  });

  it('can be reopened although the user had ended it', async () => {
    const ended = crashed();
    await ended.session.end();
    const scene = await readBack(ended);
    assert.equal(scene.session.store.state.status, 'ended');
    scene.session.act('retry');
    assert.equal(scene.agents.length, 0);
    scene.session.act('resume');
    next(scene, 'resume').again[0]!(back('S'));
    assert.deepEqual([scene.session.store.state.status, lines(scene.session)], ['ready', OURS]);
  });

  it('is deleted for good when it is removed', async () => {
    const { session, sessions, journals, summaries } = crashed();
    await sessions.flush();
    assert.deepEqual([summaries.get(session.key)?.title, summaries.get(session.key)?.sessionId], ['question', 'S']);
    await sessions.remove(session.key);
    await turn();
    assert.deepEqual([sessions.all, journals.size, summaries.size], [[], 0, 0]);
  });
});

describe('the folders of a session', () => {
  function running(...offers: readonly ('load' | 'resume' | 'folders')[]): Scene & { readonly agent: FakeAgent } {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), { cwd: '/w', additionalDirectories: ['/x', '/w', '/x'], mcpServers: [] });
    const agent = fakes.agents[0]!;
    for (const offer of offers) {
      if (offer === 'folders') {
        agent.dialect.sessionCapabilities = { ...agent.dialect.sessionCapabilities, additionalDirectories: true };
      } else {
        agent.offer(offer);
      }
    }
    agent.open();
    return { ...fakes, sessions, session, agent };
  }

  it('are reported to the user once when the agent does not support them', () => {
    const { session, agent, ...scene } = running('resume');
    assert.deepEqual(session.roots.additionalDirectories, ['/x']);
    assert.deepEqual(lines(session), ['notice session.folders_untold']);
    agent.end({ code: 'agent.exited' });
    session.act('restart');
    next({ session, ...scene }, 'resume').again[0]!(back('S'));
    assert.deepEqual(lines(session), ['notice session.folders_untold']);
    assert.deepEqual(lines(running('folders').session), []);
  });

  it('change while the rest of the setup stays, in each request for the session', async () => {
    /** The choice of servers is loaded late. */
    const loaded = async (): Promise<void> => {
      await import('../../../src/session/lifecycle/selectSessionServers');
      await turn();
    };
    const fakes = fakeDependencies();
    const rest = {
      cwd: '/w',
      mcpServers: [{ type: 'stdio' as const, name: 'Files', command: '/bin/files', args: [], env: { A: 'b' } }],
      options: { fast: true },
    };
    const session = new Sessions(fakes.deps).create(launch(), { ...rest, additionalDirectories: ['/x'] });
    const offered = (): FakeAgent => {
      const agent = fakes.agents.at(-1)!;
      agent.offer('resume');
      agent.dialect.sessionCapabilities = { ...agent.dialect.sessionCapabilities, additionalDirectories: true };
      return agent;
    };
    const agent = offered();
    agent.ready(agent.dialect);
    await loaded();
    agent.newSession.at(-1)!({ ok: true, value: { sessionId: 'S', events: [] } });
    session.changeFolders(['/y']);
    await loaded();
    agent.again[0]!(back('S'));
    agent.end({ code: 'agent.exited' });
    session.act('restart');
    const restarted = offered();
    restarted.ready(restarted.dialect);
    await loaded();
    const inFolders = (...additionalDirectories: string[]): object => ({ ...rest, additionalDirectories });
    assert.deepEqual(agent.setups, [inFolders('/x'), inFolders('/y')]);
    assert.deepEqual(restarted.setups, [inFolders('/y')]);
    assert.deepEqual(session.setup, inFolders('/y'));
  });

  it('change by requesting the session again, with all of them', () => {
    const { session, agent } = running('folders', 'resume');
    session.prompt(text('question'));
    assert.equal(session.changeFolders(['/y'])?.code, 'turn.busy');
    agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    const held = session.roots;
    assert.equal(session.changeFolders(['/y', '/w', '/z']), undefined);
    assert.deepEqual(agent.setups.at(-1), { cwd: '/w', additionalDirectories: ['/y', '/z'], mcpServers: [] });
    assert.deepEqual(held.additionalDirectories, ['/x'], 'before the agent has agreed');
    assert.equal(session.prompt(text('too early'))?.code, 'session.not_ready');
    agent.again[0]!(back('S'));
    assert.deepEqual(held.additionalDirectories, ['/y', '/z'], 'who holds them sees the change');
    assert.deepEqual(session.store.state.additionalDirectories, ['/y', '/z']);
    assert.deepEqual([session.store.state.status, lines(session)], ['ready', ['user: question', 'turn end_turn']]);
  });

  it('stay unchanged when the agent refuses', () => {
    const { session, agent } = running('folders', 'load');
    session.prompt(text('question'));
    agent.prompts[0]!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    session.changeFolders([]);
    agent.client.onUpdate('S', [user('q', 'half of')]);
    agent.again[0]!(refused('not there'));
    assert.deepEqual(
      [session.store.state.status, session.roots.additionalDirectories, session.store.state.additionalDirectories],
      ['ready', ['/x'], ['/x']],
    );
    assert.deepEqual(lines(session), ['user: question', 'turn end_turn', 'notice request.failed']);
    assert.equal(session.prompt(text('go on')), undefined);
  });

  it('cannot change when the agent offers no way', () => {
    assert.equal(running('folders').session.changeFolders(['/y'])?.code, 'session.folders_fixed');
    assert.equal(running('resume', 'load').session.changeFolders(['/y'])?.code, 'session.folders_fixed');
  });

  it('are the latest ones when a conversation is restored', async () => {
    const { session, sessions, agent, journals } = running('folders', 'resume');
    session.changeFolders(['/y']);
    agent.again[0]!(back('S'));
    await sessions.flush();
    const after = fakeDependencies();
    after.journals.set(session.key, journals.get(session.key)!);
    const restored = await new Sessions(after.deps).restore(session.key, launch);
    assert.deepEqual(restored?.roots.additionalDirectories, ['/y']);
  });
});
