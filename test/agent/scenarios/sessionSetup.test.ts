/**
 * The parameters with which a session begins: instructions, initial values, endpoints and the trace context. The events of each scenario are in
 * test/golden/scenarios/sessionSetup/.
 */
import assert from 'node:assert/strict';
import { bareAgent } from '../../support/scenario/agents';
import type { Stage } from '../../support/scenario/stage';
import { scenarios } from './suite';

const answers = (result: unknown) => ({ id: '$id', result });
const initialize = (session: object, agent: object = {}, info?: object) => [
  answers({ protocolVersion: 1, ...info, agentCapabilities: { ...agent, sessionCapabilities: { close: {}, ...session } } }),
];
const PARTS = [
  { source: 'user', text: 'Be brief.' },
  { source: 'folder', text: 'Use tabs.' },
] as const;

const model = (currentValue: string) => ({
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue,
  options: [
    { value: 'small', name: 'Small' },
    { value: 'large', name: 'Large' },
  ],
});

const KEY = 'sk-test-4a5b6c7d8e9f';
const ENDPOINT = {
  providerId: 'main',
  apiType: 'anthropic',
  baseUrl: 'https://gateway.example.com/v1',
  headers: { Authorization: `Bearer ${KEY}` },
};

const sentMetas = (stage: Stage) =>
  stage.frames.flatMap(({ kind, text }) => {
    const frame = JSON.parse(text) as { id?: number; method?: string; params?: { _meta?: Record<string, string> } };
    return kind === 'c2a' && frame.method !== undefined && frame.id !== undefined ? [frame.params?._meta ?? {}] : [];
  });

scenarios('sessionSetup', (scenario) => {
  scenario(
    'instructions-appended-and-sent-again',
    {
      defaults: null,
      instructions: { mode: 'override', parts: PARTS },
      launch: bareAgent({ initialize: initialize({ systemPrompt: {}, resume: {} }), 'session/resume': [answers({})] }),
    },
    async (stage) => {
      await stage.ready();
      await stage.reload();
      stage.act('resume');
      await stage.ready();
      stage.noteSent('session/new', 'session/resume');
    },
  );

  scenario(
    'instructions-in-place-of-the-agents',
    {
      defaults: null,
      instructions: { mode: 'override', parts: PARTS },
      launch: bareAgent({ initialize: initialize({ systemPrompt: { mode: { override: {} } } }) }),
    },
    async (stage) => {
      await stage.ready();
      stage.noteSent('session/new');
    },
  );

  scenario(
    'instructions-that-the-agent-does-not-take',
    { defaults: null, instructions: { mode: 'append', parts: PARTS }, launch: bareAgent({}) },
    async (stage) => {
      await stage.ready();
      stage.noteSent('session/new');
    },
  );

  scenario(
    'options-before-the-session',
    {
      defaults: null,
      chosenOptions: { model: 'large', fast: true, $mode: 'plan' },
      launch: bareAgent({
        initialize: initialize({ options: {} }),
        'session/options': [answers({ configOptions: [model('small')] })],
        'session/new': [answers({ sessionId: 'session-1', configOptions: [model('large')] })],
      }),
    },
    async (stage) => {
      await stage.ready();
      stage.noteSent('session/options', 'session/new', 'session/set_config_option');
    },
  );

  scenario(
    'endpoints-before-the-session',
    {
      defaults: null,
      endpoints: [ENDPOINT, { providerId: 'other', isOff: true }],
      launch: bareAgent({
        initialize: initialize({}, { providers: {} }),
        'providers/set': [answers({})],
        'providers/disable': [answers({})],
      }),
    },
    async (stage) => {
      await stage.ready();
      stage.noteSent('providers/set', 'providers/disable', 'session/new');
      assert.ok(!stage.lines.slice(0, -3).join('\n').includes(KEY));
    },
  );

  scenario(
    'endpoint-that-the-agent-refuses',
    {
      defaults: null,
      endpoints: [ENDPOINT],
      launch: bareAgent({
        initialize: initialize({}, { providers: {} }),
        'providers/set': [{ id: '$id', error: { code: -32602, message: `bad key ${KEY}` } }],
      }),
    },
    async (stage) => {
      await stage.seen('session_failed');
      stage.noteSent('session/new');
    },
  );

  scenario('trace-context', { isTraced: true, launch: bareAgent({}) }, async (stage) => {
    await stage.ready();
    stage.prompt('go');
    await stage.turnEnd();
    const metas = sentMetas(stage);
    assert.ok(metas.length >= 3);
    const spans = metas.map(({ traceparent = '', tracestate = '' }) => {
      const [, trace, span] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(traceparent) ?? assert.fail(traceparent);
      assert.equal(tracestate, `acp-host=${span}`);
      return { trace, span };
    });
    assert.equal(new Set(spans.map(({ trace }) => trace)).size, 1);
    assert.equal(new Set(spans.map(({ span }) => span)).size, spans.length);
  });
});
