import assert from 'node:assert/strict';
import { DisposableStore, toDisposable, trackDisposables } from '../../../src/util/disposable';

describe('DisposableStore', () => {
  it('disposes its items once, the newest first', () => {
    const freed: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => freed.push('first')));
    store.add(toDisposable(() => freed.push('second')));
    store.dispose();
    store.dispose();
    assert.deepEqual(freed, ['second', 'first']);
  });

  it('disposes at once an item that is added after its end', () => {
    const freed: string[] = [];
    const store = new DisposableStore();
    store.dispose();
    store.add(toDisposable(() => freed.push('late')));
    assert.deepEqual(freed, ['late']);
  });

  it('disposes the other items when one throws, and passes the error on', () => {
    const freed: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => freed.push('first')));
    store.add({
      dispose() {
        throw new Error('stuck');
      },
    });
    assert.throws(() => store.dispose(), /stuck/);
    assert.deepEqual(freed, ['first']);
  });

  it('disposes one item early, and not again later', () => {
    let freed = 0;
    const store = new DisposableStore();
    const item = store.add({ dispose: () => void freed++ });
    store.delete(item);
    store.dispose();
    assert.equal(freed, 1);
  });
});

describe('trackDisposables', () => {
  it('reports the stack of an item that was not disposed', () => {
    const tracker = trackDisposables();
    new DisposableStore().dispose();
    toDisposable(() => undefined).dispose();
    const store = new DisposableStore();
    const item = toDisposable(() => undefined);
    const leaked = tracker.stop();
    assert.equal(leaked.length, 2);
    for (const stack of leaked) {
      assert.match(stack, /disposable\.test\.ts/);
    }
    store.dispose();
    item.dispose();
  });
});
