import assert from 'node:assert/strict';
import type { FromView } from '../../../src/core/protocol/view';
import { Draft } from '../../../webview/draft';
import { MemoryHost } from '../../../webview/host';

describe('a draft', () => {
  function page(kept?: unknown): { draft: Draft; posted: FromView[]; saved: () => unknown } {
    const posted: FromView[] = [];
    let state = kept;
    const host = new MemoryHost((message) => posted.push(message), { read: () => state, write: (next) => void (state = next) });
    return { draft: new Draft(host), posted, saved: () => state };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('is told to the host once for each change, and not when it was only read back', async () => {
    const { draft, posted, saved } = page();
    draft.setText('half');
    draft.flush();
    draft.flush();
    await settled();
    assert.deepEqual(
      posted.map((message) => message.type === 'draft' && message.content),
      [[{ type: 'text', text: 'half' }]],
    );
    const again = page(saved());
    again.draft.flush();
    await settled();
    assert.equal(again.draft.text, 'half');
    assert.equal(again.posted.length, 0);
    assert.deepEqual(again.draft.take(), [{ type: 'text', text: 'half' }]);
    await settled();
    assert.deepEqual(
      again.posted.map((message) => message.type === 'draft' && message.content),
      [[]],
    );
  });

  it('takes what the host kept when it is newer than what the page kept, and only then', () => {
    const { draft, saved } = page();
    draft.setText('of the page');
    draft.flush();
    const { at } = saved() as { at: number };
    const attachment = { type: 'resource' as const, uri: 'file:///a', text: 't' };
    for (const [keptAt, text] of [
      [at - 1, 'of the page'],
      [at, 'of the page'],
      [at + 1, 'of the host'],
    ] as const) {
      const { draft: next } = page(saved());
      next.adopt({ at: keptAt, content: [{ type: 'text', text: 'of the host' }, attachment] });
      next.flush();
      assert.equal(next.text, text);
      assert.deepEqual(next.attachments, text === 'of the host' ? [attachment] : []);
    }
  });
});
