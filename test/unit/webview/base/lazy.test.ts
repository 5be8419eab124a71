import assert from 'node:assert/strict';
import { EntryList } from '../../../../src/core/model/entries';
import type { Slot } from '../../../../src/core/model/state';
import { conversationChunk, loadWhenIdle, chunksFor } from '../../../../webview/chunks';
import { lazy } from '../../../../webview/base/lazy';
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

  it('depends on the kinds of entries in a conversation', () => {
    const parts = (...kinds: string[]) => chunksFor(EntryList.of(kinds.map((kind, at) => ({ kind, entryId: `${at}` }) as Slot)));
    assert.deepEqual(parts(), [conversationChunk]);
    assert.deepEqual(parts('message', 'turn', 'notice', 'compaction'), [conversationChunk]);
    assert.deepEqual(parts('message', 'permission', 'tool_call'), [conversationChunk, toolChunk]);
    assert.deepEqual(parts('elicitation', 'what is new'), [conversationChunk, elicitationChunk, toolChunk]);
  });

  it('waits until the page is idle, for each module separately', () => {
    const waiting: (() => void)[] = [];
    loadWhenIdle((callback) => waiting.push(callback));
    assert.equal(waiting.length, 1);
    assert.deepEqual([toolChunk.value, elicitationChunk.value], [undefined, undefined]);
  });
});
