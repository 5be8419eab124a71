/** Earlier sessions: listed, replayed, resumed, deleted. The events of each scenario are in test/golden/scenarios/earlier/. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { failureOf } from '../../../src/core/model/failure';
import { bareAgent } from '../../support/scenario/agents';
import type { Stage } from '../../support/scenario/stage';
import type { Setup } from '../scripted/agent';
import type { StoredSession } from '../scripted/stored';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

type Offer = 'list' | 'load' | 'resume' | 'close' | 'delete' | 'additionalDirectories';

/** The scripted agent with these capabilities, and these earlier sessions. */
function keeper(offers: readonly Offer[], stored: readonly StoredSession[], more: Setup = {}): Setup {
  const flags = Object.fromEntries(offers.filter((offer) => offer !== 'load').map((offer) => [offer, {}]));
  return { initialize: { agentCapabilities: { loadSession: offers.includes('load'), sessionCapabilities: flags } }, stored, ...more };
}

const chunk = (kind: 'user' | 'agent', text: string, messageId?: string): Step => ({
  update: { sessionUpdate: `${kind}_message_chunk`, content: { type: 'text', text }, ...(messageId !== undefined && { messageId }) },
});

const OLD = { sessionId: 'old-1', title: 'An old one', updatedAt: '2026-01-02T03:04:05Z' };

const KNOWN = { sessionId: OLD.sessionId };

/** A whole conversation, as three kinds of agents replay it. */
const TOLD: Readonly<Record<string, Step[]>> = {
  'with-ids': [
    chunk('user', 'Fix ', 'u1'),
    chunk('user', 'it', 'u1'),
    chunk('agent', 'On ', 'a1'),
    chunk('agent', 'it', 'a1'),
    chunk('user', 'And test', 'u2'),
    chunk('agent', 'Tested', 'a2'),
  ],
  'without-ids': [
    chunk('user', 'Fix '),
    chunk('user', 'it'),
    chunk('agent', 'On '),
    chunk('agent', 'it'),
    chunk('user', 'And test'),
    chunk('agent', 'Tested'),
  ],
  'with-tools-and-thoughts': [
    chunk('user', 'Fix it'),
    { think: 'Hmm.' },
    {
      tool: {
        toolCallId: 't1',
        title: 'Read',
        kind: 'read',
        status: 'completed',
        locations: [{ path: '${cwd}/a.js' }],
        rawInput: { path: 'a.js' },
        rawOutput: 'text',
      },
    },
    {
      tool: {
        toolCallId: 't2',
        title: 'Run',
        kind: 'execute',
        status: 'failed',
        content: [{ type: 'content', content: { type: 'text', text: 'exit 1' } }],
      },
    },
    { tool: { toolCallId: 't3', title: 'Never finished', status: 'in_progress' } },
    chunk('agent', 'Done'),
    { plan: [{ content: 'one', status: 'completed', priority: 'medium' }] },
    { commands: [{ name: 'go', description: 'Goes' }] },
    { usage: { used: 10, size: 100 } },
    { info: { title: 'Its own title' } },
    { update: { sessionUpdate: 'hologram', angle: 42 } },
  ],
};

/** Sends a message to a session, and then one that crashes the agent. */
async function crash(stage: Stage): Promise<void> {
  await stage.turn({ say: 'remember me' });
  await stage.turn({ exit: 3 });
  await stage.seen('disconnected');
}

const backAgain = (stage: Stage): Promise<void> => stage.when('the session to be back', () => stage.session.store.state.status === 'ready');
const failed = (stage: Stage): Promise<void> => stage.when('the session to fail', () => stage.session.store.state.status === 'failed');

/** Prints all pages of the agent's session list. */
async function printPages(stage: Stage, folders?: readonly string[]): Promise<void> {
  const kept = stage.kept();
  const pages = kept.pages(folders);
  while (!pages.done) {
    stage.note(`page: ${JSON.stringify(await pages.next())}`);
  }
  kept.dispose();
}

scenarios('earlier', (scenario) => {
  for (const [name, replay] of Object.entries(TOLD)) {
    scenario(`load-${name}`, { setup: keeper(['load'], [{ ...OLD, replay }]), from: KNOWN }, async (stage) => {
      await stage.ready();
      await stage.turn({ say: 'going on' });
    });
  }

  const mode = {
    type: 'select' as const,
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    currentValue: 'ask',
    options: [{ value: 'ask', name: 'Ask' }],
  };
  scenario(
    'load-updates-on-both-sides-of-the-answer',
    {
      setup: keeper(
        ['load'],
        [
          {
            ...OLD,
            replay: [{ commands: [{ name: 'go', description: 'Goes' }] }, chunk('user', 'hi'), chunk('agent', 'hello')],
            after: [{ say: ', late' }, { usage: { used: 1, size: 2 } }],
            setup: { configOptions: [mode] },
          },
        ],
      ),
      from: KNOWN,
    },
    async (stage) => {
      await stage.seen('usage');
    },
  );

  const manyTold: Step[] = [chunk('user', 'count', 'u1'), { repeat: { times: 9999, steps: [chunk('agent', 'answer ${n}', 'a${n}')] } }];
  scenario('load-ten-thousand-updates', { setup: keeper(['load'], [{ ...OLD, replay: manyTold }]), from: KNOWN }, async (stage) => {
    await stage.ready();
    const { entries } = stage.session.store.state;
    assert.deepEqual([entries.length, new Set([...entries].map(({ entryId }) => entryId)).size], [10_000, 10_000]);
  });

  scenario(
    'load-answered-with-null',
    {
      launch: bareAgent({
        initialize: [{ id: '$id', result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }],
        'session/load': [
          {
            method: 'session/update',
            params: { sessionId: 'old-1', update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'hi' } } },
          },
          { id: '$id', result: null },
        ],
      }),
      from: KNOWN,
    },
    async (stage) => {
      await stage.ready();
    },
  );

  const permission: Step = {
    permission: { toolCall: { toolCallId: 't1', title: 'Write a.js', kind: 'edit', rawInput: { path: 'a.js' } } },
  };
  scenario(
    'load-with-a-permission',
    { setup: keeper(['load'], [{ ...OLD, replay: [chunk('user', 'Fix it'), permission, chunk('agent', 'Done')] }]), from: KNOWN },
    async (stage) => {
      await stage.ready();
    },
  );

  scenario(
    'load-dies-in-the-middle',
    { setup: keeper(['load'], [{ sessionId: 'session-1', replay: [chunk('user', 'half of'), { exit: 4 }] }]) },
    async (stage) => {
      await crash(stage);
      stage.act('restart');
      await failed(stage);
    },
  );

  scenario(
    'load-refused',
    { setup: keeper(['load'], [{ ...OLD, replay: [], error: { code: -32603, message: 'Internal error' } }]), from: KNOWN },
    async (stage) => {
      await failed(stage);
      stage.act('retry');
      await failed(stage);
    },
  );

  scenario('load-of-a-session-it-does-not-have', { setup: keeper(['load', 'resume'], []), from: KNOWN }, failed);

  scenario('load-not-offered', { setup: keeper(['list'], [OLD]), from: KNOWN }, failed);

  scenario(
    'load-given-up',
    { setup: keeper(['load'], [{ ...OLD, replay: [chunk('user', 'hi'), { sleep: 10_000 }, chunk('agent', 'never said')] }]), from: KNOWN },
    async (stage) => {
      // Another session keeps the agent alive, so that it receives the cancellation.
      const other = await stage.another();
      await stage.when('some of it to be told', () => stage.session.store.state.start?.updates !== undefined);
      stage.act('cancel_start');
      await failed(stage);
      await stage.answered('session/load');
      await other.end();
    },
  );

  scenario(
    'resume',
    {
      setup: keeper(
        ['resume'],
        [{ ...OLD, setup: { configOptions: [mode] }, beforeResume: [{ commands: [{ name: 'go', description: 'Goes' }] }] }],
      ),
      from: KNOWN,
    },
    async (stage) => {
      await stage.turn({ say: 'going on' });
    },
  );

  scenario(
    'crash-and-resume',
    { setup: keeper(['load', 'resume'], [{ sessionId: 'session-1', after: [{ info: { title: 'Back' } }] }]) },
    async (stage) => {
      await crash(stage);
      stage.act('restart');
      await stage.seen('session_info');
      await stage.turn({ say: 'I do' });
    },
  );

  scenario(
    'crash-and-load',
    { setup: keeper(['load'], [{ sessionId: 'session-1', replay: [chunk('user', 'remember'), chunk('agent', 'I remember')] }]) },
    async (stage) => {
      await crash(stage);
      stage.act('restart');
      await backAgain(stage);
      await stage.turn({ say: 'I do' });
    },
  );

  scenario(
    'crash-and-load-of-nothing',
    { setup: keeper(['load'], [{ sessionId: 'session-1', replay: [{ usage: { used: 1, size: 2 } }] }]) },
    async (stage) => {
      await crash(stage);
      stage.act('restart');
      await backAgain(stage);
    },
  );

  scenario(
    'crash-and-load-refused',
    { setup: keeper(['load'], [{ sessionId: 'session-1', error: { code: -32603, message: 'Internal error' } }]) },
    async (stage) => {
      await crash(stage);
      stage.act('restart');
      await backAgain(stage);
      await stage.turn({ say: 'who are you?' });
    },
  );

  scenario('crash-and-a-prompt', { setup: keeper(['resume'], [{ sessionId: 'session-1' }]) }, async (stage) => {
    await crash(stage);
    stage.submit({ say: 'as if nothing had been' });
    await stage.seen('message_chunk', ({ content }) => content.type === 'text' && content.text.startsWith('as if'));
    await stage.turnEnd();
  });

  scenario('end-and-resume', { setup: keeper(['resume', 'close'], [{ sessionId: 'session-1' }]) }, async (stage) => {
    await stage.turn({ say: 'remember me' });
    stage.note('> end');
    await stage.session.end();
    stage.act('resume');
    await backAgain(stage);
    await stage.turn({ say: 'I do' });
  });

  const many = Array.from(
    { length: 5 },
    (_, index): StoredSession => ({
      sessionId: `old-${index + 1}`,
      title: `Old ${index + 1}`,
      ...(index % 2 === 1 && { cwd: '/elsewhere' }),
    }),
  );
  scenario('list-in-pages', { setup: keeper(['list'], many, { pageSize: 2 }) }, async (stage) => {
    await stage.ready();
    await printPages(stage);
  });

  scenario('list-of-a-folder-first', { setup: keeper(['list'], many, { pageSize: 2 }) }, async (stage) => {
    await stage.ready();
    await printPages(stage, [stage.cwd]);
  });

  scenario('list-of-nobody', { setup: keeper(['list'], []) }, async (stage) => {
    await stage.ready();
    await printPages(stage);
  });

  const odd = [
    { sessionId: 'a', cwd: '/x', title: null, updatedAt: null, _meta: { n: 1 } },
    { sessionId: 'b', cwd: '/x', title: 7, additionalDirectories: 'none' },
    { sessionId: 'a', cwd: '/x' },
    { sessionId: 'c' },
    'what',
  ];
  scenario(
    'list-of-odd-things',
    {
      launch: bareAgent({
        initialize: [{ id: '$id', result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {} } } } }],
        'session/list': [
          [{ id: '$id', result: { sessions: odd, nextCursor: 'same' } }],
          [{ id: '$id', result: { sessions: [{ sessionId: 'd', cwd: '/x' }], nextCursor: 'same' } }],
        ] as never,
      }),
    },
    async (stage) => {
      await stage.ready();
      await printPages(stage);
    },
  );

  scenario(
    'list-refused',
    {
      launch: bareAgent({
        initialize: [{ id: '$id', result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {}, delete: {} } } } }],
        'session/list': [{ id: '$id', error: { code: -32603, message: 'no index' } }],
        'session/delete': [{ id: '$id', error: { code: -32603, message: 'locked' } }],
      }),
    },
    async (stage) => {
      await stage.ready();
      const kept = stage.kept();
      for (const asked of [kept.pages().next(), kept.delete('a')]) {
        await asked.catch((error: unknown) => stage.note(`refused ${JSON.stringify(failureOf(error))}`));
      }
      kept.dispose();
    },
  );

  scenario('delete', { setup: keeper(['list', 'delete'], many.slice(0, 2)) }, async (stage) => {
    await stage.ready();
    const kept = stage.kept();
    await kept.delete('old-1');
    await kept.delete('old-1');
    await kept.delete('never-was');
    kept.dispose();
    await printPages(stage);
  });

  const [docs, media, l10n] = [path.resolve('docs'), path.resolve('media'), path.resolve('l10n')];
  const readBoth: Step[] = [{ read: path.join(docs, 'missing.txt') }, { read: path.join(l10n, 'missing.txt') }];
  scenario(
    'folders',
    { setup: keeper(['resume', 'additionalDirectories'], [{ sessionId: 'session-1' }]), additionalDirectories: [docs, media, docs] },
    async (stage) => {
      await stage.turn(...readBoth);
      stage.note('> change folders');
      assert.equal(stage.session.changeFolders([l10n]), undefined);
      await backAgain(stage);
      await stage.turn(...readBoth);
      stage.frames.filter(({ text }) => text.includes('"additionalDirectories":[')).forEach(({ text }) => stage.note(`sent ${text}`));
    },
  );

  scenario('folders-it-does-not-agree-to', { setup: keeper(['load', 'additionalDirectories'], []) }, async (stage) => {
    await stage.turn({ say: 'here' });
    stage.note('> change folders');
    assert.equal(stage.session.changeFolders([l10n]), undefined);
    await stage.seen('notice');
    await stage.turn(...readBoth);
  });

  scenario('folders-it-cannot-be-told', { setup: keeper([], []), additionalDirectories: [docs] }, async (stage) => {
    await stage.turn(...readBoth);
  });
});
