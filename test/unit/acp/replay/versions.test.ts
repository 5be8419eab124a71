/** Logs of several protocol versions. A second version has other names for everything, and reports the end of a turn on its own. */
import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { LoggedVersion } from '../../../../src/acp/clientFrames';
import { type Fields, textOf } from '../../../../src/acp/json/fields';
import { succeeded } from '../../../../src/acp/jsonrpc/rpc';
import { LOGGED_V1 } from '../../../../src/acp/v1/clientFrames';
import { LOGGED_V2 } from '../../../../src/acp/v2/clientFrames';
import { isSessionEvent } from '../../../../src/core/model/event';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { only, OPENED, ours, PROMPT, replay, said, stateOf, theirs } from './logLines';

const text = (value: unknown) => ({ type: 'text', text: String(value) }) as const;

/** Version 9: `start` and `say` of the client, `ask`, `speak` and `rest` of the agent. */
const NINE: LoggedVersion = {
  version: 9,
  initializeParams: () => ({ protocolVersion: 9 }),
  interpreter: (client) => ({
    onRequest: (_method, params, respond, signal) => {
      const { in: sessionId, question } = params as { in: string; question: string };
      const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
      void client.requestPermission(sessionId, { title: question, options, subject: {} }, signal).then((answer) => respond.result(answer));
    },
    onNotification: (method, params) => {
      const { in: sessionId, words } = params as { in: string; words: string };
      if (method === 'speak') {
        client.onUpdate(sessionId, [{ type: 'message_chunk', role: 'agent', messageId: 'm', content: text(words) }]);
      } else if (method === 'rest') {
        client.onTurnEnded(sessionId, { stopReason: 'end_turn', events: [] });
      }
    },
    dialect: (answer, connection) => {
      const none = (): never => assert.fail('not in the log');
      return {
        protocolVersion: 9,
        agent: { name: textOf(answer.who) ?? '' },
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
        authMethods: [],
        sessionCapabilities: {
          load: false,
          resume: false,
          list: false,
          close: false,
          delete: false,
          additionalDirectories: false,
          logout: false,
        },
        mcpCapabilities: { stdio: true, http: false, sse: false, acp: false },
        authenticate: none,
        cancel: none,
        setConfig: none,
        newSession: ({ cwd }, settled) =>
          connection.request('start', { cwd }, {}, (outcome) =>
            settled(outcome.ok ? succeeded({ sessionId: String((outcome.value as Fields).in), events: [] }) : outcome),
          ),
        prompt: (sessionId, [block], settled) =>
          connection.request('say', { in: sessionId, words: block?.type === 'text' && block.text }, {}, (outcome) =>
            settled(outcome.ok ? succeeded(undefined) : outcome),
          ),
      };
    },
  }),
  clientFrames: {
    ...LOGGED_V1.clientFrames,
    call: (method, params) =>
      method === 'initialize'
        ? { type: 'initialize' }
        : method === 'start'
          ? { type: 'new', setup: { cwd: String(params.cwd), additionalDirectories: [], mcpServers: [] } }
          : method === 'say'
            ? { type: 'prompt', sessionId: String(params.in), content: [text(params.words)] }
            : undefined,
    offeringAll: (answer) => answer,
    permission: ({ yes }) => (yes === true ? 'yes' : undefined),
  },
};

const STARTED = [
  ours({ id: 1, method: 'initialize', params: { protocolVersion: 9 } }),
  theirs({ id: 1, result: { protocolVersion: 9, who: 'Nine' } }),
  ours({ id: 2, method: 'start', params: { cwd: '/nine' } }),
  theirs({ id: 2, result: { in: 'N' } }),
  ours({ id: 3, method: 'say', params: { in: 'N', words: 'Do it' } }),
  theirs({ id: 3, result: {} }, 5),
  theirs({ id: 3, method: 'ask', params: { in: 'N', question: 'Really?' } }),
  ours({ id: 3, result: { yes: true } }),
  theirs({ method: 'speak', params: { in: 'N', words: 'Done' } }, 9),
];
const RESTED = theirs({ method: 'rest', params: { in: 'N' } }, 60_000);

describe('a log of another protocol version', () => {
  const conversation = (lines: readonly object[]) => replay(lines, 0, [NINE, LOGGED_V1]).sessions.map(({ events }) => stateOf(events));

  it('is read by the interpreter of that version, and by its reading of the client', () => {
    const [state] = conversation([...STARTED, RESTED]);
    assert.deepEqual([state!.agentName, state!.cwd, state!.sessionId], ['Nine', '/nine', 'N']);
    assert.equal(toMarkdown(state!), '## User\n\nDo it\n\n- Asked: Really? (Yes)\n\n## Agent\n\nDone');
  });

  it('ends a turn when the agent reports its end, not when the prompt was taken', () => {
    const ends = (lines: readonly object[]) =>
      replay(lines, 0, [NINE, LOGGED_V1]).sessions.flatMap(({ events }) => only(events, 'turn_ended').map(({ at }) => at));
    assert.deepEqual(ends([...STARTED, RESTED]), [60_000]);
    assert.deepEqual(ends(STARTED), []);
  });

  it('may have the version of the agent instead of the newest', () => {
    const [state] = conversation([...OPENED, PROMPT, theirs(said('Hello')), theirs({ id: 3, result: { stopReason: 'end_turn' } })]);
    assert.equal(toMarkdown(state!), '## User\n\nDo it\n\n## Agent\n\nHello');
  });

  it('may have both, one connection after the other', () => {
    const states = conversation([...STARTED, RESTED, ...OPENED, theirs(said('Hello'))]);
    assert.deepEqual(
      states.map(({ agentName, sessionId }) => [agentName, sessionId]),
      [
        ['Nine', 'N'],
        ['Agent A', 'S'],
      ],
    );
  });

  it('is read as the oldest version when the version is not supported', () => {
    const [first, second, ...rest] = OPENED;
    const unsupported = theirs({ id: 1, result: { ...(second as { msg: { result: object } }).msg.result, protocolVersion: 77 } });
    const { sessions } = replay([first!, unsupported, ...rest, theirs(said('Hello'))], 0, [NINE, LOGGED_V1]);
    assert.deepEqual(
      sessions.flatMap(({ events }) => only(events, 'agent_initialized').map(({ protocolVersion }) => protocolVersion)),
      [77],
    );
    assert.equal(toMarkdown(stateOf(sessions[0]!.events)), '## Agent\n\nHello');
  });
});

describe('a log of version 2', () => {
  const opened = [
    ours({ id: 1, method: 'initialize', params: { protocolVersion: 2 } }),
    theirs({ id: 1, result: { protocolVersion: 2, info: { name: 'a', version: '1' }, capabilities: { session: {} } } }),
    ours({ id: 2, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
    theirs({ id: 2, result: { sessionId: 'S' } }),
  ];
  const told = (update: object, sessionId = 'S') => theirs({ method: 'session/update', params: { sessionId, update } });
  const state = (name: string, more: object = {}) => told({ sessionUpdate: 'state_update', state: name, ...more });
  const user = (messageId: string, words: string) => told({ sessionUpdate: 'user_message', messageId, content: [text(words)] });

  it('has a turn for each prompt, and the agent’s words for a prompt that is not in the log', () => {
    const { sessions } = replay(
      [
        ...opened,
        PROMPT,
        user('u1', 'Do it'),
        theirs({ id: 3, result: { messageId: 'u1' } }),
        state('running'),
        state('idle', { stopReason: 'end_turn' }),
        user('u2', 'from elsewhere'),
        state('running'),
        state('idle', { stopReason: 'cancelled' }),
      ],
      undefined,
      [LOGGED_V2, LOGGED_V1],
    );
    const entries = [...stateOf(sessions[0]!.events).entries];
    assert.deepEqual(
      entries.map((entry) => (entry.kind === 'turn' && 'stopReason' in entry ? entry.stopReason : entry.kind)),
      ['message', 'end_turn', 'message', 'cancelled'],
    );
  });

  it('is read to its end, whatever its lines are', () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(null, 'S', 'idle', 'running', 3, [], {}));
    const line = fc.oneof(
      fc.constantFrom(...opened, PROMPT, user('u1', 'Do it'), state('running'), state('idle', { stopReason: 'end_turn' })),
      fc.tuple(fc.nat(5), value).map(([id, result]) => theirs({ id, result })),
      fc.tuple(fc.nat(5), value).map(([id, error]) => theirs({ id, error })),
      fc
        .tuple(fc.constantFrom('state_update', 'user_message_chunk', 'replay_complete', 'terminal_update', 'subagent_update'), value)
        .map(([sessionUpdate, each]) =>
          told({ sessionUpdate, state: each, messageId: each, content: each, sessionId: each, terminalId: each }),
        ),
      fc
        .tuple(fc.constantFrom('session/resume', 'session/close', 'session/cancel', 'tool_call/cancel', 'auth/login'), value)
        .map(([method, each]) => ours({ id: 4, method, params: { sessionId: 'S', toolCallId: each, replayFrom: each, methodId: each } })),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const { sessions } = replay([...opened, ...lines], undefined, [LOGGED_V2, LOGGED_V1]);
        for (const { events } of sessions) {
          assert.equal(stateOf(events).turn, undefined);
          events.forEach((event) => assert.ok(isSessionEvent(JSON.parse(JSON.stringify(event))), JSON.stringify(event)));
        }
      }),
      { numRuns: 300 },
    );
  });
});
