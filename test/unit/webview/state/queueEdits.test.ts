import assert from 'node:assert/strict';
import type { FromView } from '../../../../src/core/protocol/view';
import type { QueuedMessage } from '../../../../src/core/model/queuedMessage';
import { QueueEdits } from '../../../../webview/state/queueEdits';

const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const;
const message = (more: Partial<QueuedMessage> = {}): QueuedMessage => ({
  queueId: 'q',
  content: [{ type: 'text', text: 'look' }, link, link],
  size: 10,
  ...more,
});

describe('a queued message that the user edits', () => {
  function open(saved?: unknown) {
    const posted: FromView[] = [];
    const kept: unknown[] = [];
    const edits = new QueueEdits({ post: (each) => posted.push(each), load: () => saved, save: (state) => kept.push(state) });
    return { edits, posted, kept };
  }

  it('is unchanged until the user types, and is sent whole to the host', () => {
    const { edits, posted } = open();
    edits.begin(message());
    assert.equal(edits.takeFocus(message()), true);
    assert.equal(edits.takeFocus(message()), false, 'once');
    assert.deepEqual(edits.of(message({ editing: true })), { text: 'look', kept: [1, 2] });
    edits.set(message({ editing: true }), { text: 'see' });
    edits.set(message({ editing: true }), { kept: [2] });
    edits.save(message({ editing: true }));
    assert.deepEqual(posted, [
      { type: 'edit_queued', queueId: 'q' },
      { type: 'save_queued', queueId: 'q', text: 'see', kept: [2] },
    ]);
  });

  it('is forgotten when the host ends the edit', () => {
    const { edits, kept } = open();
    edits.set(message({ editing: true }), { text: 'see' });
    edits.keep({ queue: [message({ editing: true })] });
    assert.equal(edits.of(message()).text, 'see');
    edits.keep({ queue: [message()] });
    assert.equal(edits.of(message()).text, 'look');
    assert.deepEqual(kept.at(-1), { queueEdits: [] });
    edits.set(message({ editing: true }), { text: 'again' });
    edits.keep({ queue: [] });
    assert.equal(edits.of(message()).text, 'look', 'removed');
  });

  it('is held again once for a restored page', () => {
    const { edits, posted } = open({ queueEdits: [['q', { text: 'half', kept: [1] }]] });
    edits.keep({ queue: [] });
    edits.keep({ queue: [message({ paused: true })] });
    edits.keep({ queue: [message({ paused: true })] });
    assert.deepEqual(posted, [{ type: 'edit_queued', queueId: 'q' }]);
    edits.keep({ queue: [message({ paused: true, editing: true })] });
    assert.deepEqual(edits.of(message()), { text: 'half', kept: [1] });
  });

  it('is restored from storage only when it is well-formed', () => {
    for (const saved of [
      null,
      3,
      { queueEdits: 3 },
      { queueEdits: [3, ['q'], ['q', null], ['q', { text: 1, kept: [] }], ['q', { text: '', kept: ['1'] }]] },
    ]) {
      assert.equal(open(saved).edits.of(message()).text, 'look');
    }
  });
});
