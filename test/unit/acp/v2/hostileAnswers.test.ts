/** Answers and requests of version 2 with hostile values: each has one outcome, and the session goes on or says why not. */
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { isSessionEvent, type SessionEvent } from '../../../../src/core/model/event';
import { settle } from '../support';
import { INFO, INITIALIZED, Scene, text } from './scene';

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, 0, 2, '2', [2], true, '', [], {}, '__proto__', 's', INFO, { session: {} }, { session: { prompt: 1 } }),
);

/** An object with the given fields, of which some have odd values and some are absent. */
function fields(base: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(base);
  return fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(fc.constant(base[name]), odd)])), { requiredKeys: [] });
}

const initialized = fields({
  ...INITIALIZED,
  authMethods: [{ methodId: 'm', type: 'agent', name: 'M' }],
  agentCapabilities: { loadSession: true },
  _meta: { steering: { supported: true } },
});
const setup = fields({
  sessionId: 's',
  configOptions: [{ configId: 'm', name: 'M', type: 'boolean', currentValue: true }],
  availableCommands: [{ type: 'command', name: 'c', description: 'd' }],
  _meta: { a: 1 },
});
const error = fields({ code: -32603, message: 'no', data: { supported: [1, 2], requested: 3 } });
const answer = fc.oneof(
  initialized.map((result) => ({ result })),
  setup.map((result) => ({ result })),
  odd.map((result) => ({ result })),
  error.map((each) => ({ error: each })),
  fc.record({ error: odd }),
);

/** Answers the newest request of the client. */
function feed(scene: Scene, reply: object): void {
  const request = scene.sent.findLast(({ id, method }) => id !== undefined && method !== undefined);
  scene.transport.feed({ jsonrpc: '2.0', id: request?.id, ...reply });
}

function storable(scene: Scene): readonly SessionEvent[] {
  const events: SessionEvent[] = [];
  scene.session.store.onEvents((_, added) => events.push(...added));
  return events;
}

function assertStorable(events: readonly SessionEvent[]): void {
  events.forEach((event) => assert.ok(isSessionEvent(JSON.parse(JSON.stringify(event))), JSON.stringify(event)));
}

describe('the answers of an agent that may speak version 2', () => {
  it('open a session, or fail it', () => {
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 8 }), fc.boolean(), (answers, isLoaded) => {
        const scene = isLoaded ? new Scene('s') : new Scene();
        const events = storable(scene);
        answers.forEach((each) => feed(scene, each));
        scene.transport.finish({ exitCode: 1 });
        scene.transport.finish({ exitCode: 1 });
        assert.ok(['failed', 'disconnected'].includes(scene.state.status), scene.state.status);
        assertStorable(events);
      }),
      { numRuns: 300 },
    );
  });

  it('to a prompt leave a session that takes the next one', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          answer,
          fields({ messageId: 'u' }).map((result) => ({ result })),
        ),
        fc.boolean(),
        (each, isLate) => {
          const scene = Scene.ready();
          const events = storable(scene);
          scene.session.prompt(text('question'));
          if (isLate) {
            scene.become('running');
          }
          feed(scene, each);
          scene.become('running');
          scene.become('idle', { stopReason: 'end_turn' });
          scene.session.signIn();
          assert.equal(scene.state.turn, undefined);
          assert.equal(scene.session.prompt(text('next')), undefined);
          scene.reply({ messageId: 'v' }, 'session/prompt');
          scene.become('running');
          scene.become('idle', { stopReason: 'end_turn' });
          assert.equal(scene.lines.at(-1), 'turn end_turn');
          assertStorable(events);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('to an option leave the option as it was, or as the agent says', () => {
    const option = { configId: 'm', name: 'M', type: 'boolean', currentValue: false };
    fc.assert(
      fc.property(answer, (each) => {
        const scene = Scene.ready(INITIALIZED, { configOptions: [option] });
        const events = storable(scene);
        scene.session.setConfig('m', true);
        feed(scene, each);
        assert.equal(scene.state.status, 'ready');
        assertStorable(events);
      }),
    );
  });
});

describe('each request of an agent of version 2', () => {
  const permission = fields({
    sessionId: 's',
    title: 'Write?',
    description: 'D',
    subject: {
      type: 'tool_call',
      toolCall: { toolCallId: 't', title: 'W', content: [{ type: 'diff', changes: [] }], capabilities: { cancel: {} } },
    },
    options: [{ optionId: 'o', name: 'Y', kind: 'allow_once' }],
    _meta: { a: 1 },
  });
  const command = fields({
    sessionId: 'c',
    title: 'Run?',
    subject: { type: 'command', command: 'ls', cwd: '/w', toolCallId: 't', terminalId: 'b' },
    options: [{ optionId: 'o', name: 'Y', kind: '_maybe' }],
  });
  const elicitation = fields({ sessionId: 's', mode: 'form', message: 'M', requestedSchema: { type: 'object', properties: {} } });
  const request = fc.oneof(
    permission.map((params) => ['session/request_permission', params] as const),
    command.map((params) => ['session/request_permission', params] as const),
    elicitation.map((params) => ['elicitation/create', params] as const),
    odd.map((params) => ['fs/write_text_file', params] as const),
    odd.map((params) => ['terminal/create', params] as const),
  );

  it('is answered once, at the latest when the turn has ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 10 }), async (requests) => {
        const scene = Scene.ready();
        const events = storable(scene);
        scene.session.prompt(text('question'));
        scene.reply({ messageId: 'u' });
        scene.become('running');
        scene.update({ sessionUpdate: 'subagent_update', sessionId: 'c', title: 'C' });
        const ids = requests.map(([method, params]) => scene.request(method, params as object));
        await settle();
        scene.session.cancel();
        scene.become('idle', { stopReason: 'cancelled' });
        await settle();
        const ended = scene.session.end();
        scene.reply({}, 'session/close');
        await ended;
        await settle();
        for (const id of ids) {
          assert.equal(scene.sent.filter((frame) => frame.method === undefined && (frame.id as unknown) === id).length, 1, id);
        }
        assert.deepEqual([scene.state.pendingPermissions, scene.state.pendingElicitations], [[], []]);
        assertStorable(events);
      }),
      { numRuns: 150 },
    );
  });
});
