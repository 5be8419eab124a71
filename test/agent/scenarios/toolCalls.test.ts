/**
 * Tool calls as real agents send them: late, twice, in reverse order, incomplete, with terminals of their own. The texts are in
 * test/golden/scenarios/toolCalls/.
 */
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const text = (said: string): object => ({ type: 'content', content: { type: 'text', text: said } });

scenarios('toolCalls', (scenario) => {
  scenario('content-replaced', {}, async (stage) => {
    await stage.turn(
      {
        tool: {
          toolCallId: 't',
          title: 'T',
          name: 'tool_t',
          kind: 'read',
          status: 'in_progress',
          content: [text('one'), text('two')],
          locations: [{ path: '/a' }, { path: '/b', line: 2 }],
        },
      },
      { toolUpdate: { toolCallId: 't', content: [text('instead')], locations: [{ path: '/c' }] } },
      {
        toolUpdate: {
          toolCallId: 't',
          content: null,
          locations: null,
          title: null,
          name: null,
          kind: null,
          status: null,
          rawInput: null,
          rawOutput: null,
          _meta: null,
        },
      },
      { toolUpdate: { toolCallId: 't', status: 'completed' } },
      { toolUpdate: { toolCallId: 't', content: [], locations: [] } },
    );
  });

  scenario('wrong-types', {}, async (stage) => {
    const wrong = {
      title: 7,
      name: ['n'],
      kind: {},
      status: true,
      content: 12,
      locations: 'here',
      rawInput: null,
      rawOutput: null,
      _meta: 'text',
      later: [1],
    };
    await stage.turn(
      { tool: { toolCallId: 't', ...wrong } },
      { toolUpdate: { toolCallId: 't', ...wrong } },
      {
        tool: {
          toolCallId: 'l',
          title: 'L',
          locations: [
            { path: '/a', line: null },
            { path: '/b', line: '3' },
            { path: '/c', line: -1.5, column: 2 },
            { line: 4 },
            '/d',
            null,
            { path: 5 },
          ],
        },
      },
      { tool: { toolCallId: 7, title: 'A number for an id' } },
      { tool: { toolCallId: null, title: 'No id' } },
      { tool: { title: 'None at all' } },
      { tool: { toolCallId: '', title: 'An empty one' } },
    );
  });

  scenario('words-unknown', {}, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 't', title: 'T', kind: 'teleport', status: 'quantum' } },
      { tool: { toolCallId: 'u', title: 'U', kind: '_vendor/think', status: '_vendor/paused' } },
      { tool: { toolCallId: 'v', title: 'V', kind: '', status: '' } },
      { tool: { toolCallId: 'w' } },
      { toolUpdate: { toolCallId: 'w', name: 'only_a_name' } },
    );
  });

  scenario('raw', {}, async (stage) => {
    const values = ['', 'text', 0, 42, false, true, [], [1, 'two'], {}, { deep: { deeper: [{}] } }];
    await stage.turn(
      ...values.map(
        (value, index): Step => ({
          tool: { toolCallId: `raw ${index}`, title: JSON.stringify(value), status: 'completed', rawInput: value, rawOutput: value },
        }),
      ),
      { tool: { toolCallId: 'grows', title: 'Grows', rawInput: { path: '/a' } } },
      { toolUpdate: { toolCallId: 'grows', rawInput: { path: '/a', text: 'b' } } },
      { toolUpdate: { toolCallId: 'grows', rawInput: null, rawOutput: '' } },
      { toolUpdate: { toolCallId: 'grows', status: 'completed' } },
    );
  });

  scenario('everything-else-kept', {}, async (stage) => {
    const _meta = { 'example.com/key': { nested: [1, null, ''] }, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    const beyond = { unheard: { of: [true] }, null: null };
    const update = {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 'T',
      content: [{ ...text('a'), _meta, ...beyond }],
      locations: [{ path: '/a', _meta, ...beyond }],
      _meta,
      ...beyond,
    };
    await stage.turn(
      {
        raw: {
          jsonrpc: '2.0',
          method: 'session/update',
          params: { sessionId: 'session-1', update, _meta: { of: 'the notification' }, ...beyond },
          beside: 'params',
        },
      },
      { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'm', _meta, ...beyond }, _meta, ...beyond } },
      {
        update: {
          sessionUpdate: 'plan',
          entries: [{ content: 'p', status: 'pending', priority: 'low', _meta, ...beyond }],
          _meta,
          ...beyond,
        },
      },
      {
        update: {
          sessionUpdate: 'available_commands_update',
          availableCommands: [{ name: 'c', description: 'C', input: { hint: 'h', _meta, ...beyond }, _meta, ...beyond }],
          _meta,
          ...beyond,
        },
      },
      {
        update: {
          sessionUpdate: 'config_option_update',
          configOptions: [{ type: 'boolean', id: 'b', name: 'B', currentValue: true, _meta, ...beyond }],
          _meta,
          ...beyond,
        },
      },
      { update: { sessionUpdate: 'current_mode_update', currentModeId: 'm', _meta, ...beyond } },
      { update: { sessionUpdate: 'session_info_update', title: 'S', _meta, ...beyond } },
      { update: { sessionUpdate: 'usage_update', used: 1, size: 2, _meta, ...beyond } },
      { update: { sessionUpdate: 'notice', severity: 'info', title: 'N', _meta, ...beyond } },
      { update: { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed', _meta, ...beyond } },
      {
        update: {
          sessionUpdate: 'compaction_summary_chunk',
          compactionId: 'c',
          content: { type: 'text', text: 's', _meta, ...beyond },
          _meta,
          ...beyond,
        },
      },
    );
  });

  scenario('announced-twice', {}, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 't', title: 'First', kind: 'read', status: 'completed', content: [text('read')] } },
      { say: 'between' },
      { tool: { toolCallId: 't', title: 'Second', status: 'pending' } },
      { toolUpdate: { toolCallId: 't', status: 'completed' } },
    );
  });

  scenario('backwards', {}, async (stage) => {
    await stage.turn(
      ...['pending', 'in_progress', 'pending', 'completed', 'in_progress', 'failed', 'completed'].map(
        (status): Step => ({ toolUpdate: { toolCallId: 't', title: 'T', status } }),
      ),
    );
    await stage.turn({ toolUpdate: { toolCallId: 't', status: 'in_progress' } });
    await stage.turn({ toolUpdate: { toolCallId: 't', title: 'Said after its turn' } });
  });

  scenario('never-finished', {}, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 'pending', title: 'Pending' } },
      { tool: { toolCallId: 'running', title: 'Running', status: 'in_progress' } },
      { tool: { toolCallId: 'odd', title: 'Odd', status: 'napping' } },
      {
        afterResponse: [
          { toolUpdate: { toolCallId: 'running', status: 'completed' } },
          { tool: { toolCallId: 'late', title: 'Late', status: 'in_progress' } },
          { info: { title: 'done' } },
        ],
      },
    );
    await stage.seen('session_info');
    await stage.turn({ say: 'next' });
  });

  scenario('ids-again-in-the-next-turn', {}, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 'call-1', title: 'Read a', kind: 'read', content: [text('a')] } },
      { toolUpdate: { toolCallId: 'call-1', status: 'completed' } },
    );
    await stage.turn(
      { tool: { toolCallId: 'call-1', title: 'Read b', kind: 'read', content: [text('b')] } },
      { toolUpdate: { toolCallId: 'call-1', status: 'completed' } },
    );
  });

  scenario('diffs', {}, async (stage) => {
    const diff = (fields: object): object => ({ type: 'diff', path: '${cwd}/a.txt', newText: 'new\n', ...fields });
    await stage.turn({
      tool: {
        toolCallId: 't',
        title: 'T',
        content: [
          diff({ oldText: null }),
          diff({}),
          diff({ oldText: '' }),
          diff({ oldText: 'new\n' }),
          diff({ oldText: 7 }),
          diff({ path: 'relative/a.txt', oldText: 'old\n' }),
          diff({ path: '${cwd}/../../etc/passwd', oldText: 'root\n' }),
          diff({ path: '', oldText: 'a' }),
          diff({ newText: null, oldText: 'gone\n' }),
          diff({ newText: undefined, oldText: 'gone\n' }),
          diff({ newText: '', oldText: 'gone\n', deleted: true }),
          { type: 'diff', newText: 'no path' },
          { type: 'diff', changes: [{ operation: 'move', path: '/b', oldPath: '/a' }] },
        ],
      },
    });
  });

  scenario('terminals-of-the-agent', {}, async (stage) => {
    const meta = (fields: object): Step => ({ toolUpdate: { toolCallId: 'run', _meta: fields } });
    await stage.turn(
      meta({ terminal_output: { terminal_id: 'own', data: 'before it was announced\r\n' } }),
      {
        tool: {
          toolCallId: 'run',
          title: 'npm test',
          kind: 'execute',
          content: [{ type: 'terminal', terminalId: 'own' }],
          _meta: { terminal_info: { terminal_id: 'own', cwd: '/work' } },
        },
      },
      meta({ terminal_output_delta: { terminal_id: 'own', data: '\u001b[32mok\u001b[0m\r\n' } }),
      meta({ terminal_output: { terminal_id: 'own', data: 7 }, terminal_exit: { terminal_id: 9 } }),
      meta({ terminal_exit: { terminal_id: 'own', exit_code: 1, signal: null }, why: 'tests failed' }),
      meta({ terminal_output_delta: { terminal_id: 'own', data: 'after its end' } }),
      { terminal: { command: process.execPath, args: ['-e', 'setTimeout(() => console.log("ours"), 200)'], toolCallId: 'run' } },
      meta({
        terminal_output: { terminal_id: 'terminal-1', data: 'painted over ours' },
        terminal_exit: { terminal_id: 'terminal-1', exit_code: 0 },
      }),
      { request: { method: 'terminal/output', params: { sessionId: 'session-1', terminalId: 'own' } } },
      { toolUpdate: { toolCallId: 'run', status: 'completed' } },
    );
  });
});
