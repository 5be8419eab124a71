import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../src/core/model/event';
import type { FileChange } from '../../../src/core/model/content';
import { EMPTY_STATE, type PermissionEntry, type ToolCallEntry } from '../../../src/core/model/state';
import { reduce } from '../../../src/core/reduce/reduce';
import { reducePortions } from '../../../src/session/journal/journalReader';
import { DiffLocator } from '../../../src/session/diffLocator';
import { Sessions } from '../../../src/session/sessions';
import { SessionStore } from '../../../src/session/state/store';
import { permissionRequest, toolCall, toolDiff } from '../../support/events';
import { FakeClock } from './permission/fakes';
import { fakeDependencies, launch } from './fakes';

/** The ms after which a burst of diffs is over. */
const QUIET = 3100;
const FILE = 'one\ntwo\nthree\nfour\n';

function stage(files: Record<string, string> = { '/w/a': FILE }) {
  const clock = new FakeClock();
  const store = new SessionStore(clock);
  const told: SessionEvent[] = [];
  store.onEvents((_, events) => told.push(...events));
  const reads: string[] = [];
  const locator = new DiffLocator(store, clock, () => (path) => {
    reads.push(path);
    return Promise.resolve(files[path]);
  });
  store.onEvents((_, events, whole) => locator.onEvents(events, whole));
  const settle = async () => {
    clock.pass(QUIET);
    for (let turns = 0; turns < 20; turns++) {
      await Promise.resolve();
    }
  };
  return { store, told, reads, files, locator, clock, settle };
}

const changes = (content: ToolCallEntry['content'] = []): FileChange[] =>
  content.flatMap((each) => (each.type === 'diff' ? each.changes : []));
const lines = (store: SessionStore, id = 'a') =>
  changes((store.state.entries.get(`tool_call:${id}`) as ToolCallEntry).content).map(({ line }) => line);
const update = (status: string, ...passages: [string, string][]): EventInput =>
  toolCall('a', { kind: 'edit', status, content: passages.map(([oldText, newText]) => toolDiff('/w/a', oldText, newText)) });

describe('the line of a diff in its file', () => {
  it('is found outside of the append, and stored with the conversation', async () => {
    const { store, told, reads, settle } = stage();
    store.append(update('pending', ['three', 'THREE'], ['two\n', '']));
    assert.deepEqual([reads, lines(store)], [[], [undefined, undefined]]);
    await settle();
    assert.deepEqual([reads, lines(store)], [['/w/a'], [3, 2]]);
    assert.deepEqual(told.reduce(reduce, EMPTY_STATE).entries, store.state.entries);
  });

  it('is remembered when the same change is reported again after the file has changed', async () => {
    const { store, files, reads, settle } = stage();
    store.append(update('pending', ['three\n', '']));
    await settle();
    files['/w/a'] = FILE.replace('three\n', '');
    store.append(update('completed', ['three\n', '']));
    assert.deepEqual(lines(store), [undefined]);
    await settle();
    assert.deepEqual([lines(store), reads], [[3], ['/w/a']]);
  });

  it('is searched again when the status changes', async () => {
    const { store, files, settle } = stage({ '/w/a': 'b\nx\na\n' });
    store.append(update('in_progress', ['a', 'b']));
    await settle();
    assert.deepEqual(lines(store), [undefined], 'made or not, both can be');
    files['/w/a'] = 'b\nx\nc\n';
    store.append(toolCall('a', { status: 'completed' }));
    await settle();
    assert.deepEqual(lines(store), [1]);
  });

  it('is found for a permission request too, and used for the call that it is about', async () => {
    const { store, files, settle } = stage();
    store.append(toolCall('a', { kind: 'edit', status: 'pending' }));
    store.append(permissionRequest('p', 'Edit a', { subject: { toolCallId: 'a', content: [toolDiff('/w/a', 'four\n', '')] } }));
    await settle();
    const asked = store.state.entries.get('permission:p') as PermissionEntry;
    assert.deepEqual(
      changes(asked.subject.content).map(({ line }) => line),
      [4],
    );
    files['/w/a'] = 'one\ntwo\nthree\n';
    store.append(update('completed', ['four\n', '']));
    await settle();
    assert.deepEqual(lines(store), [4]);
  });

  it('comes with the way in which the old text fits the file, while the change is proposed', async () => {
    const { store, told, settle } = stage({ '/w/a': 'if (x) {\n    one();\n}\n' });
    const fits = (id = 'a') =>
      changes((store.state.entries.get(`tool_call:${id}`) as ToolCallEntry).content).map(({ line, match }) => [line, match]);
    store.append(update('pending', ['one();\n', 'two();\n'], ['\tone();', '\ttwo();'], ['three();', ''], ['}', '};']));
    await settle();
    assert.deepEqual(fits(), [
      [2, undefined],
      [2, 'spaces'],
      [undefined, 'missing'],
      [3, undefined],
    ]);
    const count = told.length;
    store.append(toolCall('a', { status: 'pending' }));
    await settle();
    assert.equal(told.length, count + 1, 'nothing new to add');
    assert.deepEqual(told.reduce(reduce, EMPTY_STATE).entries, store.state.entries);
    store.append(update('failed', ['three();', '']));
    await settle();
    assert.deepEqual(fits(), [[undefined, undefined]]);
  });

  it('comes with the rest of that line, also for a change that was made', async () => {
    const { store, told, settle } = stage({ '/w/a': 'if (x) {\n    two();\n}\n' });
    store.append(update('completed', ['one();', 'two();']));
    await settle();
    const [change] = changes((store.state.entries.get('tool_call:a') as ToolCallEntry).content);
    assert.deepEqual([change?.line, change?.lineParts], [2, { before: '    ', after: '' }]);
    assert.deepEqual(told.reduce(reduce, EMPTY_STATE).entries, store.state.entries);
  });

  it('is not added to a diff that was replaced meanwhile', async () => {
    const { store, settle, told } = stage();
    store.append(update('pending', ['three', 'THREE']));
    const first = settle();
    store.append(update('pending', ['two', 'TWO']));
    await first;
    await settle();
    assert.deepEqual(lines(store), [2]);
    assert.equal(told.filter(({ type }) => type === 'diff_located').length, 1);
  });

  it('needs no file for messages, new files, and unchanged or overlong texts', async () => {
    const { store, reads, settle, told } = stage();
    store.append(
      toolCall('a', {
        status: 'completed',
        content: [
          toolDiff('/w/new', null, 'x\n'),
          toolDiff('/w/a', 'same', 'same'),
          toolDiff('/w/a', 'x'.repeat(600_000), 'y'),
          { type: 'content', content: { type: 'text', text: 'Done' } },
        ],
      }),
    );
    await settle();
    assert.deepEqual([reads, told.filter(({ type }) => type === 'diff_located')], [[], []]);
  });

  it('is searched for a limited number of diffs when a conversation arrives at once', async () => {
    const { store, reads, settle } = stage();
    const events = Array.from({ length: 500 }, (_, index) => ({
      ...toolCall(`c${index}`, { status: 'completed', content: [toolDiff(`/w/${index}`, 'a', 'b')] }),
      at: index,
    }));
    store.replace(events, events.reduce<typeof EMPTY_STATE>(reduce, EMPTY_STATE));
    for (let times = 0; times < 60; times++) {
      await settle();
    }
    assert.deepEqual([reads.length, reads.at(-1)], [200, '/w/499']);
  });

  it('is found at once for one diff, and for a burst of diffs at its end', async () => {
    const { store, reads, clock, settle } = stage();
    const turns = async () => {
      for (let turn = 0; turn < 2000; turn++) {
        await Promise.resolve();
      }
    };
    const bring = async (from: number, to: number) => {
      for (let at = from; at < to; at++) {
        store.append(toolCall(`c${at}`, { status: 'completed', content: [toolDiff(`/w/${at}`, 'a', 'b')] }));
        clock.pass(10);
        await turns();
      }
    };
    await bring(0, 1);
    assert.equal(reads.length, 1);
    await bring(1, 40);
    assert.equal(reads.length, 1, 'the burst goes on');
    await bring(40, 400);
    assert.ok(reads.length > 1 && reads.length < 400, `an endless one is not waited for: ${reads.length}`);
    await settle();
    await turns();
    assert.deepEqual([reads.length, reads.at(-1)], [400, '/w/399']);
  });

  it('is restored from the journal without reading any file', async () => {
    const fakes = fakeDependencies();
    let reads = 0;
    const fileReader = () => () => (reads++, Promise.resolve<string | undefined>(FILE));
    const sessions = new Sessions({ ...fakes.deps, fileReader });
    const session = sessions.create(launch(), { cwd: '/w', additionalDirectories: [], mcpServers: [] });
    session.store.append(update('pending', ['three', 'THREE']));
    for (let times = 0; times < 100 && reads === 0; times++) {
      await new Promise((resolve) => setTimeout(resolve, 5)); // The locator's code is loaded with the first diff.
      fakes.clock.pass(1);
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([lines(session.store), reads], [[3], 1]);
    await sessions.flush();
    sessions.dispose();
    const journal = fakes.journals.get(session.key)!;
    const read = await reducePortions(
      (async function* () {
        await Promise.resolve();
        yield journal.split('\n');
      })(),
    );
    assert.deepEqual(
      changes((read!.state.entries.get('tool_call:a') as ToolCallEntry).content).map(({ line }) => line),
      [3],
    );
    const again = new Sessions({ ...fakes.deps, fileReader });
    const restored = (await again.restore(session.key))!;
    fakes.clock.pass(1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([lines(restored.store), reads], [[3], 1]);
    again.dispose();
  });
});
