import assert from 'node:assert/strict';
import { View } from './support/view';
import { permissionRequest } from '../support/events';

describe('right-to-left text', function () {
  this.timeout(60_000);

  it('sets the direction of each paragraph and name, and leaves code and the page unchanged', async () => {
    const view = await View.open();
    try {
      await view.ready();
      const text =
        'مرحبا بالعالم، هذا نص.\n\nThis paragraph is English.\n\n- عنصر أول\n- second\n\n> اقتباس\n\n| عمود | b |\n|---|---|\n| ١ | 2 |\n\n```js\nconst x = "שלום";\n```\n';
      await view.happen(
        { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text: 'שלום, תקן את greet()' }] },
        { type: 'message', role: 'agent', messageId: 'a', content: [{ type: 'text', text }] },
        { type: 'tool_call_update', toolCallId: 't', patch: { title: 'קריאת הקובץ greet.ts (2)', kind: 'read', status: 'completed' } },
        permissionRequest('p', 'מחיקת dist?', {
          options: [{ optionId: 'y', name: 'כן', kind: 'allow_once' }],
          subject: { command: 'rm -rf dist' },
        }),
      );
      await view.page.getByText('const x').waitFor();
      const direction = (words: string) =>
        view.page
          .locator('.log')
          .getByText(words)
          .last()
          .evaluate((element) => getComputedStyle(element).direction);
      for (const [words, expected] of [
        ['שלום, תקן', 'rtl'],
        ['مرحبا', 'rtl'],
        ['This paragraph', 'ltr'],
        ['عنصر أول', 'rtl'],
        ['second', 'ltr'],
        ['اقتباس', 'rtl'],
        ['const x', 'ltr'],
        ['קריאת הקובץ', 'rtl'],
        ['מחיקת dist', 'rtl'],
        ['rm -rf dist', 'ltr'],
      ] as const) {
        assert.equal(await direction(words), expected, words);
      }
      assert.equal(await view.page.evaluate(() => getComputedStyle(document.body).direction), 'ltr');
      // The sentence's final point is at its end, to the left of its words.
      const left = await view.page
        .locator('.log')
        .getByText('مرحبا')
        .last()
        .evaluate((paragraph) => {
          const range = document.createRange();
          const text = paragraph.firstChild!;
          range.setStart(text, text.textContent!.length - 1);
          range.setEnd(text, text.textContent!.length);
          const point = range.getBoundingClientRect().left;
          range.setStart(text, 0);
          range.setEnd(text, 1);
          return point < range.getBoundingClientRect().left;
        });
      assert.ok(left);
      assert.deepEqual(view.offences, []);
    } finally {
      await view.close();
    }
  });
});
