import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JournalFiles } from '../../../../src/session/journal/journalFiles';
import { parseQueue, QueueFile, readQueue } from '../../../../src/session/journal/queueFile';
import { SessionStore } from '../../../../src/session/state/store';
import { FakeClock } from '../permission/fakes';

describe('the file of queued messages', () => {
  let folder: string;
  const logged: string[] = [];
  const log = { warn: (line: string) => logged.push(line), error: (line: string) => logged.push(line) };

  beforeEach(async () => {
    logged.length = 0;
    folder = await mkdtemp(path.join(tmpdir(), 'queue-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const content = (words: string) => [{ type: 'text' as const, text: words }];
  function open(journaled = () => Promise.resolve(), isOurs = () => true) {
    const files = new JournalFiles(path.join(folder, 'sessions'));
    const store = new SessionStore(new FakeClock());
    return { files, store, file: new QueueFile(files, 'key', store, journaled, isOurs, log) };
  }
  const place = () => path.join(folder, 'sessions', 'key.queue.json');

  it('contains the queue, readable by the user only, and is deleted with it', async () => {
    const { files, store, file } = open();
    store.append({ type: 'message_queued', queueId: 'a', content: content('one'), size: 3 });
    store.append({ type: 'message_queued', queueId: 'b', content: content('two'), size: 3 });
    store.append({ type: 'queued_message_moved', queueId: 'b', index: 0 });
    await file.flush();
    assert.deepEqual((await readQueue(files, 'key', log)).messages, [
      { queueId: 'b', content: content('two') },
      { queueId: 'a', content: content('one') },
    ]);
    if (process.platform !== 'win32') {
      assert.equal((await stat(place())).mode & 0o777, 0o600);
    }
    store.append({ type: 'queued_message_removed', queueId: 'a' }, { type: 'queued_message_removed', queueId: 'b' });
    await file.flush();
    await assert.rejects(stat(place()));
    assert.deepEqual((await readQueue(files, 'key', log)).messages, []);
  });

  it('is written after the preceding events are in the journal', async () => {
    const order: string[] = [];
    let release = (): void => undefined;
    const { store, file, files } = open(() => new Promise<void>((resolve) => (release = resolve)).then(() => void order.push('journal')));
    const write = files.writeQueue.bind(files);
    files.writeQueue = async (...args) => {
      order.push('queue');
      await write(...args);
    };
    store.append({ type: 'message_queued', queueId: 'a', content: content('one'), size: 3 });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(order, []);
    release();
    await file.flush();
    assert.deepEqual(order, ['journal', 'queue']);
  });

  it('is written only by the host that owns the session', async () => {
    let isOurs = true;
    const { store, file } = open(undefined, () => isOurs);
    store.append({ type: 'message_queued', queueId: 'a', content: content('one'), size: 3 });
    await file.flush();
    const kept = await readFile(place(), 'utf8');
    isOurs = false;
    store.append({ type: 'queued_message_removed', queueId: 'a' });
    await file.flush();
    assert.equal(await readFile(place(), 'utf8'), kept);
  });

  it('is read from an earlier version, which named its host', () => {
    const good = { queueId: 'a', content: content('one') };
    assert.deepEqual(parseQueue(JSON.stringify({ acpHostQueue: 1, owner: 'x-1', messages: [good] })), { messages: [good] });
  });

  it('logs a failed write, and stops nothing', async () => {
    await writeFile(path.join(folder, 'sessions'), 'a file where the folder would be');
    const { store, file } = open();
    store.append({ type: 'message_queued', queueId: 'a', content: content('one'), size: 3 });
    await file.flush();
    assert.equal(logged.length, 1);
    await rm(path.join(folder, 'sessions'));
    file.retry();
    await file.flush();
    assert.match(await readFile(place(), 'utf8'), /one/);
  });

  it('contains the wait for a limit, also without a message', async () => {
    const { files, store, file } = open();
    store.append({ type: 'continue_scheduled', continuesAt: 5000, turnId: 't' });
    await file.flush();
    assert.deepEqual(await readQueue(files, 'key', log), { messages: [], continuation: { at: 5000, turnId: 't' } });
    store.append({ type: 'continue_scheduled' });
    await file.flush();
    assert.deepEqual(await readQueue(files, 'key', log), { messages: [] });
    assert.deepEqual(parseQueue(JSON.stringify({ acpHostQueue: 1, messages: [], continuation: { at: 'soon' } })), { messages: [] });
  });

  it('loses only malformed entries', () => {
    const good = { queueId: 'a', content: content('one') };
    const parse = (value: unknown): unknown => parseQueue(JSON.stringify(value));
    assert.deepEqual(parse({ acpHostQueue: 1, messages: [good] }), { messages: [good] });
    assert.deepEqual(parse({ acpHostQueue: 1, messages: [null, { queueId: 1 }, { ...good, content: [{ type: 'text' }] }, good] }), {
      messages: [good],
    });
    for (const bad of [null, [], {}, { acpHostQueue: 2, messages: [good] }, { acpHostQueue: 1, messages: {} }]) {
      assert.throws(() => parse(bad));
    }
  });
});
