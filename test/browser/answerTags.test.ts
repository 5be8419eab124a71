/** The supported HTML tags and footnotes of answers become elements. Line breaks of tool results are kept. */
import assert from 'node:assert/strict';
import { chunk, message, permissionRequest, toolCall, toolDiff, toolText } from '../support/events';
import { type View, eachInItsOwnView } from './support/view';

describe('an answer with HTML', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const answer = () => view.page.getByRole('group', { name: 'Agent', exact: true });

  it('shows details, kbd, sub, sup, br and footnotes as elements', async () => {
    await view.happen(
      message(
        '<details>\n<summary>More</summary>\n\nHidden **words**\n\n</details>\n\nPress <kbd>Ctrl</kbd>, H<sub>2</sub>O, x<sup>2</sup>, a<br>b[^1]\n\n[^1]: The *note*.',
      ),
    );
    await answer().locator('kbd', { hasText: 'Ctrl' }).waitFor();
    assert.deepEqual(await answer().locator('sub').allInnerTexts(), ['2']);
    assert.deepEqual(await answer().locator('sup').allInnerTexts(), ['2', '1', '1']);
    assert.equal(await answer().locator('br').count(), 1);
    assert.equal(await answer().locator('.md-note em').innerText(), 'note');
    const hidden = answer().getByText('Hidden words');
    assert.equal(await hidden.isVisible(), false);
    await answer().locator('summary').focus();
    await view.page.keyboard.press('Enter');
    await hidden.waitFor();
    await view.page.keyboard.press('Enter');
    await hidden.waitFor({ state: 'hidden' });
  });

  it('keeps open what the user opened while it streams', async () => {
    await view.happen(chunk('<details>\n<summary>More</summary>\n\nFirst\n\n</details>\n\nA'));
    await answer().locator('summary').click();
    await answer().getByText('First').waitFor();
    await view.happen(chunk(' tail\n\nB\n\nC\n\nD'));
    await answer().getByText('D', { exact: true }).waitFor();
    assert.ok(await answer().getByText('First').isVisible());
  });

  it('stays open while the user reads it when its end arrives', async () => {
    await view.happen(chunk('<details>\n<summary>More</summary>\n\nFirst'));
    await answer().getByText('First').waitFor();
    await view.happen(chunk('\n\n</details>\n\nAfter'));
    await answer().getByText('After').waitFor();
    assert.ok(await answer().getByText('First').isVisible());
  });

  it('creates no element, attribute or handler from any other HTML', async () => {
    await view.page.evaluate(() => Object.assign(window, { harm: 0 }));
    await view.happen(
      message(
        [
          '<details ontoggle="harm++" open>\n\nA\n\n</details>',
          '<details open><summary onclick="harm++">S</summary>\n\nB\n\n</details>',
          '<kbd onmouseover="harm++">C</kbd> <sup style="position:fixed">D</sup> <br onload=harm++>',
          '<img src=x onerror="harm++"> <script>harm++</script> <iframe srcdoc="x"></iframe> <svg onload=harm++>',
          '<details open><summary><img src=x onerror=harm++></summary>\n\n<style>*{display:none}</style>\n\n</details>',
          '[^x]: <img src=x onerror=harm++>\n\nSee[^x].',
        ].join('\n\n'),
      ),
    );
    await answer().getByText('See').waitFor();
    const found = await answer().evaluate((element) =>
      [...element.querySelectorAll('.md *')].flatMap((each) => [
        ...(/^(?:IMG|SCRIPT|IFRAME|SVG|STYLE|OBJECT|FORM)$/i.test(each.tagName) && !each.closest('button') ? [each.tagName] : []),
        ...each.getAttributeNames().filter((name) => name.startsWith('on') || (name === 'style' && each.matches('sup, kbd, details'))),
      ]),
    );
    assert.deepEqual(found, []);
    assert.equal(await view.page.evaluate(() => (window as unknown as { harm: number }).harm), 0);
    assert.match(await answer().innerText(), /<kbd onmouseover="harm\+\+">C<\/kbd>/);
  });

  it('renders thousands of nested details in a bounded time', async () => {
    await view.happen(message(`${'<details>\n<summary>x</summary>\n\n'.repeat(4000)}deep`), message(`${'<sub>'.repeat(4000)}low`, 'n'));
    await answer().nth(1).waitFor({ timeout: 15_000 });
    const depth = await answer()
      .first()
      .evaluate((element) => {
        let most = 0;
        for (const details of element.querySelectorAll('details')) {
          let levels = 0;
          for (let around: Element | null = details; around; around = around.parentElement) {
            levels++;
          }
          most = Math.max(most, levels);
        }
        return most;
      });
    assert.ok(depth > 3 && depth < 100, String(depth));
  });

  it('is found by Find inside closed details, which close again', async () => {
    await view.happen(message('<details>\n<summary>More</summary>\n\nneedle\n\n</details>\n\nAfter'));
    await answer().locator('summary').waitFor();
    await view.page.keyboard.press('Control+f');
    await view.page.getByRole('searchbox', { name: 'Find in conversation' }).fill('needle');
    await answer().getByText('needle').waitFor();
    await view.page.keyboard.press('Escape');
    await answer().getByText('needle').waitFor({ state: 'hidden' });
  });
});

describe('a question with HTML', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  it('shows everything expanded, and no text that is too small to read', async () => {
    const words = `<details>\n<summary>Harmless</summary>\n\nrm -rf everything\n\n</details>\n\n${'<sub><kbd>'.repeat(4)}tiny${'</kbd></sub>'.repeat(4)}`;
    const content = [toolText(words)];
    await view.happen(
      permissionRequest('own', 'May I?', { subject: { content } }),
      toolCall('c', { title: 'Delete', kind: 'delete', status: 'pending', content }),
      permissionRequest('on call', 'Delete', { subject: { toolCallId: 'c' } }),
    );
    await view.page.getByText('rm -rf everything').nth(1).waitFor();
    assert.ok(await view.page.getByText('rm -rf everything').first().isVisible());
    const size = await view.page
      .locator('kbd', { hasText: 'tiny' })
      .last()
      .evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
    assert.ok(size >= 9, `${size} px`);
  });

  it('expands what was collapsed before the agent asked', async () => {
    const content = [
      toolText('<details>\n<summary>Harmless</summary>\n\nrm -rf everything\n\n</details>'),
      toolDiff('/w/a.ts', 'a\n', 'b\n'),
    ];
    await view.happen(toolCall('c', { title: 'Clean up', kind: 'edit', status: 'pending', content }));
    await view.page.getByText('Harmless').waitFor();
    assert.equal(await view.page.getByText('rm -rf everything').isVisible(), false);
    await view.happen(permissionRequest('on call', 'Clean up', { subject: { toolCallId: 'c' } }));
    await view.page.getByText('rm -rf everything').waitFor();
  });
});

describe('a tool result in plain text', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  it('keeps its line breaks, also in list items and with carriage returns', async () => {
    const show = async (id: string, words: string): Promise<string> => {
      await view.happen(toolCall(id, { title: `Tool ${id}`, kind: 'other', status: 'completed', content: [toolText(words)] }));
      const card = view.page.getByRole('article', { name: `Tool ${id}` });
      await card.getByRole('button').first().click();
      return card.locator('.tool-content').innerText();
    };
    assert.equal(await show('a', 'result 7\nline 2\nline 3'), 'result 7\nline 2\nline 3');
    assert.equal(await show('b', 'one\r\ntwo **bold**\r\nthree'), 'one\ntwo bold\nthree');
    assert.equal(await show('c', '- item\n  goes on\n- next'), 'item\ngoes on\nnext');
  });

  it('leaves answers as paragraphs', async () => {
    await view.happen(message('one\ntwo'));
    assert.equal(await view.page.getByRole('group', { name: 'Agent', exact: true }).locator('p').innerText(), 'one two');
  });
});
