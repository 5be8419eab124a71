/** The bar with the changes that wait for review, above the composer. Pictures go to test-results/changesBar/. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { chunk, message } from '../support/events';
import { brokenIn } from './support/axe';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';

const FOLDER = '/home/ada/sample';
const FILES = [
  { path: `${FOLDER}/src/cart.ts`, operation: 'modify', added: 7, removed: 2 },
  { path: `${FOLDER}/test/cart.test.ts`, operation: 'add', added: 2, removed: 0 },
  { path: `${FOLDER}/old.bin`, operation: 'delete', removed: 2, undo: 'no' as const },
];
const three: EventInput = { type: 'pending_changes', changes: { files: FILES, added: 9, removed: 4 } };
const none: EventInput = { type: 'pending_changes' };

describe('the changes to review', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const bar = () => view.page.getByRole('group', { name: 'Changes to review' });
  const summary = () => bar().getByRole('button', { name: /files? changed/ });
  const rows = () => bar().getByRole('list', { name: 'Changed files' }).getByRole('listitem');
  /** The delay after which clicks count: the user has seen the list by then. */
  const read = () => view.page.waitForTimeout(700);
  const posted = async () =>
    (await view.posted('review_changes')).map(({ act, path: file }) => (file === undefined ? act : `${act} ${path.basename(file)}`));
  const focused = () =>
    view.page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
    });

  it('are visible while they wait, and follow the review', async () => {
    await view.painted();
    assert.equal(await bar().count(), 0);
    await view.happen(three);
    await summary().waitFor();
    assert.match(await bar().innerText(), /3 files changed\s*\+9\s*−4/);
    await bar().getByRole('button', { name: '3 files changed, +9 −4', exact: true }).waitFor();
    await view.happen({ type: 'pending_changes', changes: { files: FILES.slice(0, 1), added: 7, removed: 2 } });
    await bar().getByText('1 file changed').waitFor();
    await view.happen(none);
    await bar().waitFor({ state: 'detached' });
  });

  it('belong to the session: they stay over its turns and the end of its agent', async () => {
    const says = (text: string) => view.page.getByRole('log').getByText(text);
    await view.happen({ type: 'turn_started', turnId: 'a' }, message('One', 'a', 'user'), three, {
      type: 'turn_ended',
      turnId: 'a',
      stopReason: 'end_turn',
    });
    await summary().waitFor();
    await view.happen({ type: 'turn_started', turnId: 'b' }, message('Two', 'b', 'user'));
    await says('Two').waitFor();
    assert.match(await bar().innerText(), /3 files changed/);
    const more = [...FILES, { path: `${FOLDER}/b.ts`, operation: 'add', added: 1, removed: 0 }];
    await view.happen({ type: 'pending_changes', changes: { files: more, added: 10, removed: 4 } }, chunk('Done.'), {
      type: 'turn_ended',
      turnId: 'b',
      stopReason: 'end_turn',
    });
    await bar().getByText('4 files changed').waitFor();
    await view.happen({ type: 'disconnected', failure: { code: 'agent.exited' } });
    await view.page.getByRole('group', { name: 'Disconnected' }).waitFor();
    await bar().getByRole('button', { name: 'Keep', exact: true }).waitFor();
    assert.match(await bar().innerText(), /4 files changed/);
  });

  it('say which file has unsaved changes in an editor', async () => {
    const files = FILES.slice(0, 2).map((file, index) => ({ ...file, ...(index === 1 && { unsaved: 'yes' }) }));
    await view.happen({ type: 'pending_changes', changes: { files, added: 7, removed: 2 } } as typeof three);
    await view.page.getByRole('button', { name: /2 files changed/ }).click();
    await bar().getByText('unsaved').waitFor();
    const rows = await bar().getByRole('listitem').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => /unsaved/.test(row)),
      [false, true],
    );
    await view.happen({ type: 'pending_changes', changes: { files: FILES.slice(0, 2), added: 7, removed: 2 } });
    await bar().getByText('unsaved').waitFor({ state: 'detached' });
  });

  it('are kept, undone and reviewed together', async () => {
    await view.happen(three);
    await read();
    for (const name of ['Keep', 'Undo', 'Review']) {
      await bar().getByRole('button', { name, exact: true }).click();
    }
    assert.deepEqual(await posted(), ['keep', 'undo', 'open']);
    await view.page.getByRole('status').getByText('Changes kept').waitFor({ state: 'attached' });
  });

  it('are kept, undone and opened by file', async () => {
    await view.happen(three);
    await summary().click();
    await rows().nth(2).waitFor();
    await read();
    await bar().getByRole('button', { name: 'Keep: src/cart.ts', exact: true }).click();
    await bar().getByRole('button', { name: 'Undo: src/cart.ts', exact: true }).click();
    await bar().getByRole('button', { name: 'Open Diff: src/cart.ts', exact: true }).click();
    await bar().getByRole('button', { name: 'Open File: test/cart.test.ts', exact: true }).click();
    await rows().nth(0).getByRole('button', { name: 'src/cart.ts', exact: true }).click();
    assert.deepEqual(await posted(), ['keep cart.ts', 'undo cart.ts', 'open cart.ts', 'open cart.test.ts', 'open cart.ts']);
    assert.equal(await rows().nth(2).getByRole('button', { name: /^Undo/ }).count(), 0);
  });

  it('show the end of a long path, with the buttons of all files in columns', async () => {
    const long = { ...FILES[1]!, path: `${FOLDER}/test/a-rather-long-folder-name/cart.integration.test.ts` };
    await view.page.setViewportSize({ width: 300, height: 600 });
    await view.happen({ type: 'pending_changes', changes: { files: [FILES[0]!, long, FILES[2]!], added: 9, removed: 4 } });
    await summary().click();
    await rows().nth(2).waitFor();
    const [name, end] = await rows()
      .nth(1)
      .locator('.diff-path')
      .evaluate((button) => {
        const text = button.querySelector('bdi')!.lastChild!;
        const range = document.createRange();
        range.setStart(text, text.textContent!.length - '.test.ts'.length);
        range.setEnd(text, text.textContent!.length);
        return [button.getBoundingClientRect(), range.getBoundingClientRect()];
      });
    assert.ok(end!.left >= name!.left && end!.right <= name!.right + 1, `${end!.left}–${end!.right} of ${name!.left}–${name!.right}`);
    const columns = async (button: RegExp) =>
      bar()
        .getByRole('button', { name: button })
        .evaluateAll((all) => new Set(all.map((each) => Math.round(each.getBoundingClientRect().left))).size);
    assert.deepEqual([await columns(/^Keep: /), await columns(/^Open /)], [1, 1]);
  });

  it('show the whole focus ring, and each button by itself in high contrast', async () => {
    await view.happen(three);
    await summary().click();
    await rows().nth(2).waitFor();
    for (const theme of ['dark', 'hc']) {
      await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
      await summary().focus();
      await view.page.keyboard.press('Tab');
      await view.page.keyboard.press('Tab');
      // The list clips what is outside of it.
      const outside = await view.page.evaluate(() => {
        const { outlineOffset, outlineWidth } = getComputedStyle(document.activeElement!);
        return parseFloat(outlineOffset) + parseFloat(outlineWidth);
      });
      assert.equal(outside, 0, theme);
    }
    const [keep, undo] = await Promise.all(['Keep', 'Undo'].map((name) => bar().getByRole('button', { name, exact: true }).boundingBox()));
    assert.ok(keep!.x + keep!.width + 2 <= undo!.x, 'their borders touch');
  });

  it('offer no undo where no file can be undone', async () => {
    await view.happen({ type: 'pending_changes', changes: { files: FILES.slice(2), added: 0, removed: 2 } });
    await summary().waitFor();
    assert.equal(await bar().getByRole('button', { name: 'Undo', exact: true }).count(), 0);
    await bar().getByRole('button', { name: 'Keep', exact: true }).waitFor();
  });

  it('take each click of a double click only once', async () => {
    await view.happen(three);
    await read();
    await bar().getByRole('button', { name: 'Keep', exact: true }).dblclick();
    assert.deepEqual(await posted(), ['keep']);
  });

  it('ignore a click that was meant for the list before an update', async () => {
    const change = (...files: readonly object[]) =>
      view.happen({ type: 'pending_changes', changes: { files: files as typeof FILES, added: 1, removed: 1 } });
    const [first, second, third] = FILES;
    await change(second!, third!);
    await summary().click();
    await read();
    const [byFile, undo, all] = ['Keep: src/cart.ts', 'Undo: src/cart.ts', 'Keep'];
    const click = (...names: readonly string[]) =>
      bar().evaluate((element, labels) => {
        labels.forEach((label) => element.querySelector<HTMLElement>(`button[aria-label="${label}"]`)!.click());
      }, names);
    await change(first!, second!, third!);
    await rows().nth(2).waitFor();
    await click(byFile!, undo!, all!);
    assert.deepEqual(await posted(), []);
    await bar().getByRole('button', { name: 'Open Diff: src/cart.ts', exact: true }).click();
    await read();
    await change(first!, second!);
    await bar().getByText('2 files changed').waitFor();
    await click(byFile!);
    await change({ ...second!, added: 90 });
    await bar().getByText('1 file changed').waitFor();
    await click(all!);
    assert.deepEqual(await posted(), ['open cart.ts', 'keep cart.ts']);
  });

  it('are reached by keyboard, and move the focus to a neighbour', async () => {
    await view.happen(three);
    await summary().focus();
    await view.page.keyboard.press('Enter');
    await rows().nth(2).waitFor();
    const names: string[] = [];
    for (let count = 0; count < 12; count++) {
      await view.page.keyboard.press('Tab');
      names.push(await focused());
    }
    assert.deepEqual(names, [
      'src/cart.ts',
      'Keep: src/cart.ts',
      'Undo: src/cart.ts',
      'Open Diff: src/cart.ts',
      'test/cart.test.ts',
      'Keep: test/cart.test.ts',
      'Undo: test/cart.test.ts',
      'Open File: test/cart.test.ts',
      'old.bin',
      'Keep: old.bin',
      'Open Diff: old.bin',
      'Keep',
    ]);
    await bar().getByRole('button', { name: 'Keep: src/cart.ts', exact: true }).focus();
    await view.happen({ type: 'pending_changes', changes: { files: FILES.slice(1), added: 2, removed: 2 } });
    await bar().getByText('2 files changed').waitFor();
    assert.match(await focused(), /2 files changed/);
    await view.happen(none);
    await bar().waitFor({ state: 'detached' });
    assert.equal(await focused(), 'Message');
  });

  it('show a path with its control and direction characters made harmless', async () => {
    const hostile = `${FOLDER}/<img src=x onerror=alert(1)>\u202egnp.ts`;
    await view.happen({ type: 'pending_changes', changes: { files: [{ path: hostile, operation: 'modify' }], added: 0, removed: 0 } });
    await summary().click();
    await rows().first().waitFor();
    assert.equal(await bar().locator('img').count(), 0);
    assert.doesNotMatch(await rows().first().innerText(), /\u202e/);
    assert.deepEqual(view.offences, []);
  });

  it('count the files beyond those that are listed', async () => {
    await view.happen({ type: 'pending_changes', changes: { files: FILES, more: 40, added: 9, removed: 4 } });
    await bar().getByText('43 files changed').waitFor();
    await summary().click();
    await bar().getByText('and 40 more').waitFor();
  });

  for (const [width, height] of [
    [300, 640],
    [640, 400],
  ] as const) {
    it(`take one row while closed, at ${width} × ${height}`, async () => {
      await view.page.setViewportSize({ width, height });
      await view.happen(three);
      await summary().waitFor();
      const box = (await bar().boundingBox())!;
      assert.ok(box.height <= 32, `${box.height} px`);
      assert.ok(await view.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      const undo = (await bar().getByRole('button', { name: 'Undo', exact: true }).boundingBox())!;
      assert.ok(undo.x + undo.width <= width && undo.height >= 24 && undo.width >= 24);
      await summary().click();
      await rows().first().waitFor();
      const send = (await view.page.getByRole('button', { name: 'Send', exact: true }).boundingBox())!;
      assert.ok(send.y + send.height <= height, `${send.y} of ${height}`);
    });
  }

  it('are as accessible as the rest of the page, in light and dark', async () => {
    const folder = path.join(root, 'test-results', 'changesBar');
    mkdirSync(folder, { recursive: true });
    await view.happen(three);
    await summary().waitFor();
    for (const state of ['closed', 'open']) {
      if (state === 'open') {
        await summary().click();
        await rows().first().waitFor();
      }
      for (const theme of ['dark', 'light']) {
        await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
        assert.deepEqual(await brokenIn(theme, view), [], `${state}, ${theme}`);
        for (const width of [300, 640, 900]) {
          await view.page.setViewportSize({ width, height: width === 640 ? 400 : 640 });
          await view.painted();
          await keepPicture(view.page, path.join(folder, `${state}-${theme}-${width}.png`));
        }
      }
    }
  });
});
