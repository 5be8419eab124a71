import assert from 'node:assert/strict';
import { EntryList } from '../../../../src/core/model/entries';
import type { Slot } from '../../../../src/core/model/state';
import { loadWhenIdle } from '../../../../webview/app/chunks';
import { chunksFor, entriesChunk } from '../../../../webview/transcript/list/lazyEntries';
import { subagentChunk } from '../../../../webview/transcript/list/lazySubagents';
import { lazy, LazySlot } from '../../../../webview/base/lazy';
import { elicitationChunk } from '../../../../webview/transcript/elicitation/lazyElicitation';
import { toolChunk } from '../../../../webview/transcript/toolCalls/lazyToolCalls';

describe('a module that is loaded late', () => {
  it('is loaded once, and notifies every listener', async () => {
    let loads = 0;
    const late = lazy(() => Promise.resolve(++loads));
    const heard: unknown[] = [];
    late.onLoaded(() => heard.push(late.value));
    late.onLoaded(() => heard.push('not any more'))();
    assert.equal(late.value, undefined);
    assert.deepEqual(await Promise.all([late.load(), late.load()]), [1, 1]);
    assert.deepEqual([late.value, loads, heard], [1, 1, [1]]);
  });

  it('fills the slots of several features', async () => {
    const slots = [new LazySlot<{ readonly first: number }>(), new LazySlot<{ readonly second: number }>()] as const;
    assert.deepEqual(
      slots.map(({ value }) => value),
      [undefined, undefined],
    );
    const late = lazy(() => Promise.resolve({ first: 1, second: 2 }));
    slots.forEach((slot) => slot.fill(late));
    const heard: unknown[] = [];
    slots[1].onLoaded(() => heard.push(slots[1].value?.second));
    assert.equal((await slots[0].load()).first, 1);
    assert.deepEqual(heard, [2]);
  });

  it('depends on the kinds of entries in a conversation', () => {
    const parts = (...kinds: string[]) => chunksFor(EntryList.of(kinds.map((kind, at) => ({ kind, entryId: `${at}` }) as Slot)));
    assert.deepEqual(parts(), [entriesChunk]);
    assert.deepEqual(parts('message', 'turn', 'notice', 'compaction'), [entriesChunk]);
    assert.deepEqual(parts('message', 'permission', 'tool_call'), [entriesChunk, toolChunk]);
    assert.deepEqual(parts('subagent', 'session_message'), [entriesChunk, subagentChunk]);
    assert.deepEqual(parts('elicitation', 'what is new'), [entriesChunk, elicitationChunk, toolChunk]);
  });

  it('waits until the page is idle, for each module separately', () => {
    const waiting: (() => void)[] = [];
    loadWhenIdle((callback) => waiting.push(callback));
    assert.equal(waiting.length, 1);
    assert.deepEqual([toolChunk.value, elicitationChunk.value], [undefined, undefined]);
  });
});
