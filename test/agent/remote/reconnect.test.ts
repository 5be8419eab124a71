/** A remote agent whose server goes away and comes back, with our stack from the session to the sockets. */
import assert from 'node:assert/strict';
import { agent, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { connect } from '../../../src/acp/connect';
import { openRemote } from '../../../src/acp/transport/remote/openRemote';
import { Trace } from '../../../src/acp/trace/trace';
import { V1 } from '../../../src/acp/v1/v1';
import type { RemoteEndpoint } from '../../../src/core/agents/endpoint';
import type { AgentLaunch } from '../../../src/core/model/agentLaunch';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { systemClock } from '../../../src/util/clock';
import { type SdkServer, sdkServer } from '../../support/remote/sdkServer';
import { lines, setup, text } from '../../unit/session/earlierScene';
import { fakeDependencies, quiet } from '../../unit/session/fakes';

/** The agent's own storage, which its servers share. */
class Memory {
  readonly prompts: string[] = [];
  readonly said: { readonly role: 'user' | 'agent'; readonly text: string }[] = [];
  /** The half of an answer after which the connection breaks. */
  hold: (() => void) | undefined;

  readonly create = (offers: readonly ('load' | 'resume')[]) => () => {
    const app = agent({ name: 'far' })
      .onRequest(methods.agent.initialize, () => ({
        protocolVersion: PROTOCOL_VERSION,
        agentCapabilities: {
          ...(offers.includes('load') && { loadSession: true }),
          ...(offers.includes('resume') && { sessionCapabilities: { resume: {} } }),
        },
      }))
      .onRequest(methods.agent.session.new, () => ({ sessionId: 's' }))
      .onRequest(methods.agent.session.resume, () => ({}))
      .onRequest(methods.agent.session.load, async ({ client }) => {
        for (const { role, text: words } of this.said) {
          await client.notify(methods.client.session.update, {
            sessionId: 's',
            update: { sessionUpdate: `${role}_message_chunk` as const, content: { type: 'text', text: words } },
          });
        }
        return {};
      })
      .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
        const [block] = params.prompt;
        const words = block?.type === 'text' ? block.text : '';
        this.prompts.push(words);
        const say = (answer: string): Promise<void> =>
          client.notify(methods.client.session.update, {
            sessionId: 's',
            update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: answer } },
          });
        if (words === 'long') {
          await say('half');
          // The rest is finished after the break.
          this.said.push({ role: 'user', text: words }, { role: 'agent', text: 'half and the rest' });
          this.hold?.();
          return new Promise<never>(() => undefined);
        }
        this.said.push({ role: 'user', text: words }, { role: 'agent', text: `re: ${words}` });
        await say(`re: ${words}`);
        return { stopReason: 'end_turn' as const };
      });
    return app;
  };
}

for (const kind of ['websocket', 'http'] as const) {
  describe(`a server that goes away and comes back, over ${kind}`, function () {
    this.timeout(60_000);
    const ends: (() => Promise<unknown> | unknown)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) {
        await end();
      }
    });

    async function scene(offers: readonly ('load' | 'resume')[]) {
      const memory = new Memory();
      let server: SdkServer = await sdkServer({ createAgent: memory.create(offers) });
      const { port } = server;
      ends.push(() => server.close());
      const { deps } = fakeDependencies();
      let connections = 0;
      const sessions = new Sessions({
        ...deps,
        clock: systemClock,
        connect: (launch: AgentLaunch) => (events) => {
          const transport = openRemote(launch as RemoteEndpoint, {
            clock: systemClock,
            cwd: '/w',
            maxBytes: 1_000_000,
            usesProxy: () => false,
          });
          const options = {
            clientInfo: { name: 'test', version: '0' },
            clock: systemClock,
            log: quiet,
            trace: new Trace(systemClock),
            timeoutMs: 10_000,
            mark: `${++connections}-`,
          };
          return connect(transport, [V1], events.client, { ...options, onEnd: events.onEnd }, (outcome) =>
            outcome.ok ? events.onReady(outcome.value) : events.onEnd(outcome.failure),
          );
        },
      });
      ends.push(() => sessions.dispose());
      const url = kind === 'websocket' ? server.webSocket : server.http;
      const session = sessions.create({ agentId: 'Far', agentName: 'Far', kind, url, headers: {} }, setup);
      await until(session, 'ready', () => session.store.state.status === 'ready');
      return {
        memory,
        session,
        leave: () => server.close(),
        comeBack: async () => void (server = await sdkServer({ createAgent: memory.create(offers) }, undefined, port)),
      };
    }

    async function until(session: Session, what: string, holds: () => boolean): Promise<void> {
      for (const end = Date.now() + 20_000; !holds(); ) {
        assert.ok(Date.now() < end, `waited for ${what}: ${JSON.stringify(session.store.state.failure)} ${lines(session).join(' | ')}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }

    const turn = async (session: Session, words: string): Promise<void> => {
      const { length } = lines(session).filter((line) => line.startsWith('turn'));
      assert.equal(session.submit(text(words)), undefined);
      await until(session, words, () => lines(session).filter((line) => line.startsWith('turn')).length > length);
    };

    it('resumes the idle session by itself, after an attempt that failed', async () => {
      const { memory, session, leave, comeBack } = await scene(['resume', 'load']);
      await turn(session, 'one');
      await leave();
      await until(session, 'a second attempt', () => session.store.state.reconnect?.attempt === 2);
      await comeBack();
      await until(session, 'the session', () => session.store.state.status === 'ready');
      await turn(session, 'two');
      assert.deepEqual(memory.prompts, ['one', 'two']);
      assert.deepEqual(lines(session), [
        'user: one',
        'agent: re: one',
        'turn end_turn',
        'notice session.reconnected',
        'user: two',
        'agent: re: two',
        'turn end_turn',
      ]);
    });

    it('says what may be missing when an agent without a replay opens an ended session again', async () => {
      const { session } = await scene(['resume']);
      await turn(session, 'one');
      await session.end();
      await until(session, 'the end', () => session.store.state.status === 'ended');
      session.resume();
      await until(session, 'the session', () => session.store.state.status === 'ready');
      assert.deepEqual(lines(session), ['user: one', 'agent: re: one', 'turn end_turn', 'notice session.reconnected']);
    });

    it('fetches the rest of a turn that was running, and sends nothing twice', async () => {
      const { memory, session, leave, comeBack } = await scene(['load']);
      await turn(session, 'one');
      const held = new Promise<void>((resolve) => (memory.hold = resolve));
      assert.equal(session.submit(text('long')), undefined);
      await held;
      await until(session, 'the half', () => lines(session).includes('agent: half'));
      await leave();
      await until(session, 'the break', () => session.store.state.reconnect !== undefined);
      assert.equal(lines(session).at(-1), 'turn error');
      await comeBack();
      await until(session, 'the session', () => session.store.state.status === 'ready');
      assert.deepEqual(lines(session), [
        'user: one',
        'agent: re: one',
        'turn end_turn',
        'user: long',
        'agent: half and the rest',
        'turn error',
        'notice session.reconnected',
      ]);
      await turn(session, 'two');
      assert.deepEqual(memory.prompts, ['one', 'long', 'two']);
    });

    it('leaves the prompt of a turn that broke in the conversation, and not in the composer', async () => {
      const { memory, session, leave, comeBack } = await scene(['load']);
      const returned: string[] = [];
      session.onPromptReturned((words) => returned.push(words));
      const held = new Promise<void>((resolve) => (memory.hold = resolve));
      assert.equal(session.submit(text('long')), undefined);
      await held;
      await until(session, 'the half', () => lines(session).includes('agent: half'));
      await leave();
      await until(session, 'a second attempt', () => session.store.state.reconnect?.attempt === 2);
      await comeBack();
      await until(session, 'the session', () => session.store.state.status === 'ready');
      assert.deepEqual(returned, []);
    });

    it('takes messages meanwhile, and delivers each once', async () => {
      const { memory, session, leave, comeBack } = await scene(['resume']);
      await leave();
      await until(session, 'the break', () => session.store.state.reconnect !== undefined);
      assert.equal(session.submit(text('first')), undefined);
      await until(session, 'a failed attempt', () => session.store.state.status === 'failed');
      assert.equal(session.submit(text('second')), undefined);
      await until(session, 'another failed attempt', () => session.store.state.status === 'failed');
      assert.equal(session.store.state.queue.length, 2);
      await comeBack();
      await until(session, 'both answers', () => lines(session).includes('agent: re: second'));
      assert.deepEqual(memory.prompts, ['first', 'second']);
    });
  });
}
