/** The limits of the agent's account. The events of each scenario are in test/golden/scenarios/limits/. */
import assert from 'node:assert/strict';
import { waitForReset } from '../../../src/session/continuation';
import { bareAgent } from '../../support/scenario/agents';
import type { Stage } from '../../support/scenario/stage';
import { scenarios } from './suite';

const answers = (result: unknown) => ({ id: '$id', result });
const update = (sessionUpdate: string, fields: object) => ({
  method: 'session/update',
  params: { sessionId: 'session-1', update: { sessionUpdate, ...fields } },
});

const RESET = '2099-10-06T18:00:00Z';
const POOLS = [
  {
    id: 'plan',
    label: 'Plan usage',
    state: 'exhausted',
    meters: [
      { id: 'five_hour', label: '5-hour limit', usedPercent: 100, window: 'PT5H', resetsAt: RESET, status: 'exceeded' },
      { id: 'broken' },
      { id: 'seven_day', usedPercent: 64, resetsAt: 'soon', status: 'ok' },
    ],
  },
  {
    id: 'extra',
    state: 'available',
    meters: [{ id: 'cap', used: { value: '12.40', unit: 'USD' }, limit: { value: '50.00', unit: 'USD' } }],
  },
  { label: 'no id', meters: [] },
];
const QUOTA = { initialize: [answers({ protocolVersion: 1, agentCapabilities: { quota: {}, sessionCapabilities: { close: {} } } })] };

const limited = (seconds: number) => ({
  id: '$id',
  error: { code: 429, message: "You've reached your usage limit", data: { retryAfter: seconds } },
});

/** Waits until this many prompts were sent and the last one's turn has ended. */
async function answered(stage: Stage, count: number): Promise<void> {
  const prompts = () => stage.frames.filter(({ kind, text }) => kind === 'c2a' && text.includes('"session/prompt"')).length;
  await stage.when(
    `${count} answers`,
    () => prompts() === count && !stage.session.store.state.turn && stage.session.store.state.status === 'ready',
  );
}

function continueLater(stage: Stage): void {
  const { entries } = stage.session.store.state;
  const last = entries.at(entries.length - 1)!;
  assert.ok(last.kind === 'turn' && 'turnId' in last);
  stage.note('> continue later');
  waitForReset(stage.session.store, last.turnId);
  assert.ok(stage.session.store.state.continuation);
}

scenarios('limits', (scenario) => {
  scenario(
    'quota-read-and-updated',
    {
      defaults: null,
      launch: bareAgent({
        ...QUOTA,
        'quota/read': [answers({ updatedAt: '2026-10-06T13:10:00Z', pools: POOLS })],
        'session/prompt': [
          update('quota_update', { updatedAt: '2026-10-06T12:00:00Z', pools: [] }),
          update('quota_update', { updatedAt: '2026-10-06T14:00:00Z', pools: POOLS.slice(1) }),
          update('quota_update', { pools: 'none' }),
          answers({ stopReason: 'end_turn' }),
        ],
      }),
    },
    async (stage) => {
      await stage.ready();
      await stage.seen('quota');
      stage.prompt('go');
      await stage.turnEnd();
      stage.noteSent('initialize', 'quota/read');
      stage.note(`pools ${JSON.stringify(stage.session.store.state.quota?.pools)}`);
    },
  );

  scenario(
    'rate-limit-of-claude',
    {
      launch: bareAgent({
        initialize: [answers({ protocolVersion: 1, agentCapabilities: { providers: {}, sessionCapabilities: { close: {} } } })],
        'session/prompt': [
          update('usage_update', {
            used: 10,
            size: 100,
            _meta: {
              '_claude/rateLimit': { status: 'allowed_warning', resetsAt: 4_000_000_000, rateLimitType: 'five_hour', utilization: 0.91 },
            },
          }),
          update('usage_update', {
            used: 11,
            size: 100,
            _meta: { '_claude/rateLimit': { status: 'allowed', rateLimitType: 'seven_day', utilization: 0.4, overageStatus: 'rejected' } },
          }),
          update('usage_update', {
            used: 1050,
            size: 1_000_000,
            _meta: {
              '_claude/rateLimit': {
                status: 'rejected',
                resetsAt: 4_000_000_000,
                rateLimitType: 'five_hour',
                isUsingOverage: false,
                unifiedWindows: {
                  five_hour: { utilization: 1, resetsAt: 4_000_000_000, status: 'rejected' },
                  seven_day: { utilization: 0.43, resetsAt: 4_000_500_000, status: 'allowed' },
                  overage: { utilization: 0.1, resetsAt: 4_000_500_000 },
                },
              },
              '_claude/model': 'claude-sonnet-5-5',
            },
          }),
          answers({ stopReason: 'end_turn' }),
        ],
      }),
    },
    async (stage) => {
      await stage.ready();
      stage.prompt('go');
      await stage.turnEnd();
      stage.note(`quota ${JSON.stringify(stage.session.store.state.quota?.pools)}`);
    },
  );

  scenario(
    'continues-by-itself',
    { launch: bareAgent({ 'session/prompt': [[limited(1)], [answers({ stopReason: 'end_turn' })]] }) },
    async (stage) => {
      await stage.ready();
      stage.prompt('go');
      await stage.turnEnd();
      continueLater(stage);
      stage.say('and then');
      await answered(stage, 3);
    },
  );

  const KEEPS = { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } };
  scenario(
    'continues-after-a-reload',
    {
      launch: bareAgent({
        initialize: [answers({ protocolVersion: 1, ...KEEPS })],
        'session/resume': [answers({})],
        'session/prompt': [limited(2)],
      }),
    },
    async (stage) => {
      await stage.ready();
      stage.prompt('go');
      await stage.turnEnd();
      continueLater(stage);
      stage.say('and then');
      await stage.reload();
      // The new process meets the limit again, and waits for the user this time.
      await stage.when('the prompt again', () => stage.session.store.state.entries.length >= 4);
      await answered(stage, 2);
      stage.note(`queue ${JSON.stringify(stage.session.store.state.queue.map(({ paused }) => paused))}`);
    },
  );
});
