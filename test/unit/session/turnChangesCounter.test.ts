import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { SessionEvent, EventInput } from '../../../src/core/model/event';
import type { TurnEntry } from '../../../src/core/model/state';
import { reduce } from '../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../src/core/model/state';
import { JournalFiles } from '../../../src/session/journal/journalFiles';
import { reducePortions } from '../../../src/session/journal/journalReader';
import { Sessions } from '../../../src/session/sessions';
import { SessionStore } from '../../../src/session/state/store';
import { TurnChangesCounter } from '../../../src/session/turnChangesCounter';
import { FakeClock } from './permission/fakes';
import { fakeDependencies, launch, turn } from './fakes';

const setup = { cwd: '/w', additionalDirectories: [], mcpServers: [] };

let calls = 0;
const edit = (file: string, newText = 'new\n', oldText = 'old\n'): EventInput => ({
  type: 'tool_call_update',
  toolCallId: `call-${++calls}`,
  patch: {
    kind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', changes: [{ operation: 'modify', path: file, oldText, newText }] }],
  },
});
const start = (turnId: string): EventInput => ({ type: 'turn_started', turnId });
const end = (turnId: string): EventInput => ({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
const filesOf = ({ state }: SessionStore, turnId: string): string[] | undefined =>
  (state.entries.get(`turn:${turnId}`) as TurnEntry).changes?.files.map((file) => file.path);

function stage(): { clock: FakeClock; store: SessionStore; counter: TurnChangesCounter; told: SessionEvent[] } {
  const clock = new FakeClock();
  const store = new SessionStore(clock);
  const told: SessionEvent[] = [];
  store.onEvents((_, events) => told.push(...events));
  store.append({ type: 'session_ready', sessionId: 's' });
  return { clock, store, counter: new TurnChangesCounter(store, clock), told };
}

/** Loads the code that counts, which is otherwise loaded with a conversation's first entry. */
const loaded = async (): Promise<void> => {
  await import('../../../src/session/turnChangesCounter');
  await turn();
};

describe('the changes of a turn, computed after its end', () => {
  it('do not delay the append: no text is read before it returns', () => {
    const { clock, store } = stage();
    let looked = 0;
    const watched = (text: string): string =>
      new Proxy<object>(Object(text) as object, {
        get: (target, name) => {
          looked++;
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }) as unknown as string;
    store.append(start('t'), edit('/w/a', watched('b\n'), watched('a\n')));
    looked = 0;
    for (const event of [end('t'), { type: 'session_ended' } as const]) {
      store.append(event);
    }
    assert.equal(looked, 0);
    assert.equal(filesOf(store, 't'), undefined);
    clock.pass(1);
    assert.ok(looked > 0);
    assert.deepEqual(filesOf(store, 't'), ['/w/a']);
  });

  it('are assigned to their own turn, however many have followed', () => {
    const { clock, store, told } = stage();
    store.append(start('1'), edit('/w/a'), end('1'));
    store.append(start('2'), edit('/w/b'), end('2'));
    store.append(start('3'), edit('/w/c'));
    clock.pass(1);
    assert.deepEqual([filesOf(store, '1'), filesOf(store, '2')], [['/w/a'], ['/w/b']]);
    assert.equal(store.state.turn?.turnId, '3');
    assert.deepEqual(told.reduce(reduce, EMPTY_STATE).entries, store.state.entries);
    store.append(end('3'));
    clock.pass(1);
    assert.deepEqual(filesOf(store, '3'), ['/w/c']);
    assert.equal(told.filter(({ type }) => type === 'turn_changes').length, 3);
  });

  it('show the conversation at the end of the turn', () => {
    const { clock, store } = stage();
    store.append(start('t'), edit('/w/a'), { type: 'file_written', file: { path: '/w/w', operation: 'add', added: 1, removed: 0 } });
    store.append(end('t'));
    store.append(edit('/w/late'));
    clock.pass(1);
    assert.deepEqual(filesOf(store, 't'), ['/w/a', '/w/w']);
    assert.equal((store.state.entries.get('turn:t') as TurnEntry).written, undefined);
  });

  it('are computed in portions, with other work in between', () => {
    const { clock, store, counter } = stage();
    store.append(start('t'), ...Array.from({ length: 50 }, (_, index) => edit(`/w/${index}`)), end('t'));
    let looks = 0;
    const now = clock.now.bind(clock);
    // Each file takes 3 ms.
    clock.now = () => now() + 3 * looks++;
    const after = clock.after.bind(clock);
    let portions = 0;
    clock.after = (ms, callback) => {
      portions++;
      return after(ms, callback);
    };
    clock.pass(1);
    assert.equal(filesOf(store, 't')?.length, 50);
    assert.ok(portions > 10, `${portions} portions`);
    counter.dispose();
  });

  it('are missing for a turn without files, and for one that was removed', () => {
    const { clock, store, told } = stage();
    store.append(start('t'), end('t'));
    clock.pass(1);
    store.append(start('t2'), edit('/w/a'), end('t2'));
    store.replace([], EMPTY_STATE);
    clock.pass(1);
    store.append({ type: 'turn_changes', turnId: 't2', changes: { files: [{ path: '/w/a', operation: 'modify' }] } });
    assert.equal(store.state, EMPTY_STATE);
    assert.equal(told.filter(({ type }) => type === 'turn_changes').length, 1);
  });

  it('are computed later when the window closes first', async () => {
    const before = fakeDependencies();
    const first = new Sessions(before.deps);
    const session = first.create(launch(), setup);
    before.agents[0]!.open();
    const { store } = session;
    store.append(
      start('1'),
      edit('/w/a'),
      { type: 'file_written', file: { path: '/w/w', operation: 'add', added: 3, removed: 0 } },
      end('1'),
    );
    store.append(start('2'), edit('/w/b'));
    first.dispose();
    await turn();
    assert.ok(!before.journals.get(session.key)!.includes('turn_changes'));

    const after = fakeDependencies();
    before.journals.forEach((text, key) => after.journals.set(key, text));
    const restored = (await new Sessions(after.deps).restore(session.key))!;
    await loaded();
    after.clock.pass(1);
    assert.deepEqual([filesOf(restored.store, '1'), filesOf(restored.store, '2')], [['/w/a', '/w/w'], ['/w/b']]);
    after.clock.pass(100);
    await turn();

    // The changes are counted only once.
    const again = fakeDependencies();
    after.journals.forEach((text, key) => again.journals.set(key, text));
    const { store: last } = (await new Sessions(again.deps).restore(session.key))!;
    await loaded();
    const { seq } = last;
    again.clock.pass(100);
    assert.equal(last.seq, seq);
    assert.deepEqual(filesOf(last, '1'), ['/w/a', '/w/w']);
  });

  it('are written before the window closes, if there is time', async () => {
    const fakes = fakeDependencies();
    const sessions = new Sessions(fakes.deps);
    const session = sessions.create(launch(), setup);
    session.store.append(start('1'), edit('/w/a'), end('1'));
    await sessions.flush();
    assert.ok(fakes.journals.get(session.key)!.includes('turn_changes'));
  });

  it('add nothing to the journals of version 0.1.0, which stored them with the end of the turn', async () => {
    const folder = path.join(__dirname, '../../fixtures/earlierVersions/journals');
    const files = new JournalFiles(folder);
    for (const name of readdirSync(folder)) {
      const clock = new FakeClock();
      const store = new SessionStore(clock);
      const { state, next } = (await reducePortions(files.portions(path.basename(name, '.jsonl'))))!;
      store.adopt(state, next);
      new TurnChangesCounter(store, clock).flush();
      assert.equal(store.seq, next, name);
    }
  });
});
