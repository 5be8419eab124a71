/** The display of a tool call that the user rejected, or whose turn was stopped. */
import assert from 'node:assert/strict';
import { toolDiff, toolText } from '../support/events';
import { asked, FOLDER } from './support/asked';
import { allInOneView, type View } from './support/view';

describe('a rejected tool call', function () {
  this.timeout(30_000);
  let view: View;
  allInOneView((opened) => (view = opened));

  const edit = { title: 'Edit a.ts', kind: 'edit', content: [toolDiff(`${FOLDER}/a.ts`, null, 'one\ntwo\n')] };
  const ends = [
    ['an edit', edit, { outcome: 'selected', optionId: 'n' }, 'failed', 'Rejected'],
    [
      'a command',
      { title: 'make', kind: 'execute', rawInput: { command: 'make' } },
      { outcome: 'selected', optionId: 'n' },
      'failed',
      'Rejected',
    ],
    ['an edit with a reason', { ...edit, title: 'Edit b.ts' }, { outcome: 'selected', optionId: 'n' }, 'cancelled', 'Rejected'],
    ['an edit of a stopped turn', { ...edit, title: 'Edit c.ts' }, { outcome: 'cancelled' }, 'failed', 'Canceled'],
  ] as const;
  for (const [index, [what, call, end, status, word]] of ends.entries()) {
    it(`reads ${word} alone, without counts: ${what}`, async () => {
      const id = `r${index}`;
      await view.happen(
        ...asked({ call }, id),
        { type: 'permission_resolved', permissionId: id, ...end },
        {
          type: 'tool_call_update',
          toolCallId: id,
          patch: { status, content: [...('content' in call ? call.content : []), toolText('No.')] },
        },
      );
      // The card of the last test may still be in the document.
      const card = view.page.getByRole('article', { name: `${call.title}, ${word}`, exact: true });
      await card.getByText(word, { exact: true }).waitFor();
      const line = (await card.locator('.tool-header').innerText()).replace(/\s+/g, ' ');
      assert.equal(line.replace(call.title, '').trim(), word);
      assert.equal(await card.locator('.tool-header').getAttribute('aria-expanded'), 'false');
      const color = (selector: string) => card.locator(selector).evaluate((element) => getComputedStyle(element).color);
      assert.equal(await color('.decision'), await color('.decision-word'));
      await card.locator('.tool-header').click();
      await card.getByText(word === 'Rejected' ? 'Rejected by you: No' : 'the turn was stopped').waitFor();
    });
  }
});
