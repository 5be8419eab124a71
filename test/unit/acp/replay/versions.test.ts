/** Logs of several protocol versions. A second version has other names for everything, and reports the end of a turn on its own. */
import assert from 'node:assert/strict';
import type { LoggedVersion } from '../../../../src/acp/clientFrames';
import { type Fields, textOf } from '../../../../src/acp/json/fields';
import { succeeded } from '../../../../src/acp/jsonrpc/rpc';
import { LOGGED_V1 } from '../../../../src/acp/v1/clientFrames';
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
