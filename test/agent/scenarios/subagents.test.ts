/** Subagents: nested, in parallel, early, late, stopped, asking, over load, and hostile. The texts are in test/golden/scenarios/subagents/. */
import type { Setup } from '../scripted/agent';
import type { StoredSession } from '../scripted/stored';
import type { Step } from '../scripted/steps';
import { isRunning, subagentOf, subagentsIn } from '../../../src/core/subagents/subagentTree';
import { scenarios } from './suite';

const announce = (sessionId: string, more: object = {}): Step => ({ update: { sessionUpdate: 'subagent_update', sessionId, ...more } });
const run = (sessionId: string, title: string, more: object = {}): Step =>
  announce(sessionId, { title, capabilities: { cancel: {} }, state: { state: 'running' }, ...more });
const idle = (sessionId: string, stopReason = 'end_turn', more: object = {}): Step =>
  announce(sessionId, { state: { state: 'idle', stopReason, ...more } });
const of = (session: string, ...steps: Step[]): Step => ({ of: { session, steps } });
const call = (toolCallId: string, title: string, status: string, more: object = {}): Step => ({
  tool: { toolCallId, title, status, ...more },
});
const message = (messageId: string, sender: string, recipient: string, text: string): Step => ({
  update: {
    sessionUpdate: 'session_message',
    messageId,
    senderSessionId: sender,
    recipientSessionId: recipient,
    content: [{ type: 'text', text }],
  },
});

/** Three levels, of which each does something while the others work. */
const NESTED: Step[] = [
  run('x', 'Explore', { description: 'Find the callers', cwd: '${cwd}/src' }),
  of('x', { say: 'Looking. ' }, run('y', 'Reader'), call('t', 'Search', 'in_progress')),
  of('y', { say: 'Reading. ' }, run('z', 'Parser'), call('t', 'Read a.ts', 'completed')),
  of('z', { think: 'Hm.' }, { say: 'Parsed.' }, call('t', 'Parse', 'failed')),
  of('y', idle('z', 'error', { error: { code: -32000, message: 'No grammar' } }), { say: 'Done reading.' }),
  of('x', { toolUpdate: { toolCallId: 't', status: 'completed' } }, idle('y'), { say: 'Found 3.' }),
  idle('x', 'end_turn', { usage: { totalTokens: 1200 } }),
  { say: 'Three callers.' },
];

const keeper = (stored: StoredSession): Setup => ({ initialize: { agentCapabilities: { loadSession: true } }, stored: [stored] });

scenarios('subagents', (scenario) => {
  scenario('nested-three-deep', {}, async (stage) => {
    await stage.turn(...NESTED);
  });

  scenario('parallel-and-interleaved', {}, async (stage) => {
    await stage.turn(
      run('x', 'One'),
      run('y', 'Two'),
      {
        repeat: {
          times: 3,
          steps: [
            of('x', { say: 'x${n} ' }),
            of('y', { say: 'y${n} ' }),
            { say: 'p${n} ' },
            of('y', call('t', 'Y', 'in_progress')),
            of('x', call('t', 'X', 'in_progress')),
          ],
        },
      },
      of('x', { toolUpdate: { toolCallId: 't', status: 'completed' } }),
      idle('y', 'cancelled'),
      idle('x'),
      run('x', 'One, again'),
      of('x', { say: 'More.' }),
      idle('x', 'max_tokens'),
    );
  });

  scenario('before-their-tool-call-and-after-the-turn', {}, async (stage) => {
    await stage.turn(
      run('x', 'Early'),
      of('x', { say: 'Already at work.' }),
      { say: 'A moment.' },
      call('t', 'Task', 'in_progress', { content: [{ type: 'session', sessionId: 'x' }] }),
      { toolUpdate: { toolCallId: 't', status: 'completed' } },
      {
        afterResponse: [
          of('x', { say: ' Still at work.' }, call('u', 'Read', 'in_progress')),
          run('late', 'Late'),
          of('late', { say: 'Hello.' }),
          idle('late'),
          of('x', { toolUpdate: { toolCallId: 'u', status: 'completed' } }),
          idle('x'),
        ],
      },
    );
    await stage.when('the subagents to end', () => {
      const all = subagentsIn(stage.session.store.state);
      return all.length === 2 && !all.some(isRunning);
    });
  });

  scenario('updates-before-the-announcement', {}, async (stage) => {
    await stage.turn({
      afterResponse: [
        of('y', { say: 'Too early.' }),
        of('x', { say: 'Early.' }, run('y', 'Child')),
        run('x', 'Parent'),
        of('y', { say: ' In time.' }),
      ],
    });
    await stage.seen('subagent_event', ({ event }) => JSON.stringify(event).includes('In time.'));
  });

  scenario('messages-between-sessions', {}, async (stage) => {
    await stage.turn(
      run('x', 'Explore'),
      message('m', 'parent', 'x', 'Find the callers'),
      of(
        'x',
        message('m', 'parent', 'x', 'Find the callers'),
        { say: 'Found.' },
        { plan: [{ content: 'Look', status: 'completed', priority: 'low' }] },
      ),
      message('m:reply', 'x', 'parent', 'Three callers'),
      { update: { sessionUpdate: 'session_message_chunk', messageId: 'm:reply', content: { type: 'text', text: ' in a.ts' } } },
      { update: { sessionUpdate: 'session_message', messageId: 7 } },
      idle('x'),
    );
  });

  scenario('questions-carry-the-name', { answer: (title) => (title === 'rm' ? 'reject' : 'allow') }, async (stage) => {
    await stage.turn(
      run('x', 'Explore'),
      of('x', run('y', 'Cleaner')),
      of('y', { permission: { toolCall: { toolCallId: 't', title: 'rm', kind: 'execute', rawInput: { command: 'rm -r build' } } } }),
      of('x', { permission: { toolCall: { toolCallId: 't', title: 'ls' } } }),
      of('y', { write: { path: '${cwd}/a.txt', content: 'a' } }, { read: '${cwd}/a.txt' }),
      of('x', idle('y')),
      idle('x'),
    );
  });

  scenario('stop-one', { answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script(
      run('x', 'Explore'),
      of('x', run('y', 'Cleaner'), call('t', 'Search', 'in_progress')),
      run('z', 'Other'),
      { together: [of('y', { permission: { toolCall: { toolCallId: 't', title: 'rm' } } }), { waitCancelOf: 'x' }] },
      of('x', { toolUpdate: { toolCallId: 't', status: 'failed' } }, { say: 'Stopped.' }, idle('y', 'cancelled')),
      idle('x', 'cancelled'),
      of('z', { say: 'Still here.' }),
      idle('z'),
    );
    await stage.seen('permission_requested');
    stage.stopSubagent('z-none');
    stage.stopSubagent('x');
    stage.stopSubagent('x');
    await stage.turnEnd();
    stage.stopSubagent('x');
  });

  scenario('stop-of-the-turn-leaves-earlier-ones', { answer: () => undefined }, async (stage) => {
    await stage.turn(run('x', 'Background'), { say: 'It works.' });
    stage.script(run('y', 'Foreground'), {
      together: [
        of('x', { permission: { toolCall: { toolCallId: 't', title: 'x asks' } } }),
        of('y', { permission: { toolCall: { toolCallId: 't', title: 'y asks' } } }),
        { waitCancel: true },
      ],
    });
    await stage.when('both to ask', () => stage.session.store.state.pendingPermissions.length === 2);
    stage.cancel();
    await stage.seen('subagent_event', ({ event }) => JSON.stringify(event).includes('permission: cancelled'));
    stage.note(`${stage.session.store.state.pendingPermissions.length} waits`);
    stage.session.answerPermission(stage.session.store.state.pendingPermissions[0]!, 'allow');
    await stage.turnEnd();
  });

  scenario(
    'over-load',
    {
      setup: keeper({
        sessionId: 'old',
        replay: [
          { update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Find' } } },
          ...NESTED.slice(0, -2),
          run('w', 'Worker'),
          of('w', { say: 'Was at work.' }, call('t', 'Build', 'in_progress')),
          { say: 'Three callers.' },
        ],
        after: [run('w', 'Worker'), of('w', { say: ' Still.' }), idle('w')],
      }),
      from: { sessionId: 'old' },
    },
    async (stage) => {
      await stage.ready();
      await stage.when('the worker to end', () => subagentOf(stage.session.store.state, 'w')?.work?.state === 'idle');
      await stage.turn({ say: 'Going on.' });
    },
  );

  scenario('a-lost-agent', {}, async (stage) => {
    await stage.turn(run('x', 'Explore'), of('x', call('t', 'Search', 'in_progress')), { exit: 3 });
    await stage.seen('disconnected');
  });

  scenario('over-a-reload', {}, async (stage) => {
    await stage.turn(...NESTED, run('w', 'Worker'), of('w', { say: 'At work.' }));
    await stage.reload();
  });

  scenario('hostile', {}, async (stage) => {
    await stage.ready();
    const other = await stage.another();
    const { sessionId = '' } = other.store.state;
    await stage.turn(
      run('x', 'Explore'),
      of('x', run('x', 'Itself'), run('y', 'Child')),
      of('y', run('x', 'A circle'), run(sessionId, 'Of the user')),
      run('y', 'Another parent'),
      run(sessionId, 'Of the user'),
      of('nobody', run('z', 'Of nobody'), { say: 'Lost.' }),
      of('z', { say: 'Lost, too.' }),
      announce('', { title: 'No id' }),
      announce('__proto__', { title: 7, description: [], capabilities: 'all', state: 'running', cwd: 3, additionalDirectories: [1] }),
      of('__proto__', { say: 'Odd, but right.' }),
      announce('x', { title: null, capabilities: null, state: { state: '_paused' } }),
      of('x', { update: { sessionUpdate: 'hologram' } }, { say: 'Fine.' }),
      { say: 'Alive.' },
    );
  });

  scenario('two-hundred', {}, async (stage) => {
    await stage.turn(
      { repeat: { times: 200, steps: [run('s${n}', 'S${n}'), of('s${n}', { say: 'Hi from ${n}' })] } },
      { say: 'All started.' },
    );
  });

  scenario('marked-tool-calls', {}, async (stage) => {
    const marked = (parent: string): object => ({ _meta: { claudeCode: { parentToolUseId: parent } } });
    await stage.turn(
      call('task', 'Explore the code', 'in_progress', { kind: 'think' }),
      call('read', 'Read a.ts', 'completed', marked('task')),
      call('inner', 'Look deeper', 'in_progress', marked('task')),
      call('grep', 'Grep', 'completed', marked('inner')),
      { permission: { toolCall: { toolCallId: 'grep', title: 'Grep' } } },
      { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Found.' }, ...marked('task') } },
      { toolUpdate: { toolCallId: 'inner', status: 'completed', ...marked('task') } },
      { toolUpdate: { toolCallId: 'task', status: 'completed' } },
      { say: 'Done.' },
    );
  });

  scenario('tasks-that-are-only-tool-calls', {}, async (stage) => {
    const input = { description: 'Find the callers', prompt: 'List all callers of greet()', subagent_type: 'Explore' };
    const inner = { _meta: { parentToolCallId: 'qwen', subagentType: 'Explore', toolName: 'read_file' } };
    await stage.turn(
      call('open', 'task', 'pending', { rawInput: {} }),
      { toolUpdate: { toolCallId: 'open', title: 'task', status: 'in_progress', rawInput: input } },
      call('qwen', 'Agent: Find the callers', 'pending', { rawInput: input, _meta: { toolName: 'agent' } }),
      call('read', 'Read a.ts', 'completed', inner),
      { toolUpdate: { toolCallId: 'qwen', status: 'failed' } },
      { toolUpdate: { toolCallId: 'open', title: 'Find the callers', status: 'completed', rawInput: input } },
      { say: 'Three callers.' },
    );
  });

  scenario('unannounced', {}, async (stage) => {
    await stage.turn(
      call('t', 'Explore', 'in_progress', { rawInput: { childSessionId: 'child' } }),
      of('child', { say: 'Looking.' }, call('t', 'Read', 'completed'), { permission: { toolCall: { toolCallId: 'u', title: 'Run' } } }),
      { say: 'Done.' },
    );
  });
});
