/** Old entries of a long conversation are in a file, and everything reads them as before. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { EntryList, SwappedEntry } from '../../../src/core/model/entries';
import type { SessionEvent, EventInput } from '../../../src/core/model/event';
import { EMPTY_STATE, entryIdOf, type SessionState } from '../../../src/core/model/state';
import { bodiesOf, toSnapshot } from '../../../src/core/protocol/snapshot';
import { reduce } from '../../../src/core/reduce/reduce';
import { outcomeOf } from '../../../src/session/journal/sessionOutcome';
import { SessionStore } from '../../../src/session/state/store';
import { hasMore } from '../../../src/session/state/replayTarget';
import { asSubagentEvents } from '../../../src/core/subagents/innerEvents';
import { subagentsIn } from '../../../src/core/subagents/subagentTree';
import { EntrySwap, MIN_IN_MEMORY, MIN_IN_SUBAGENT } from '../../../src/session/swap/entrySwap';
import { SwapFile } from '../../../src/session/swap/swapFile';
import { toMarkdown } from '../../../src/text/transcript/transcript';
import { eventSequence } from '../core/arbitrary';
import { FakeClock } from './permission/fakes';
import { chunk, toolCall } from '../../support/events';

const plain = (state: SessionState): unknown => JSON.parse(JSON.stringify({ ...state, entries: [...state.entries] }));
const log = {
  lines: [] as string[],
  info: () => {},
  debug: () => {},
  warn: (line: string) => log.lines.push(line),
  error: (line: string) => log.lines.push(line),
};

describe('entries that are swapped out', () => {
  let folder: string;
  let swap: EntrySwap | undefined;
  beforeEach(() => {
    log.lines.length = 0;
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'acp-host-swap-'));
  });
  afterEach(() => {
    swap?.dispose();
    swap = undefined;
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Turns of 50 calls with large outputs. */
  function turns(count: number, id = 't'): EventInput[] {
    return Array.from({ length: count }, (_, turn): EventInput[] => [
      { type: 'turn_started', turnId: `${id}${turn}` } as EventInput,
      ...Array.from({ length: 50 }, (__, call) =>
        toolCall(`${id}${turn}c${call}`, {
          title: `Call ${call}`,
          status: 'completed',
          rawOutput: { text: `${turn} ${call} `.repeat(300) },
        }),
      ),
      chunk(`Answer ${turn} `.repeat(50), `${id}m${turn}`),
      { type: 'turn_ended', turnId: `${id}${turn}`, stopReason: 'end_turn' } as EventInput,
    ]).flat();
  }

  function long(): { store: SessionStore; whole: SessionState; clock: FakeClock } {
    const clock = new FakeClock();
    const store = new SessionStore(clock);
    store.append(...turns(30));
    const whole = store.state;
    swap = new EntrySwap(store, clock, folder, log);
    for (let slice = 0; slice < 100; slice++) {
      clock.pass(1);
    }
    return { store, whole, clock };
  }

  const swappedIn = ({ entries }: SessionState): number => [...entries.heads()].filter((head) => head instanceof SwappedEntry).length;

  it('include all old large ones, and read as before', () => {
    const { store, whole } = long();
    assert.ok(swappedIn(store.state) > whole.entries.length - MIN_IN_MEMORY - 200, `${swappedIn(store.state)} of ${whole.entries.length}`);
    assert.deepEqual(plain(store.state), plain(whole));
    assert.deepEqual(store.state.entries.slice(100, 200), whole.entries.slice(100, 200));
    assert.deepEqual(toSnapshot(store.state, { tail: 60 }), toSnapshot(whole, { tail: 60 }));
    const id = entryIdOf.toolCall('t1c7');
    assert.deepEqual(bodiesOf(store.state, [id]), bodiesOf(whole, [id]));
    assert.equal(toMarkdown(store.state), toMarkdown(whole));
    assert.deepEqual(outcomeOf(store.state), outcomeOf(whole));
    assert.deepEqual(log.lines, []);
  });

  it('come back when an event changes them, and leave again', () => {
    const { store, clock } = long();
    store.append({ type: 'tool_call_update', toolCallId: 't2c3', patch: { title: 'Changed late' } });
    const slot = store.state.entries.get(entryIdOf.toolCall('t2c3'));
    assert.equal(slot?.kind === 'tool_call' && 'title' in slot && slot.title, 'Changed late');
    assert.match(JSON.stringify(slot), /2 3 2 3/);
    store.append(...turns(1, 'next'));
    clock.pass(10);
    assert.match(JSON.stringify(store.state.entries.get(entryIdOf.toolCall('t2c3'))), /Changed late/);
  });

  it('include those of subagents', () => {
    const clock = new FakeClock();
    const store = new SessionStore(clock);
    const children = ['x', 'y'];
    store.append(
      ...children.map((subagentId): EventInput => ({ type: 'subagent_update', subagentId, patch: { work: { state: 'running' } } })),
    );
    swap = new EntrySwap(store, clock, folder, log);
    children.forEach((subagentId) => store.append(...asSubagentEvents(subagentId, turns(5))));
    const whole = store.state;
    const before = subagentsIn(whole).map(({ conversation }) => plain(conversation));
    store.append({ type: 'subagent_update', subagentId: 'x', patch: { work: { state: 'idle', stopReason: 'end_turn' } } });
    clock.pass(100);
    for (const { conversation } of subagentsIn(store.state)) {
      assert.equal(conversation.entries.length, 255);
      const least = conversation.entries.length - MIN_IN_SUBAGENT - conversation.entries.chunkLength;
      assert.ok(swappedIn(conversation) >= least, `${swappedIn(conversation)} of ${conversation.entries.length}`);
    }
    assert.deepEqual(plain(subagentsIn(store.state)[1]!.conversation), before[1]);
    const id = entryIdOf.toolCall('y/t0c3');
    assert.deepEqual(bodiesOf(store.state, [id]), bodiesOf(whole, [id]));
    assert.equal(bodiesOf(store.state, [id]).length, 1);
  });

  it('do not change what any history reduces to', () => {
    fc.assert(
      fc.property(eventSequence, eventSequence, fc.nat(9), (one, two, every) => {
        const clock = new FakeClock();
        const store = new SessionStore(clock);
        store.restore(one);
        const file = new SwapFile(folder);
        let { entries } = store.state;
        for (let at = 0; at * entries.chunkLength < entries.length; at++) {
          entries = entries.swapChunk(at, (present) =>
            present.map((entry, index) => {
              if (index % 10 < every) {
                return entry;
              }
              const location = file.write(Buffer.from(JSON.stringify(entry)));
              const read = (): typeof entry => JSON.parse(file.read(location).toString()) as typeof entry;
              return new SwappedEntry(entry.entryId, entry.kind, { at: read }, 0);
            }),
          );
        }
        store.replaceEntries(entries);
        store.restore(two);
        const expected = [...one, ...two].reduce<SessionState>((state, event: SessionEvent) => reduce(state, event), EMPTY_STATE);
        assert.deepEqual(plain(store.state), plain(expected));
        file.dispose();
      }),
      { numRuns: 100 },
    );
  });

  it('stay in memory when the file cannot be written, and the log says so once', () => {
    fs.writeFileSync(path.join(folder, 'file'), '');
    const clock = new FakeClock();
    const store = new SessionStore(clock);
    store.append(...turns(30));
    const whole = store.state;
    swap = new EntrySwap(store, clock, path.join(folder, 'file'), log);
    clock.pass(1000);
    store.append(...turns(1, 'next'));
    clock.pass(1000);
    assert.equal(swappedIn(store.state), 0);
    assert.deepEqual(store.state.entries.slice(0, 100), whole.entries.slice(0, 100));
    assert.equal(log.lines.length, 1);
  });

  it('are absent, and the log says so, when the file cannot be read', () => {
    const { store } = long();
    swap!.dispose();
    swap = undefined;
    const slot = store.state.entries.get(entryIdOf.toolCall('t1c1'));
    assert.deepEqual(slot, { entryId: entryIdOf.toolCall('t1c1'), kind: 'tool_call', absent: true });
    store.state.entries.slice(0, 500);
    assert.equal(log.lines.length, 1);
  });

  it('are not replaced by a replay of the agent when they cannot be read', () => {
    const { store, whole } = long();
    swap!.dispose();
    swap = undefined;
    const replayed = [...whole.entries].filter(({ entryId }) => entryId !== entryIdOf.toolCall('t1c1'));
    assert.ok(hasMore(store.state, { ...whole, entries: EntryList.of(replayed) }));
  });

  it('are not read from another file that has the number of the closed one', () => {
    const file = new SwapFile(folder);
    const location = file.write(Buffer.from('text'));
    file.dispose();
    const other = fs.openSync(path.join(folder, 'other'), 'w+');
    assert.throws(() => file.read(location), /the swap file is closed/);
    file.dispose();
    fs.closeSync(other);
  });

  it('are unreadable for other programs, and gone with the process', () => {
    const file = new SwapFile(folder);
    const data = Buffer.from('secret of the user '.repeat(100));
    const locations = [file.write(data), file.write(Buffer.alloc(0)), file.write(data)];
    assert.deepEqual(
      locations.map((location) => file.read(location).toString()),
      [data.toString(), '', data.toString()],
    );
    if (process.platform !== 'win32') {
      assert.deepEqual(fs.readdirSync(folder), []);
    }
    file.dispose();
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('deletes files that a killed process left a day ago', () => {
    const [old, young] = ['1-a.swap', '2-b.swap'].map((name) => path.join(folder, name));
    fs.writeFileSync(old!, 'x');
    fs.writeFileSync(young!, 'x');
    fs.utimesSync(old!, new Date(0), new Date(0));
    new SwapFile(folder).dispose();
    assert.deepEqual(fs.readdirSync(folder), ['2-b.swap']);
  });
});
