/** Distinguishes a document that was reloaded from the disk from one that was typed into. */
import assert from 'node:assert/strict';
import { Reloads } from '../../../../../src/application/changes/documents/reloads';

describe('reloaded documents', () => {
  const document = {};
  let due: (() => void)[];
  let told: string[];
  let reloads: Reloads<object>;
  const change = (name: string, isDirty: boolean): void =>
    reloads.changed(document, isDirty, (isReload) => told.push(`${name} ${isReload ? 'read' : 'typed'}`));

  beforeEach(() => {
    [due, told] = [[], []];
    const after = (_: number, callback: () => void) => {
      due.push(callback);
      return { dispose: () => void (due = due.filter((each) => each !== callback)) };
    };
    reloads = new Reloads({ now: () => 0, after });
  });

  it('stay clean', () => {
    change('a', false);
    change('b', false);
    assert.deepEqual(told, []);
    due.forEach((each) => each());
    assert.deepEqual(told, ['a read', 'b read']);
  });

  it('exclude those that are reported as dirty after the change', () => {
    change('a', false);
    reloads.told(document, true);
    assert.deepEqual([told, due.length], [['a typed'], 0]);
    change('b', true);
    assert.deepEqual(told, ['a typed', 'b typed']);
  });

  it('exclude those that are dirty at the next key, in order', () => {
    change('a', false);
    change('b', true);
    assert.deepEqual(told, ['a typed', 'b typed']);
  });

  it('include those before a change of ours', () => {
    change('a', false);
    reloads.settle(document);
    change('ours', true);
    assert.deepEqual([told, due.length], [['a read', 'ours typed'], 0]);
  });

  it('are distinguished from one another, and ignored after disposal', () => {
    change('a', false);
    reloads.told({}, true);
    assert.deepEqual(told, []);
    reloads.dispose();
    assert.deepEqual([told, due.length], [[], 0]);
  });
});
