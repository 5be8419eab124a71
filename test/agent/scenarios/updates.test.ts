/**
 * Every stable update in its unusual forms: how it is shown, and that no part of it is lost. The texts are in
 * test/golden/scenarios/updates/.
 */
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const text = (said: string): { type: 'text'; text: string } => ({ type: 'text', text: said });

/** A message chunk with these additional fields. */
const chunk = (role: 'agent_message' | 'agent_thought' | 'user_message', said: string, fields: object = {}): Step => ({
  update: { sessionUpdate: `${role}_chunk`, content: text(said), ...fields },
});

const all = (...updates: Record<string, unknown>[]): Step[] => updates.map((update) => ({ update }));

scenarios('updates', (scenario) => {
  scenario('kinds-unknown', {}, async (stage) => {
    await stage.turn(
      { say: 'one ' },
      ...all(
        { sessionUpdate: '_vendor.example/mood', mood: 'curious', _meta: { a: 1 } },
        { sessionUpdate: 'tool_call_teleport', toolCallId: 'x' },
        { sessionUpdate: '', why: 'no name' },
        { sessionUpdate: 7 },
        { content: text('no kind at all') },
        { sessionUpdate: 'AGENT_MESSAGE_CHUNK', content: text('wrong letters') },
      ),
      { say: 'two' },
    );
  });

  scenario('message-ids', {}, async (stage) => {
    await stage.turn(
      chunk('agent_message', 'no id, '),
      chunk('agent_message', 'still none', { messageId: null }),
      chunk('agent_message', 'a1 ', { messageId: 'a' }),
      chunk('agent_message', 'b1 ', { messageId: 'b' }),
      chunk('agent_message', 'a2 ', { messageId: 'a' }),
      chunk('agent_message', 'b2', { messageId: 'b' }),
      chunk('agent_message', 'none again'),
    );
    await stage.turn(chunk('agent_message', 'a3, a turn later', { messageId: 'a' }));
  });

  scenario('message-ids-odd', {}, async (stage) => {
    await stage.turn(
      chunk('agent_message', 'said', { messageId: 'same' }),
      chunk('agent_thought', 'thought', { messageId: 'same' }),
      chunk('user_message', 'typed', { messageId: 'same' }),
      chunk('agent_message', ' on', { messageId: 'same' }),
      chunk('agent_message', 'empty id', { messageId: '' }),
      { tool: { toolCallId: 'between', title: 'Between' } },
      chunk('agent_message', 'empty id after a tool call', { messageId: '' }),
      chunk('agent_message', 'a number', { messageId: 12 }),
      chunk('agent_message', ' an object', { messageId: { id: 1 } }),
    );
    await stage.turn(chunk('agent_message', 'empty id in the next turn', { messageId: '' }));
  });

  scenario('messages-split', {}, async (stage) => {
    await stage.turn(
      { say: 'one' },
      { think: 'hm' },
      { say: 'two' },
      { usage: { used: 1, size: 2 } },
      { plan: [] },
      { commands: [] },
      { info: { title: 'T' } },
      { say: ', still two' },
      { tool: { toolCallId: 't', title: 'T' } },
      { say: 'three' },
      { toolUpdate: { toolCallId: 't', status: 'completed' } },
      { say: ', still three' },
      { permission: { toolCall: { toolCallId: 't' } } },
      { say: 'four' },
    );
  });

  scenario('chunks-odd', {}, async (stage) => {
    const agent = (content: unknown): Record<string, unknown> => ({ sessionUpdate: 'agent_message_chunk', content });
    await stage.turn(
      ...all(
        agent(text('')),
        agent([text('a list '), text('of two'), { type: 'image', data: 'AA==', mimeType: 'image/png' }]),
        agent(' a bare string'),
        agent([]),
        agent(null),
        agent(5),
        agent({ text: 'no type' }),
        agent({ type: 'text', text: 7 }),
        { sessionUpdate: 'agent_message_chunk' },
        { sessionUpdate: 'agent_message_chunk', text: 'beside content' },
        agent(text('end')),
      ),
    );
  });

  scenario(
    'prompt-echoed',
    { setup: { script: [chunk('user_message', 'Please '), chunk('user_message', 'do it'), { say: 'Done.' }] } },
    async (stage) => {
      await stage.ready();
      stage.prompt('Please do it');
      await stage.turnEnd();
      stage.prompt('Please do something else');
      await stage.turnEnd();
    },
  );

  scenario('content-kinds', {}, async (stage) => {
    const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z', later: true };
    const blocks = [
      { type: 'text', text: 'words', annotations, _meta: { t: 1 } },
      { type: 'image', data: 'AA==', mimeType: 'image/png', uri: null, annotations },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav', annotations: null },
      {
        type: 'resource_link',
        uri: 'file:///a.txt',
        name: 'a.txt',
        title: 'A',
        description: 'The a',
        mimeType: 'text/plain',
        size: 3,
        icons: [],
      },
      { type: 'resource_link', uri: 'file:///nameless', size: '3' },
      { type: 'resource', resource: { uri: 'file:///b.txt', mimeType: 'text/plain', text: 'b', _meta: { inner: 1 } }, _meta: { outer: 1 } },
      { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'AA==' }, annotations },
    ];
    await stage.turn(
      ...blocks.map((content): Step => ({ update: { sessionUpdate: 'agent_message_chunk', content } })),
      { tool: { toolCallId: 't', title: 'T', content: blocks.map((content) => ({ type: 'content', content })) } },
      { tool: { toolCallId: 'bare', title: 'Bare blocks', content: blocks } },
    );
  });

  scenario('content-unknown', {}, async (stage) => {
    const odd = [
      { type: 'hologram', angle: 3 },
      { type: '_vendor/chart', points: [1, 2] },
      { type: 'image', data: 5, mimeType: 'image/png' },
      { type: 'audio', mimeType: 'audio/wav' },
      { type: 'resource_link', name: 'no uri' },
      { type: 'resource', resource: { uri: 'file:///neither' } },
      { type: 'resource', resource: 'file:///a' },
    ];
    await stage.turn(
      ...odd.map((content): Step => ({ update: { sessionUpdate: 'agent_thought_chunk', content } })),
      { tool: { toolCallId: 't', title: 'T', content: odd.map((content) => ({ type: 'content', content })) } },
      {
        tool: {
          toolCallId: 'u',
          title: 'U',
          content: [...odd, { type: 'content' }, { type: 'terminal' }, { type: 'diff', path: 1 }, null, 3, 'bare text'],
        },
      },
      { tool: { toolCallId: 'v', title: 'V', content: { type: 'content', content: text('not in a list') } } },
      { tool: { toolCallId: 'w', title: 'W', content: 'just a string' } },
      { tool: { toolCallId: 'x', title: 'X', content: 12 } },
    );
  });

  scenario('plan', {}, async (stage) => {
    const entry = (content: unknown, status: unknown = 'pending', priority: unknown = 'medium'): object => ({ content, status, priority });
    await stage.turn(
      { plan: [entry('one', 'in_progress'), entry('two')] },
      { plan: [entry('instead', 'completed', 'high')] },
      { plan: [] },
      {
        plan: [
          entry('odd words', 'dreaming', 'someday'),
          entry('no words', null, undefined),
          entry(7),
          'a string',
          null,
          { step: 'no content' },
        ],
      },
      { plan: Array.from({ length: 500 }, (_, index) => entry(`step ${index + 1}`)) },
      ...all(
        { sessionUpdate: 'plan', entries: { 0: entry('an object') } },
        { sessionUpdate: 'plan' },
        { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# From a draft' } },
        { sessionUpdate: 'plan_removed', planId: 'p' },
      ),
    );
  });

  scenario('commands', {}, async (stage) => {
    const command = (name: unknown, fields: object = {}): object => ({ name, description: `Does ${String(name)}`, ...fields });
    await stage.turn(
      { commands: [command('go'), command('stop')] },
      { commands: [command('go'), command('go', { description: 'Goes again' })] },
      {
        commands: [
          command('/slashed'),
          command('with space', { input: { hint: 'what' } }),
          command('mcp:server/tool'),
          command('', { input: null }),
          command('hintless', { input: {} }),
          command('odd', { description: 5, input: { hint: 5, type: 'unstructured' } }),
          command(9),
          null,
          'bare',
        ],
      },
      ...all({ sessionUpdate: 'available_commands_update', availableCommands: null }, { sessionUpdate: 'available_commands_update' }),
      { commands: [] },
    );
  });

  const modes = {
    currentModeId: 'ask',
    availableModes: [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code', description: null },
    ],
  };

  scenario('modes', { setup: { new: { modes } } }, async (stage) => {
    await stage.turn(
      { mode: 'code' },
      ...all(
        { sessionUpdate: 'current_mode_update', modeId: 'ask' },
        { sessionUpdate: 'current_mode_update', currentModeId: 'code', modeId: 'ask' },
        { sessionUpdate: 'current_mode_update', currentModeId: 'unheard-of' },
        { sessionUpdate: 'current_mode_update', currentModeId: null },
        { sessionUpdate: 'current_mode_update', currentModeId: 3 },
      ),
    );
  });

  scenario('modes-never-listed', {}, async (stage) => {
    await stage.turn({ mode: 'yolo' });
  });

  scenario('config', {}, async (stage) => {
    const select = (id: string, options: unknown, fields: object = {}): object => ({
      type: 'select',
      id,
      name: id.toUpperCase(),
      currentValue: 'a',
      options,
      ...fields,
    });
    const [a, b] = [
      { value: 'a', name: 'A' },
      { value: 'b', name: 'B', description: 'The b' },
    ];
    await stage.turn(
      {
        config: [
          select('flat', [a, b]),
          select('grouped', [
            { group: 'g', name: 'G', options: [a] },
            { group: 'h', name: 'H', options: [b] },
          ]),
        ],
      },
      { config: [select('only', [a])] },
      {
        config: [
          select('mixed', [a, { group: 'g', name: 'G', options: [b] }, a]),
          select('elsewhere', [b]),
          select('empty', []),
          select('twice', [a]),
          select('twice', [b], { currentValue: 'b' }),
          select('odd', [a, { name: 'no value' }, 'a', null], { category: 'weather', description: null }),
          select('no-options', null),
          select('number', [a], { currentValue: 4 }),
          { type: 'boolean', id: 'flag', name: 'Flag', currentValue: true, category: 'model_config' },
          { type: 'boolean', id: 'flagged', name: 'Flagged', currentValue: 'yes' },
          { type: 'slider', id: 'dial', name: 'Dial', currentValue: 3, min: 0, max: 9 },
          { id: 'typeless', name: 'Typeless', currentValue: 'a', options: [a] },
          { type: 'select', name: 'No id', currentValue: 'a', options: [a] },
          null,
        ],
      },
      ...all(
        { sessionUpdate: 'config_option_update', configOptions: 'none' },
        { sessionUpdate: 'config_option_update', configOptions: null },
      ),
      { config: [] },
    );
  });

  scenario('session-info', {}, async (stage) => {
    await stage.turn(
      { info: { title: 'One', updatedAt: '2026-01-02T03:04:05Z' } },
      { info: { title: 'Two' } },
      { info: { updatedAt: null } },
      { info: { _meta: { only: 'meta' } } },
      { info: { title: 5, updatedAt: {}, mood: 'good' } },
      { info: { title: null } },
      { info: { title: '' } },
      { info: {} },
    );
  });

  scenario('usage', {}, async (stage) => {
    const usage = (fields: object): Record<string, unknown> => ({ sessionUpdate: 'usage_update', ...fields });
    await stage.turn(
      ...all(
        usage({ used: 10, size: 0 }),
        usage({ used: 300, size: 200, cost: { amount: 0.25, currency: 'EUR', _meta: { by: 'token' } } }),
        usage({ used: -5, size: -10 }),
        usage({ used: 1.5, size: 100, cost: null }),
        usage({ used: 1, size: 100, cost: { amount: '3', currency: 'USD' } }),
        usage({ used: 1, size: 100, cost: { amount: 3 } }),
        usage({ used: 1, size: 100, cost: { amount: 12, currency: 'credits' } }),
        usage({ used: '1', size: '100' }),
        usage({ size: 100 }),
        usage({ used: 2 }),
      ),
      {
        raw: '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":{"sessionUpdate":"usage_update","used":1e999,"size":2}}}',
      },
    );
  });

  scenario('notices', {}, async (stage) => {
    await stage.turn(
      ...['info', 'warning', 'error', 'catastrophe', '_vendor/nudge'].map(
        (severity): Step => ({ notice: { severity, title: `A ${severity}` } }),
      ),
      { notice: { title: 'No severity' } },
      { notice: { severity: 3, title: 'A number', description: { not: 'text' } } },
      { notice: { severity: 'info', title: '', description: 'Only described' } },
      { notice: { severity: 'info', title: '' } },
      { notice: { severity: 'info', description: 'No title' } },
      { notice: { severity: 'info', title: 'Described', description: null, _meta: { n: 1 }, link: 'https://example.com' } },
    );
  });

  const compaction = (fields: object): Record<string, unknown> => ({ sessionUpdate: 'compaction_update', ...fields });
  const summary = (compactionId: string, content: unknown): Record<string, unknown> => ({
    sessionUpdate: 'compaction_summary_chunk',
    compactionId,
    content,
  });

  scenario('compaction', {}, async (stage) => {
    await stage.turn(
      { say: 'before' },
      ...all(
        summary('c', text('a chunk ')),
        summary('c', text('before the update')),
        compaction({ compactionId: 'c', status: 'in_progress' }),
        summary('c', { type: 'hologram' }),
        compaction({ compactionId: 'c', status: 'completed', summary: [text('replaced')], _meta: { saved: 100 } }),
      ),
      { say: 'after' },
    );
    await stage.turn(
      ...all(
        compaction({ compactionId: 'c', status: 'completed', summary: null }),
        compaction({ compactionId: 'd', status: 'completed', summary: [] }),
      ),
    );
  });

  scenario('compaction-ends', {}, async (stage) => {
    await stage.turn(
      ...all(
        compaction({ compactionId: 'failed', status: 'failed', error: 'out of tokens' }),
        compaction({ compactionId: 'failed', status: 'in_progress', error: null }),
        compaction({ compactionId: 'cancelled', status: 'cancelled' }),
        compaction({ compactionId: 'unknown', status: 'postponed' }),
        compaction({ compactionId: 'typeless', status: 4, summary: 'a string', error: 5 }),
        compaction({ status: 'completed' }),
        summary('contentless', null),
        summary('text', 'bare text'),
        compaction({ compactionId: 'left', status: 'in_progress' }),
      ),
    );
  });
});
