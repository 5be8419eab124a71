import assert from 'node:assert/strict';
import type { Mention } from '../../../../src/core/mentions/mention';
import { parseIntent } from '../../../../src/core/protocol/intent';
import type { FromView } from '../../../../src/core/protocol/view';
import { Draft } from '../../../../webview/state/draft';
import { MemoryHost } from '../../../../webview/base/host';
import { message, stateOf } from '../../../support/events';

describe('a draft', () => {
  function page(kept?: unknown, early?: { text: string; send: boolean }): { draft: Draft; posted: FromView[]; saved: () => unknown } {
    const posted: FromView[] = [];
    let state = kept;
    const host = new MemoryHost((message) => posted.push(message), { read: () => state, write: (next) => void (state = next) });
    return { draft: new Draft(host, early), posted, saved: () => state };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('is sent to the host once for each change, but not after it was only restored', async () => {
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

  it('sends a mentioned file once when it is also the active file', () => {
    const { draft } = page();
    const file = (name: string): Mention => ({ type: 'mention', token: `@${name}`, name, ref: { kind: 'file', uri: `file:///w/${name}` } });
    const live = (mention: Mention) => ({ context: 'activeFile' as const, mention });
    draft.setLive([live({ ...file('a.ts'), token: '@active' }), live(file('b.ts'))]);
    draft.setText(`Explain ${draft.mention(file('a.ts'))}`);
    assert.deepEqual(draft.content, [{ type: 'text', text: 'Explain ' }, file('a.ts'), file('b.ts')]);
  });

  it("uses the host's version only when it is newer than the page's", () => {
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

  describe('on a page that is hidden without notice', () => {
    const shortly = () => new Promise((resolve) => setTimeout(resolve, 30));
    const told = (posted: readonly FromView[]) => posted.map((message) => message.type === 'draft' && message.content);
    const old = [{ type: 'text' as const, text: 'old' }];

    it('is saved at once after a pause, and whenever it is emptied', async () => {
      const { draft, posted, saved } = page();
      draft.setText('old');
      await shortly();
      assert.deepEqual(told(posted), [old]);
      // The change directly follows the typed text.
      draft.setText('old and');
      draft.setText('');
      await shortly();
      assert.deepEqual(told(posted), [old, []]);
      const { draft: next } = page(saved());
      next.adopt({ at: (posted[0] as { at: number }).at, content: old });
      assert.equal(next.text, '');
      next.attach([{ type: 'mention', token: '@a.ts', name: 'a.ts', ref: { kind: 'file', uri: 'file:///w/a.ts' } }]);
      assert.equal(next.text.trim(), '@a.ts');
    });

    it("overrides the page's version when it was emptied on another page later", () => {
      const { draft, saved } = page();
      draft.setText('old');
      draft.flush();
      const { draft: next } = page(saved());
      next.adopt({ at: (saved() as { at: number }).at + 1, content: [] });
      assert.equal(next.text, '');
    });

    it('is not saved with every letter', async () => {
      const { draft, posted } = page();
      for (let count = 1; count <= 5; count++) {
        draft.setText('x'.repeat(count));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      assert.equal(posted.length, 1);
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.deepEqual(told(posted).slice(1), [[{ type: 'text', text: 'xxxxx' }]]);
    });
  });

  describe('beside an earlier message that is edited', () => {
    const file: Mention = { type: 'mention', token: '@a.ts', name: 'a.ts', ref: { kind: 'file', uri: 'file:///w/a.ts' } };
    const picture = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const earlier = [{ type: 'text' as const, text: 'earlier' }, picture];
    const text = (value: string) => ({ type: 'text' as const, text: value });

    it('is restored with the edit, its mentions and attachments, when the page was created again', () => {
      const { draft, saved } = page();
      draft.setText('the draft');
      draft.edit('e', earlier);
      draft.mention(file);
      draft.setText('edited @a.ts');
      draft.flush();
      const { draft: next } = page(JSON.parse(JSON.stringify(saved())));
      assert.equal(next.editing, 'e');
      assert.deepEqual(next.takeEdit(), [text('edited '), file, picture]);
      assert.equal(next.editing, undefined);
      assert.deepEqual(next.content, [text('the draft')]);
    });

    it('is sent to the host with the edit, with which another page can continue', async () => {
      const { draft, posted } = page();
      draft.setText('the draft');
      draft.edit('e', earlier);
      draft.mention(file);
      draft.setText('edited @a.ts');
      draft.flush();
      await settled();
      const told = posted.at(-1)!;
      assert.ok(told.type === 'draft' && parseIntent(told));
      const { draft: next } = page();
      next.adopt(told);
      assert.deepEqual([next.editing, next.takeEdit()], ['e', [text('edited '), file, picture]]);
      assert.deepEqual(next.content, [text('the draft')]);
    });

    it("takes the host's version, while the edit stays", () => {
      const { draft, saved } = page();
      draft.setText('old draft');
      draft.edit('e', earlier);
      draft.flush();
      const { at } = saved() as { at: number };
      const { draft: next, saved: savedNext } = page(saved());
      next.adopt({ at: at + 1, content: [text('newer draft'), file] });
      assert.equal(next.text, 'earlier');
      assert.deepEqual(next.attachments, [picture]);
      next.flush();
      assert.equal((savedNext() as { draft: string }).draft, 'newer draft');
      next.endEdit();
      assert.equal(next.text, 'newer draft');
      assert.deepEqual(next.attachments, []);
    });

    it('receives a returned message, which does not change the edit', () => {
      const { draft } = page();
      draft.setText('behind');
      draft.edit('e', earlier);
      draft.setText('edited');
      const given = [text('given back'), { ...picture, data: 'BBBB' }];
      draft.restoreMessage(given);
      assert.equal(draft.text, 'edited');
      assert.deepEqual(draft.attachments, [picture]);
      draft.restoreMessage([text('and this')]);
      draft.withdraw([text('and this')]);
      draft.endEdit();
      assert.deepEqual(draft.content, [text('given back\n\nbehind'), { ...picture, data: 'BBBB' }]);
    });

    it('contains the edit when its message was deleted', () => {
      const { draft, saved } = page();
      draft.setText('behind');
      draft.edit('e', earlier);
      draft.keepEdit((entryId) => entryId === 'e');
      assert.equal(draft.editing, 'e');
      draft.keepEdit(() => false);
      assert.equal(draft.editing, undefined);
      assert.deepEqual(draft.content, [text('earlier\n\nbehind'), picture]);
      draft.flush();
      assert.equal(page(JSON.parse(JSON.stringify(saved()))).draft.editing, undefined);
    });

    it('discards the saved edit when that is sent or canceled', () => {
      const { draft, saved } = page();
      draft.edit('e', earlier);
      draft.flush();
      draft.endEdit();
      draft.flush();
      assert.equal(page(JSON.parse(JSON.stringify(saved()))).draft.editing, undefined);
    });

    it('ignores a malformed saved edit', () => {
      for (const edit of [null, 7, 'x', {}, { entryId: 'e', text: 'x' }, { entryId: 1, text: 'x', mentions: [], attachments: [] }]) {
        assert.equal(page({ draft: 'd', at: 1, edit }).draft.editing, undefined, JSON.stringify(edit));
      }
      const odd = { entryId: 'e', text: 'x', mentions: [1, {}], attachments: [null, 'y'] };
      assert.deepEqual(page({ draft: 'd', at: 1, edit: odd }).draft.content, [text('x')]);
    });
  });

  describe('with mentions', () => {
    const mention = (token: string, line?: number): Mention => ({
      type: 'mention',
      token,
      name: token.slice(1),
      ref: { kind: 'file', uri: `file:///w/${token.slice(1)}`, ...(line !== undefined && { line }) },
    });
    const pasted: Mention = {
      type: 'mention',
      token: '[Pasted text, 40 lines]',
      name: 'Pasted text, 40 lines',
      ref: { kind: 'content', block: { type: 'resource', uri: 'attachment:/pasted-text.txt', text: 'long' } },
    };

    it('keeps them across a reload of the page, and of the window through the host', async () => {
      const { draft, posted, saved } = page();
      draft.attach([mention('@a.ts'), pasted]);
      draft.setText(`see ${draft.text}now`);
      const content = draft.content;
      assert.deepEqual(
        content.map((block) => (block.type === 'text' ? block.text : block)),
        ['see ', mention('@a.ts'), ' ', pasted, ' now'],
      );
      draft.flush();
      await settled();
      assert.deepEqual(page(saved()).draft.content, content);
      const told = posted.findLast((message) => message.type === 'draft')!;
      const kept = parseIntent(JSON.parse(JSON.stringify(told)));
      assert.ok(kept?.type === 'draft');
      const fresh = page().draft;
      fresh.adopt(kept);
      assert.deepEqual(fresh.content, content);
      assert.deepEqual(fresh.attachments, []);
    });

    it('has only those whose token is in the text, and restores them after an undo', () => {
      const { draft } = page();
      draft.attach([mention('@a.ts')]);
      assert.equal(draft.mentions.length, 1);
      draft.setText('@a.t');
      assert.deepEqual(draft.content, [{ type: 'text', text: '@a.t' }]);
      draft.setText('@a.ts');
      assert.deepEqual(draft.content, [mention('@a.ts')]);
      draft.take();
      draft.setText('@a.ts');
      assert.deepEqual(draft.content, [{ type: 'text', text: '@a.ts' }], 'what was sent is not remembered');
    });

    it('restores a returned message unchanged, before the present text', () => {
      const { draft } = page();
      draft.attach([mention('@a.ts', 1)]);
      draft.restoreMessage([{ type: 'text', text: 'old ' }, mention('@a.ts', 9), { type: 'text', text: ' too' }, attachment]);
      assert.equal(draft.text, 'old @a.ts~2 too\n\n@a.ts ');
      assert.deepEqual(
        draft.mentions.map(({ ref }) => ref.kind === 'file' && ref.line),
        [9, 1],
      );
      assert.deepEqual(draft.attachments, [attachment]);
    });

    it('opens an earlier message with them for editing, and receives a returned one meanwhile', () => {
      const { draft } = page();
      draft.setText('new');
      draft.edit('user:1', [
        { type: 'text', text: 'old ' },
        { type: 'resource', uri: 'file:///w/a.ts', text: 'a' },
        { type: 'text', text: ' too' },
      ]);
      assert.equal(draft.text, 'old @a.ts too');
      assert.equal(draft.mentions.length, 1);
      draft.restoreMessage([{ type: 'text', text: 'back ' }, mention('@b.ts'), attachment]);
      assert.equal(draft.editing, 'user:1');
      assert.equal(draft.text, 'old @a.ts too');
      draft.endEdit();
      assert.equal(draft.text, 'back @b.ts\n\nnew');
      assert.deepEqual(draft.attachments, [attachment]);
    });

    it('restores them with an earlier message', () => {
      const { draft } = page();
      draft.showEarlier('see @a.ts', [mention('@a.ts')]);
      draft.setText('see @a.ts!');
      assert.equal(draft.content[1], draft.mentions[0]);
    });

    it('includes the context that the user looks at, and counts as empty with that alone', () => {
      const { draft, saved } = page();
      draft.setLive([{ context: 'activeFile', mention: mention('@b.ts') }]);
      assert.equal(draft.empty, true);
      draft.setText('hello');
      draft.flush();
      assert.deepEqual(draft.content, [{ type: 'text', text: 'hello' }, mention('@b.ts')]);
      assert.deepEqual(page(saved()).draft.content, [{ type: 'text', text: 'hello' }], 'it is not the draft’s');
    });
  });

  const text = (words: string) => [{ type: 'text' as const, text: words }];
  const attachment = { type: 'resource' as const, uri: 'file:///a', text: 't' };

  it('appends text that was typed before the script ran to the saved draft, wherever that was', async () => {
    const early = { text: 'early', send: false };
    const earlier = page();
    earlier.draft.setText('of the page');
    earlier.draft.flush();
    const { at } = earlier.saved() as { at: number };
    for (const [kept, keptAt, content, becomes] of [
      [undefined, 0, [], 'early'],
      [undefined, 7, [...text('of the host'), attachment], 'of the host\n\nearly'],
      [earlier.saved(), at, text('of the page'), 'of the page\n\nearly'],
      [earlier.saved(), at + 1, text('of the host'), 'of the host\n\nearly'],
      [earlier.saved(), at + 1, [], 'early'],
    ] as const) {
      const { draft, posted, saved } = page(kept, early);
      draft.adopt({ at: keptAt, content });
      assert.equal(draft.text, becomes);
      assert.deepEqual(draft.attachments, content.length > 1 ? [attachment] : []);
      // The result is an ordinary draft.
      draft.flush();
      await settled();
      assert.equal((saved() as { draft: string }).draft, becomes);
      assert.deepEqual(
        posted.map((message) => message.type === 'draft' && message.at > keptAt && message.content[0]),
        [{ type: 'text', text: becomes }],
      );
    }
  });

  it('loses neither later typing nor the saved draft, when that arrives late', () => {
    const { draft } = page(undefined, { text: 'ear', send: false });
    draft.setText('early');
    draft.attach([attachment]);
    draft.adopt({ at: 7, content: text('of the host') });
    assert.equal(draft.text, 'of the host\n\nearly');
    assert.deepEqual(draft.attachments, [attachment]);
    draft.setText('something else');
    draft.adopt({ at: 8, content: text('of long ago') });
    assert.equal(draft.text, 'something else');
  });

  it('reports once that it was to be sent', () => {
    const { draft } = page(undefined, { text: 'early', send: true });
    assert.deepEqual([draft.takeSend(), draft.takeSend()], [true, false]);
    assert.equal(page().draft.takeSend(), false);
  });

  it('is unchanged while an earlier message is shown in its place, until that is edited', () => {
    const { draft, saved } = page();
    const { entries } = stateOf([message('one', 'u1', 'user'), message('two', 'u2', 'user')]);
    const earlier = () => {
      const step = draft.history.earlier(entries, draft.text);
      assert.ok(step && 'text' in step);
      draft.showEarlier(step.text);
      draft.flush();
      return [draft.text, (saved() as { draft: string }).draft];
    };
    draft.setText('typed');
    assert.deepEqual(earlier(), ['two', 'typed']);
    assert.equal(draft.isRecalled, true);
    draft.setText('two!');
    draft.flush();
    assert.equal((saved() as { draft: string }).draft, 'two!');
    assert.equal(draft.isRecalled, false);
    assert.deepEqual(earlier(), ['one', 'typed']);
    assert.deepEqual(draft.take(), [{ type: 'text', text: 'one' }]);
    assert.equal(draft.text, 'typed', 'what was put aside is there again');
    assert.equal((saved() as { draft: string }).draft, 'typed');
    assert.deepEqual(draft.take(), [{ type: 'text', text: 'typed' }]);
    assert.equal(draft.text, '');
  });
});
