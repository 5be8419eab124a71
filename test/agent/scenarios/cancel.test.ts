/**
 * The user's Stop in every state of a turn. Beyond the golden texts (test/golden/scenarios/cancel/), each scenario checks what the
 * protocol's page "Prompt Turn" promises. Tool calls are marked at once, questions are answered, nothing is left pending, and the turn ends
 * with the agent's answer.
 */
import assert from 'node:assert/strict';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { entryIdOf, isAbsent } from '../../../src/core/model/state';
import type { Stage } from '../../support/scenario/stage';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const EDIT = { toolCallId: 'edit-1', title: 'Edit calc.js', kind: 'edit' };
const SESSION = 'session-1';
/** The time in ms from the agent's answer to the end of the turn. */
const SOON = 1000;

const ask = (toolCallId: string, params: object = {}): Step => ({
  request: {
    method: 'session/request_permission',
    params: {
      sessionId: SESSION,
      toolCall: { toolCallId },
      options: [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }],
      ...params,
    },
  },
});
const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const page = { mode: 'url', message: 'Sign in', elicitationId: 'e-1', url: 'https://example.com/in' };
const elicit = (params: object): Step => ({ request: { method: 'elicitation/create', params: { sessionId: SESSION, ...params } } });
const terminal = (method: string, params: object, cancelled?: 'withdraw' | 'leave'): Step => ({
  request: { method: `terminal/${method}`, params: { sessionId: SESSION, ...params }, ...(cancelled && { cancelled }) },
});
const SLEEP = { command: process.execPath, args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] };
const FIRST = { terminalId: 'terminal-1' };

/** Presses Stop, and checks the immediate effects. */
async function stop(stage: Stage): Promise<void> {
  const { state } = stage.session.store;
  const open = state.openToolCalls;
  stage.cancel();
  const stopped = stage.session.store.state;
  assert.equal(stopped.turn?.cancelling, true);
  assert.deepEqual(stopped.openToolCalls, []);
  for (const toolCallId of open) {
    const slot = stopped.entries.get(entryIdOf.toolCall(toolCallId));
    assert.ok(slot?.kind === 'tool_call' && !isAbsent(slot));
    assert.equal(slot.status, 'cancelled');
  }
  await turnOfTheLoop();
  assertNothingPending(stage);
}

function assertNothingPending(stage: Stage): void {
  const { pendingPermissions, pendingElicitations } = stage.session.store.state;
  assert.deepEqual({ pendingPermissions, pendingElicitations }, { pendingPermissions: [], pendingElicitations: [] });
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
}

/** Waits for the end of the turn, and checks the final state. */
async function stopped(stage: Stage, stopReason = 'cancelled'): Promise<void> {
  await stage.turnEnd();
  await turnOfTheLoop();
  const { state } = stage.session.store;
  const turn = [...state.entries].findLast((slot) => slot.kind === 'turn');
  assert.ok(turn?.kind === 'turn' && !isAbsent(turn));
  assert.equal(turn.stopReason, stopReason);
  assert.deepEqual([state.turn, state.openToolCalls], [undefined, []]);
  assertNothingPending(stage);

  const messages = stage.frames.flatMap(({ kind, text, at }) =>
    kind === 'a2c' || kind === 'c2a' ? [{ kind, at, ...(JSON.parse(text) as Message) }] : [],
  );
  assert.equal(messages.filter(({ method }) => method === 'session/cancel').length, 1);
  const prompt = messages.find(({ kind, method }) => kind === 'c2a' && method === 'session/prompt');
  const answer = messages.find(({ kind, id, method }) => kind === 'a2c' && id === prompt?.id && method === undefined);
  assert.ok(answer && turn.at - answer.at < SOON);
  const answered = new Set(messages.filter(({ kind, method }) => kind === 'c2a' && method === undefined).map(({ id }) => id));
  const unanswered = messages.filter(
    ({ kind, id, method }) => kind === 'a2c' && method !== undefined && id !== undefined && !answered.has(id),
  );
  assert.deepEqual(unanswered, []);
}

scenarios('cancel', (scenario) => {
  scenario('streaming', {}, async (stage) => {
    await stage.ready();
    stage.script({ think: 'Well' }, { say: 'One, two' }, { waitCancel: true }, { say: 'never said' });
    await stage.seen('message_chunk', ({ role }) => role === 'agent');
    await stop(stage);
    await stopped(stage);
    await stage.turn({ say: 'The next prompt works.' });
  });

  scenario('right-after-the-prompt', {}, async (stage) => {
    await stage.ready();
    stage.script({ waitCancel: true }, { say: 'never said' });
    await stop(stage);
    await stopped(stage);
  });

  scenario('tool-running', {}, async (stage) => {
    await stage.ready();
    stage.script(
      ...['pending', 'in_progress', 'completed', 'failed', 'napping'].map(
        (status): Step => ({ tool: { toolCallId: status, title: status, status } }),
      ),
      { say: 'working' },
      { waitCancel: true },
    );
    await stage.seen('message_chunk');
    await stop(stage);
    await stopped(stage);
  });

  scenario('permission-pending', { answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, ask('edit-1'));
    await stage.seen('permission_requested');
    await stop(stage);
    await stopped(stage);
  });

  scenario('permissions-pending', { answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script({ together: [ask('a', { title: 'A' }), ask('b', { title: 'B' }), ask('c', { title: 'C' })] });
    await stage.seen('permission_requested', ({ title }) => title === 'C');
    await stop(stage);
    await stopped(stage);
  });

  scenario('permission-withdrawn-by-the-agent', { answer: () => undefined }, async (stage) => {
    const { request } = ask('edit-1') as Extract<Step, { request: unknown }>;
    await stage.ready();
    stage.script({ tool: EDIT }, { request: { ...request, cancelled: 'withdraw' } });
    await stage.seen('permission_requested');
    await stop(stage);
    await stopped(stage);
  });

  scenario('form-open', {}, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, elicit({ ...form, toolCallId: 'edit-1' }));
    await stage.seen('elicitation_requested');
    await stop(stage);
    await stopped(stage);
  });

  scenario('page-open', {}, async (stage) => {
    await stage.ready();
    stage.script(
      { onCancel: [{ raw: { jsonrpc: '2.0', method: 'elicitation/complete', params: { elicitationId: 'e-1' } } }] },
      elicit(page),
    );
    await stage.seen('elicitation_requested');
    await stop(stage);
    await stopped(stage);
  });

  scenario('everything-pending', { answer: (title) => (title === 'Run a command' ? 'allow' : undefined) }, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, terminal('create', SLEEP), {
      together: [ask('edit-1'), elicit(form), elicit(page), terminal('wait_for_exit', FIRST, 'withdraw')],
    });
    await stage.seen('elicitation_requested', ({ body }) => body.mode === 'url');
    await stage.seen('terminal_output');
    await stop(stage);
    await stopped(stage);
  });

  scenario('terminal-killed', {}, async (stage) => {
    await stage.ready();
    stage.script(
      terminal('create', SLEEP),
      { tool: { toolCallId: 'run', title: 'Run', kind: 'execute', content: [{ type: 'terminal', ...FIRST }] } },
      {
        together: [
          terminal('wait_for_exit', FIRST),
          { repeat: { times: 1, steps: [{ waitCancel: true }, terminal('kill', FIRST), terminal('release', FIRST)] } },
        ],
      },
    );
    await stage.seen('terminal_output');
    await stop(stage);
    await stopped(stage);
  });

  scenario('terminal-wait-withdrawn', {}, async (stage) => {
    await stage.ready();
    stage.script(
      terminal('create', SLEEP),
      { onCancel: [terminal('output', FIRST), terminal('release', FIRST)] },
      terminal('wait_for_exit', FIRST, 'withdraw'),
    );
    await stage.seen('terminal_output');
    await stop(stage);
    await stopped(stage);
  });

  // A command may outlive its turn, for example a server: the agent ends it, or the user with its own Stop. The request that waits for the
  // command no longer exists, but the command does.
  scenario('terminal-left-running', {}, async (stage) => {
    await stage.ready();
    stage.script(terminal('create', SLEEP), terminal('wait_for_exit', FIRST, 'leave'));
    await stage.seen('terminal_output');
    await stop(stage);
    await stopped(stage);
    stage.stopTerminal('terminal-1');
    await stage.seen('terminal_update', ({ exitStatus }) => exitStatus !== undefined);
    await stage.turn({ say: 'The next prompt works.' });
    await stopped(stage, 'end_turn');
  });

  scenario('terminal-finished-late', {}, async (stage) => {
    await stage.ready();
    const command = { command: process.execPath, args: ['-e', 'console.log("up"); setTimeout(() => console.log("done"), 500)'] };
    stage.script(
      { onCancel: [terminal('output', FIRST), terminal('release', FIRST)] },
      terminal('create', command),
      terminal('wait_for_exit', FIRST),
    );
    await stage.seen('terminal_output');
    await stop(stage);
    await stopped(stage);
  });

  scenario('agent-takes-its-time', {}, async (stage) => {
    await stage.ready();
    stage.script(
      { tool: EDIT },
      { say: 'busy' },
      { onCancel: [{ pause: 500 }, { say: ', still busy' }, { pause: 500 }] },
      { waitCancel: true },
    );
    await stage.seen('message_chunk');
    await stop(stage);
    await stopped(stage);
  });

  scenario('agent-goes-on-for-a-while', { answer: () => 'allow' }, async (stage) => {
    await stage.ready();
    stage.script(
      { tool: EDIT },
      { tool: { toolCallId: 'other', title: 'Other', status: 'in_progress' } },
      { say: 'busy' },
      {
        onCancel: [
          { toolUpdate: { toolCallId: 'edit-1', status: 'in_progress' } },
          {
            toolUpdate: {
              toolCallId: 'other',
              status: 'completed',
              content: [{ type: 'content', content: { type: 'text', text: 'made it' } }],
            },
          },
          { tool: { toolCallId: 'new', title: 'Begun after Stop', status: 'in_progress' } },
          { tool: { toolCallId: 'failed', title: 'Failed after Stop', status: 'failed' } },
          { usage: { used: 7, size: 10 } },
          { plan: [{ content: 'go on', status: 'pending', priority: 'low' }] },
          ask('new'),
          elicit(form),
          { read: '${cwd}/calc.js' },
          { toolUpdate: { toolCallId: 'edit-1', title: 'Said at last' } },
          { say: 'Stopped.' },
        ],
      },
      { waitCancel: true },
    );
    await stage.seen('message_chunk');
    await stop(stage);
    await stopped(stage);
    await stage.turn({ toolUpdate: { toolCallId: 'new', status: 'completed' } });
  });

  scenario('answered-with-an-abort', {}, async (stage) => {
    await stage.ready();
    stage.script(
      { tool: EDIT },
      { onCancel: [{ error: { code: -32603, message: 'AbortError: This operation was aborted' } }] },
      { waitCancel: true },
    );
    await stage.seen('tool_call_update');
    await stop(stage);
    await stopped(stage);
  });

  scenario('answered-with-request-cancelled', {}, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, { onCancel: [{ error: { code: -32800, message: 'Request cancelled' } }] }, { waitCancel: true });
    await stage.seen('tool_call_update');
    await stop(stage);
    await stopped(stage);
  });

  scenario('answered-with-another-error', {}, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, { onCancel: [{ error: { code: -32050, message: 'out of credit' } }] }, { waitCancel: true });
    await stage.seen('tool_call_update');
    await stop(stage);
    await stopped(stage, 'error');
  });

  scenario('answered-as-if-nothing-was', {}, async (stage) => {
    await stage.ready();
    stage.script(
      { tool: EDIT },
      { onCancel: [{ raw: { jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } } }] },
      { afterResponse: [{ info: { title: 'answered' } }] },
      { waitCancel: true },
    );
    await stage.seen('tool_call_update');
    await stop(stage);
    await stopped(stage, 'end_turn');
    await stage.seen('session_info');
    await stage.turn({ say: 'next' });
  });

  scenario('twice', {}, async (stage) => {
    await stage.ready();
    stage.script({ say: 'busy' }, { onCancel: [{ pause: 200 }] }, { waitCancel: true });
    await stage.seen('message_chunk');
    await stop(stage);
    stage.cancel();
    await stopped(stage);
    stage.cancel();
    await stage.turn({ say: 'next' });
  });

  scenario('agent-dead', { answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, { onCancel: [{ exit: 1 }] }, ask('edit-1'));
    await stage.seen('permission_requested');
    await stop(stage);
    await stage.seen('disconnected');
    stage.cancel();
    assertNothingPending(stage);
    assert.deepEqual([stage.session.store.state.turn, stage.session.store.state.openToolCalls], [undefined, []]);
  });

  scenario('by-the-agent-itself', {}, async (stage) => {
    await stage.turn({ tool: EDIT }, { say: 'I stop here.' }, { stopReason: 'cancelled' });
  });
});
