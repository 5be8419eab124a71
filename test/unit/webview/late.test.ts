import assert from 'node:assert/strict';
import { EntryList } from '../../../src/core/model/entries';
import type { Slot } from '../../../src/core/model/state';
import { Late } from '../../../webview/late';
import { conversationParts, loadWhenIdle, partsFor } from '../../../webview/parts';
import { elicitationParts, toolParts } from '../../../webview/transcript/entryParts';

describe('a module that is loaded late', () => {
  it('is loaded once, and notifies every listener', async () => {
    let loads = 0;
    const late = new Late(() => Promise.resolve(++loads));
    const heard: unknown[] = [];
    late.onLoaded(() => heard.push(late.now));
    late.onLoaded(() => heard.push('not any more'))();
    assert.equal(late.now, undefined);
    assert.deepEqual(await Promise.all([late.load(), late.load()]), [1, 1]);
    assert.deepEqual([late.now, loads, heard], [1, 1, [1]]);
  });

  it('depends on the kinds of entries in a conversation', () => {
    const parts = (...kinds: string[]) => partsFor(EntryList.of(kinds.map((kind, at) => ({ kind, entryId: `${at}` }) as Slot)));
    assert.deepEqual(parts(), [conversationParts]);
    assert.deepEqual(parts('message', 'turn', 'notice', 'compaction'), [conversationParts]);
    assert.deepEqual(parts('message', 'permission', 'tool_call'), [conversationParts, toolParts]);
    assert.deepEqual(parts('elicitation', 'what is new'), [conversationParts, elicitationParts, toolParts]);
  });

  it('waits until the page is idle, for each module separately', () => {
    const waiting: (() => void)[] = [];
    loadWhenIdle((callback) => waiting.push(callback));
    assert.equal(waiting.length, 1);
    assert.deepEqual([toolParts.now, elicitationParts.now], [undefined, undefined]);
  });
});
