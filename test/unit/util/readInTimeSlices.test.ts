import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { readInTimeSlices } from '../../../src/util/readInTimeSlices';

/** The text of a stream of 20 chunks, and the number of chunks in the busiest turn of the event loop, when each costs `ms` of work. */
async function paced(ms: number): Promise<{ text: string; most: number }> {
  let time = 0;
  let text = '';
  let inTurn = 0;
  let most = 0;
  const stream = new Readable({ read: () => undefined });
  for (let index = 0; index < 20; index++) {
    stream.push(Buffer.from(String.fromCharCode(97 + index)));
  }
  stream.push(null);
  let turning = true;
  const turn = (): void => {
    inTurn = 0;
    if (turning) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  readInTimeSlices(
    stream,
    (chunk) => {
      time += ms;
      text += chunk.toString();
      most = Math.max(most, ++inTurn);
    },
    { now: () => time },
  );
  await new Promise((resolve) => stream.on('end', resolve));
  turning = false;
  return { text, most };
}

describe('a paced stream', () => {
  it('delivers everything in order, and yields to the event loop after a stretch of work', async () => {
    const { text, most } = await paced(5);
    assert.equal(text, 'abcdefghijklmnopqrst');
    assert.ok(most <= 3, `${most} chunks in one turn`);
  });

  it('does not delay chunks that cost nothing', async () => {
    const { text, most } = await paced(0);
    assert.equal(text, 'abcdefghijklmnopqrst');
    assert.ok(most > 3, `only ${most} chunks in one turn`);
  });
});
