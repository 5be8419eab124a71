/** Agents that speak the early dialect, in whole and in part. The texts are in test/golden/scenarios/earlyDialect/. */
import { earlyAgent } from '../../support/scenario/agents';
import type { Stage } from '../../support/scenario/stage';
import { scenarios } from './suite';

type EarlyStep =
  | { readonly update: object }
  | { readonly ask: object; readonly request?: boolean }
  | { readonly send: object; readonly request?: boolean }
  | { readonly answers: number }
  | { readonly waitCancel: true };

const call = (toolCallId: string, more: object): EarlyStep => ({ update: { type: 'tool_call', toolCallId, ...more } });
const change = (toolCallId: string, more: object): EarlyStep => ({ update: { type: 'tool_call_update', toolCallId, ...more } });
const permission = (requestId: string, toolName: string, more: object = {}): object => ({
  type: 'permission_request',
  requestId,
  toolCallId: `call-${requestId}`,
  toolName,
  input: { path: `/${toolName}` },
  ...more,
});
const script = (stage: Stage, ...steps: EarlyStep[]): void => stage.prompt(`@script ${JSON.stringify(steps)}`);
const turn = async (stage: Stage, ...steps: EarlyStep[]): Promise<void> => {
  await stage.ready();
  script(stage, ...steps);
  await stage.turnEnd();
};

scenarios('earlyDialect', (scenario) => {
  scenario('prompts-as-text', { launch: earlyAgent(), defaults: null }, async (stage) => {
    await stage.ready();
    stage.prompt('Hello.');
    await stage.turnEnd();
    stage.prompt('Again.');
    await stage.turnEnd();
  });

  scenario('tool-calls', { launch: earlyAgent(true), defaults: null }, async (stage) => {
    await turn(
      stage,
      { update: { type: 'agent_thought_chunk', text: 'Hm.' } },
      call('a', { toolName: 'read_file', input: { path: 'a.ts' } }),
      change('a', { output: 'let a;\n' }),
      call('b', { toolName: 'run', input: { command: 'false' }, status: 'in_progress' }),
      change('b', { error: 'exit code 1' }),
      call('c', { toolName: 'search', input: { query: 'x' } }),
      change('c', { output: { matches: [1, 2] }, error: { message: 'cut off', code: 7 } }),
      change('unknown', { output: 'late' }),
      { update: { type: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } } },
    );
  });

  scenario(
    'permissions',
    {
      launch: earlyAgent(true),
      defaults: null,
      answer: (title) => (/_(?:once|always)$/.test(title) ? title : title === 'own' ? 'yes' : 'reject_once'),
    },
    async (stage) => {
      await turn(
        stage,
        { ask: permission('1', 'allow_once') },
        { ask: permission('2', 'allow_always'), request: true },
        { ask: permission('3', 'reject_once', { options: [] }) },
        { ask: permission('4', 'reject_always', { options: ['allow_once', 'reject_always'] }), request: true },
        {
          ask: permission('5', 'write', {
            title: 'own',
            options: [
              { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
              { optionId: 'maybe', name: 'Maybe' },
            ],
          }),
        },
      );
    },
  );

  scenario('cancel', { launch: earlyAgent(true), defaults: null, answer: () => undefined }, async (stage) => {
    await stage.ready();
    script(stage, call('a', { toolName: 'run' }), { send: permission('1', 'write') }, { waitCancel: true }, { answers: 1 });
    await stage.seen('permission_requested');
    stage.cancel();
    await stage.turnEnd();
  });

  scenario('half-standard', { launch: earlyAgent(true), defaults: null }, async (stage) => {
    await turn(
      stage,
      { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Standard. ' } } },
      { update: { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Standard', toolName: 'kept', input: 1, output: 2 } },
      { update: { sessionUpdate: 'tool_call', toolCallId: 'b', toolName: 'edit_file', type: 'edit', input: { path: 'b.ts' } } },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'b', output: 'ok', status: 'in_progress' } },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'b', status: 'completed', rawOutput: 'standard', output: 'early' } },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed', output: 'kept' } },
      call('c', { toolName: 'read', title: 'Both', rawInput: { a: 1 }, input: { b: 2 } }),
      { update: { type: 'future_kind', value: 1 } },
      { update: { sessionUpdate: 'permission_request', value: 2 } },
    );
  });

  scenario('hostile-permissions', { launch: earlyAgent(true), defaults: null, answer: () => undefined }, async (stage) => {
    await stage.ready();
    script(
      stage,
      { send: permission('same', 'ls') },
      { send: permission('same', 'rm') },
      { answers: 1 },
      { send: permission('request', 'ls'), request: true },
      { send: permission('request', 'rm'), request: true },
      { answers: 2 },
      { update: { type: 'permission_request', toolName: 'without an id' } },
      { update: { type: 'tool_call', toolName: 'without an id' } },
      { update: { type: 'agent_message_chunk' } },
    );
    await stage.turnEnd();
  });
});
