/** The messages of an agent and their display in the session. The events of each scenario are in test/golden/scenarios/conversation/. */
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const CALC = 'export function add(a, b) {\n  return a - b;\n}\n';
const EDIT = { toolCallId: 'edit-1', title: 'Edit calc.js' };

scenarios('conversation', (scenario) => {
  scenario('hello', {}, async (stage) => {
    await stage.turn({ say: 'Hello' }, { say: ', world' });
  });

  scenario('markdown-stream', {}, async (stage) => {
    await stage.turn({ chunks: ['# Title\n\nSome **bo', 'ld** text and\n\n```js\nlet a', ' = 1;\n```\n', '🎉 漢字'] });
  });

  scenario('thought', {}, async (stage) => {
    await stage.turn({ think: 'Let me ' }, { think: 'see.' }, { say: 'Done.' }, { think: 'Or not?' });
  });

  scenario('messages-split', {}, async (stage) => {
    await stage.turn(
      { say: 'before' },
      { tool: { toolCallId: 'one', title: 'One', status: 'completed' } },
      { say: 'after' },
      { update: { sessionUpdate: 'agent_message_chunk', messageId: 'own', content: { type: 'text', text: 'named' } } },
      { update: { sessionUpdate: 'agent_message_chunk', messageId: 'own', content: { type: 'text', text: ' still' } } },
    );
  });

  scenario('echo-of-the-prompt', {}, async (stage) => {
    const user = (text: string, messageId?: string): Step => ({
      update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text }, ...(messageId !== undefined && { messageId }) },
    });
    await stage.turn(user('@script '), user('[{', 'own'), { think: 'Hmm.' }, user('"update"', 'own'), { say: 'Answer.' });
    await stage.turn(user('@script ', 'other'), user('of mine', 'other'), { say: 'Answer.' });
  });

  scenario('tool-call', {}, async (stage) => {
    await stage.turn(
      {
        tool: {
          toolCallId: 'read-1',
          title: 'Read',
          kind: 'read',
          status: 'pending',
          locations: [{ path: '${cwd}/a.js', line: 3 }],
          rawInput: { path: 'a.js' },
        },
      },
      { toolUpdate: { toolCallId: 'read-1', status: 'in_progress' } },
      {
        toolUpdate: {
          toolCallId: 'read-1',
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: 'body' } }],
          rawOutput: { lines: 1 },
        },
      },
    );
  });

  scenario('tool-update-before-call', {}, async (stage) => {
    await stage.turn(
      { toolUpdate: { toolCallId: 'early', status: 'in_progress', title: 'Early' } },
      { tool: { toolCallId: 'early', title: 'Named late', kind: 'search', status: 'completed' } },
    );
  });

  scenario('diff', {}, async (stage) => {
    await stage.turn(
      {
        tool: {
          ...EDIT,
          kind: 'edit',
          content: [{ type: 'diff', path: '${cwd}/calc.js', oldText: CALC, newText: CALC.replace('-', '+') }],
        },
      },
      { toolUpdate: { toolCallId: 'edit-1', content: [{ type: 'diff', path: '${cwd}/new.js', newText: 'new\n' }], status: 'completed' } },
    );
  });

  scenario('plan-replaced', {}, async (stage) => {
    const entry = (content: string, status: string) => ({ content, status, priority: 'medium' });
    await stage.turn(
      { plan: [entry('one', 'in_progress'), entry('two', 'pending')] },
      { plan: [entry('one', 'completed'), entry('three', 'sleeping')] },
    );
  });

  scenario('unknown-update', {}, async (stage) => {
    await stage.turn(
      { update: { sessionUpdate: 'hologram', angle: 42 } },
      { raw: { jsonrpc: '2.0', method: '_vendor/ping', params: { sessionId: 'session-1', n: 1 } } },
    );
  });

  scenario('unknown-content', {}, async (stage) => {
    await stage.turn(
      { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'smell', of: 'roses' } } },
      { tool: { toolCallId: 'odd', title: 'Odd', content: [{ type: 'sculpture', of: 'stone' }] } },
    );
  });

  const modes = {
    currentModeId: 'ask',
    availableModes: [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code' },
    ],
  };

  const models = {
    currentModelId: 'small',
    availableModels: [
      { modelId: 'small', name: 'Small' },
      { modelId: 'large', name: 'Large', description: 'Slower' },
    ],
  };
  const thinking = { type: 'boolean', id: 'think', name: 'Thinking', currentValue: false } as const;
  scenario('models-of-before-options', { setup: { new: { models } as object } }, async (stage) => {
    await stage.ready();
    stage.setConfig('$model', 'large');
    await stage.seen('config_value');
    // A list of options without the models does not change the models.
    await stage.turn({ config: [thinking] });
  });

  const own = {
    type: 'select',
    id: 'm',
    category: 'model',
    name: 'Model',
    currentValue: 'a',
    options: [{ value: 'a', name: 'A' }],
  } as const;
  scenario('models-that-are-an-option', { setup: { new: { models, configOptions: [own] } as object } }, async (stage) => {
    await stage.ready();
  });

  scenario('modes', { setup: { new: { modes } } }, async (stage) => {
    await stage.ready();
    stage.setConfig('$mode', 'code');
    await stage.seen('config_value', ({ value }) => value === 'code');
    await stage.turn({ mode: 'ask' });
  });

  const verbose = { type: 'boolean' as const, id: 'verbose', name: 'Verbose', currentValue: false };

  const model = {
    type: 'select' as const,
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'small',
    options: [
      {
        group: 'g',
        name: 'Group',
        options: [
          { value: 'small', name: 'Small' },
          { value: 'large', name: 'Large' },
        ],
      },
    ],
  };

  scenario('config-options', { setup: { new: { configOptions: [verbose, model] } } }, async (stage) => {
    await stage.ready();
    stage.setConfig('verbose', true);
    await stage.seen('config_options', ({ options }) => options.some((option) => option.type === 'boolean' && option.currentValue));
    stage.setConfig('model', 'large');
    await stage.seen('config_options', ({ options }) =>
      options.some((option) => option.type === 'select' && option.currentValue === 'large'),
    );
    stage.setConfig('colour', 'red');
    await stage.seen('notice');
    await stage.turn({ config: [model, { type: 'dial', id: 'd', name: 'Dial', currentValue: 3 }] });
  });

  scenario('commands-usage-info', {}, async (stage) => {
    await stage.turn(
      {
        commands: [
          { name: 'go', description: 'Goes' },
          { name: 'find', description: 'Finds', input: { hint: 'what' } },
        ],
      },
      { usage: { used: 100, size: 1000, cost: { amount: 0.5, currency: 'EUR' } } },
      { info: { title: 'A title', updatedAt: '2026-01-02T03:04:05Z' } },
      { info: { title: null } },
      { notice: { severity: 'warning', title: 'Careful', description: 'It is hot' } },
    );
  });
});
