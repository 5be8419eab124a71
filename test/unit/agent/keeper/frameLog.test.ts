/** The frames that no window has stored: in memory, then in a file without a name, and never more than the agent may send ahead. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FrameLog } from '../../../../src/agent/keeper/frameLog';

describe('the log of frames', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'acp-host-log-'));
    file = path.join(folder, 'frames');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const textsOf = (log: FrameLog): (string | undefined)[] => {
    const texts: (string | undefined)[] = [];
    for (let n = log.stored + 1; n <= log.last; n++) {
      texts.push(log.read(n)?.bytes.toString());
    }
    return texts;
  };

  it('numbers the frames from 1, and drops those that are stored', () => {
    const log = new FrameLog(file);
    assert.deepEqual([log.add(Buffer.from('a')), log.add(Buffer.from('b')), log.add(Buffer.from('c'))], [1, 2, 3]);
    log.drop(2);
    assert.deepEqual([log.stored, log.last, textsOf(log)], [2, 3, ['c']]);
    assert.equal(log.read(2), undefined);
    log.drop(99);
    log.drop(1);
    assert.deepEqual([log.stored, log.last, log.add(Buffer.from('d'))], [3, 3, 4]);
  });

  it('returns every frame in its order when memory is full, with all characters', () => {
    const log = new FrameLog(file, { memory: 10, total: 1e6, frames: 100 });
    const texts = ['ünïcode', 'second one', '', '漢字'.repeat(500), 'x'];
    texts.forEach((text) => log.add(Buffer.from(text)));
    assert.deepEqual(textsOf(log), texts);
    log.drop(3);
    assert.deepEqual(textsOf(log), texts.slice(3));
    assert.equal(log.isFull, false);
    log.close();
  });

  it('leaves no file that another process could open', function () {
    if (process.platform === 'win32') {
      this.skip(); // An open file cannot be deleted there.
    }
    const log = new FrameLog(file, { memory: 1, total: 1e6, frames: 100 });
    log.add(Buffer.from('secret text'));
    assert.equal(existsSync(file), false);
    log.close();
  });

  it('makes the agent wait at the limit, until a window has stored frames', () => {
    const log = new FrameLog(file, { memory: 4, total: 10, frames: 100 });
    log.add(Buffer.from('12345'));
    assert.equal(log.isFull, false);
    log.add(Buffer.from('67890'));
    assert.equal(log.isFull, true);
    log.drop(1);
    assert.equal(log.isFull, false);
    log.close();
  });

  it('makes the agent wait at a number of frames, however short they are', () => {
    const log = new FrameLog(file, { memory: 1e6, total: 1e6, frames: 3 });
    log.add(Buffer.from(''));
    log.add(Buffer.from('1'));
    assert.equal(log.isFull, false);
    log.add(Buffer.from('2'));
    assert.equal(log.isFull, true);
    log.drop(1);
    assert.equal(log.isFull, false);
  });

  it('holds the frames in memory when the file cannot be written, and makes the agent wait there', () => {
    const errors: unknown[] = [];
    const log = new FrameLog(path.join(folder, 'missing', 'frames'), { memory: 10, total: 1e6, frames: 100 }, (error) =>
      errors.push(error),
    );
    log.add(Buffer.from('123456789'));
    assert.equal(log.isFull, false);
    log.add(Buffer.from('abc'));
    assert.deepEqual([log.isFull, errors.length, textsOf(log)], [true, 1, ['123456789', 'abc']]);
    log.drop(1);
    assert.equal(log.isFull, false);
  });
});
