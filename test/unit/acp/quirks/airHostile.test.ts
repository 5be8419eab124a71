/** Messages of the extension contract with wrong, missing and hostile values: none of them is lost, trusted or more than one message's harm. */
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { backgroundItems } from '../../../../src/core/background/backgroundItems';
import { isSessionEvent, type SessionEvent } from '../../../../src/core/model/event';
import { isAbsent, type TurnEntry } from '../../../../src/core/model/state';
import { Scene, text } from '../v2/scene';

type Fields = Readonly<Record<string, unknown>>;

const MARK = 'MARK-7f3a';
const air = (parts: object) => ({ jetbrains: { air: { version: 1, ...parts } } });
const failure = { id: 'f', revision: 1, category: 'limit', severity: 'error', title: 'Overloaded', details: 'Busy', actions: ['retry'] };

const UPDATES: readonly Fields[] = [
  {
    ...{ sessionUpdate: 'async_task_spawned', asyncTaskId: 't', name: 'npm run dev', taskType: 'shell', description: 'Dev server' },
    ...{ canStop: true, toolCallId: 'c', outputFilePath: '/tmp/t' },
  },
  { sessionUpdate: '_async_task_progress', asyncTaskId: 't', summary: 'Listening' },
  { sessionUpdate: 'async_task_state_update', asyncTaskId: 't', state: 'completed' },
  {
    sessionUpdate: 'subagent_spawned',
    subagentSessionId: 'x',
    name: 'Explore',
    task: 'Find it',
    prompt: 'All',
    state: 'x',
    capabilities: {},
  },
  {
    sessionUpdate: 'subagent_state_update',
    subagentSessionId: 'x',
    state: 'completed',
    name: 'N',
    task: 'T',
    prompt: 'P',
    capabilities: {},
  },
  { sessionUpdate: 'session_info_update', title: 'T', _meta: air({ sessionFailure: failure }) },
  { sessionUpdate: 'session_info_update', _meta: { promptSuggestions: { suggestions: [{ text: 'Run it' }] } } },
  {
    sessionUpdate: 'config_option_update',
    configOptions: [
      {
        ...{ id: 'm', name: 'M', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }] },
        _meta: air({ recommendedValue: 'a' }),
      },
    ],
  },
];

/** A session of version 1 with a message of the user, and the events that it appends from now on. */
function asked(): { readonly scene: Scene; readonly events: SessionEvent[] } {
  const scene = new Scene();
  scene.reply({ protocolVersion: 1, agentCapabilities: {} });
  scene.reply({ protocolVersion: 1, agentCapabilities: {} });
  scene.reply({ sessionId: 's' });
  assert.equal(scene.session.prompt(text('question')), undefined);
  const events: SessionEvent[] = [];
  scene.session.store.onEvents((_, added) => events.push(...added));
  return { scene, events };
}

function assertAlive(scene: Scene, events: readonly SessionEvent[]): void {
  for (const event of events) {
    const json = JSON.stringify(event);
    assert.ok(isSessionEvent(event) && isSessionEvent(JSON.parse(json)), json);
  }
  scene.reply({ stopReason: 'end_turn' }, 'session/prompt');
  assert.deepEqual([scene.state.status, scene.state.turn], ['ready', undefined]);
}

function turnsOf({ state }: Scene): readonly TurnEntry[] {
  return [...state.entries].flatMap((entry) => (entry.kind === 'turn' && !isAbsent(entry) ? [entry] : []));
}

describe('a message of the extension contract', () => {
  for (const update of UPDATES) {
    it(`loses no value: ${JSON.stringify(update).slice(17, 70)}`, () => {
      const names = Object.keys(update).filter((name) => !/^(?:sessionUpdate|.*Id|_meta)$/.test(name));
      const changed = [
        ...names.flatMap((name) => [{ [name]: { a: MARK } }, { [name]: [MARK] }]),
        { unknown: MARK },
        { _meta: { a: MARK } },
      ];
      for (const each of changed) {
        const { scene, events } = asked();
        scene.update({ ...update, ...each });
        assert.match(JSON.stringify(events), new RegExp(MARK), JSON.stringify(each));
        assertAlive(scene, events);
      }
    });
  }

  it('costs itself alone, whatever its values are', () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        null,
        0,
        '',
        ' ',
        [],
        {},
        '__proto__',
        's',
        't',
        'c',
        'x',
        'stopped',
        'turn',
        '\u202e\u0000\ud800',
        air({ sessionFailure: failure }),
      ),
    );
    const update = fc
      .record({ base: fc.constantFrom(...UPDATES), names: fc.array(fc.nat(9), { maxLength: 3 }), value: odd })
      .map(({ base, names, value }) => {
        const keys = Object.keys(base).slice(1);
        return { ...base, ...Object.fromEntries(names.map((index) => [keys[index % keys.length]!, value])) };
      });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('s', 's', 'x', 'unknown'), update), { maxLength: 20 }), odd, (updates, meta) => {
        const { scene, events } = asked();
        updates.forEach(([id, each]) => scene.update(each, id));
        backgroundItems(scene.state);
        scene.reply({ stopReason: 'end_turn', _meta: meta }, 'session/prompt');
        assertAlive(scene, events);
      }),
    );
  });

  it('has actions of a failure that are words alone: an address, a command or a list does nothing', () => {
    for (const actions of [
      ['https://evil.test', 'command:workbench.action.quit', 'file:///etc/passwd'],
      'login',
      [{ login: true }],
      { login: 1 },
    ]) {
      const { scene, events } = asked();
      scene.reply({ stopReason: 'end_turn', _meta: air({ sessionFailure: { ...failure, actions } }) }, 'session/prompt');
      const [turn] = turnsOf(scene);
      assert.deepEqual([turn?.stopReason, turn?.failure?.code], ['error', 'turn.failed']);
      events.forEach((event) => assert.ok(isSessionEvent(event)));
    }
  });
});

describe('Stop of a background task', () => {
  const spawned = { ...UPDATES[0]! };
  const itemOf = ({ state }: Scene) => backgroundItems(state).find(({ taskId }) => taskId === 't');
  const noticesOf = ({ state }: Scene) => [...state.entries].filter(({ kind }) => kind === 'notice').length;
  const stopping = (): Scene => {
    const { scene } = asked();
    scene.update(spawned);
    scene.session.stopTask('t');
    scene.session.stopTask('t');
    scene.session.stopTask('another');
    assert.equal(scene.sentBy('_session/async_task/stop').length, 1);
    assert.deepEqual([itemOf(scene)?.status, itemOf(scene)?.canStop], ['stopping', false]);
    return scene;
  };

  it('is possible again after an error, a refusal and a timeout', () => {
    for (const answer of [
      (scene: Scene) => scene.fail(-32601, undefined, '_session/async_task/stop'),
      (scene: Scene) => scene.reply({ stopped: false }, '_session/async_task/stop'),
      (scene: Scene) => scene.transport.feed({ jsonrpc: '2.0', id: scene.sentBy('_session/async_task/stop')[0]!.id, result: [] }),
      (scene: Scene) => scene.fakes.clock.pass(60_000),
    ]) {
      const scene = stopping();
      answer(scene);
      assert.deepEqual([itemOf(scene)?.status, itemOf(scene)?.canStop, noticesOf(scene)], ['running', true, 1]);
    }
  });

  it('waits for the report of the end, which may come before the answer and twice', () => {
    const scene = stopping();
    scene.reply({}, '_session/async_task/stop');
    assert.equal(itemOf(scene)?.status, 'stopping');
    const late = stopping();
    late.update({ sessionUpdate: 'async_task_state_update', asyncTaskId: 't', state: 'stopped' });
    late.update({ sessionUpdate: 'async_task_state_update', asyncTaskId: 't', state: 'stopped' });
    late.fail(-32602, undefined, '_session/async_task/stop');
    assert.deepEqual([itemOf(late)?.status, itemOf(late)?.canStop, noticesOf(late)], ['stopped', false, 0]);
  });

  it('names the task of the same session, also where another session has its id', () => {
    const { scene } = asked();
    const other = scene.another('other');
    scene.update(spawned);
    scene.update({ ...spawned, canStop: false }, 'other');
    other.stopTask('t');
    assert.deepEqual(scene.sentBy('_session/async_task/stop'), []);
    scene.session.stopTask('t');
    assert.deepEqual(scene.sentBy('_session/async_task/stop')[0]!.params, { sessionId: 's', asyncTaskId: 't' });
  });
});
