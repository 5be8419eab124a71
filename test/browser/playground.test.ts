import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { keepPicture, root, startBrowser } from '../support/browser';
import './support/view';

/** The page that a contributor gets from `npm run playground`, with its bar. */
describe('playground', function () {
  this.timeout(90_000);
  const folder = path.join(root, 'test-results', 'playground');
  let server: ChildProcess;
  let page: Page;
  const errors: string[] = [];

  before(async () => {
    await mkdir(folder, { recursive: true });
    const { browser } = await startBrowser();
    server = spawn(process.execPath, ['esbuild.mjs', '--playground', '--serve', 'test/fixtures/frames/gemini.log.ndjson'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const address = await new Promise<string>((resolve, reject) => {
      server.stdout!.setEncoding('utf8').on('data', (text: string) => {
        const found = /^Playground: (\S+)/m.exec(text)?.[1];
        if (found) {
          resolve(found);
        }
      });
      server.once('exit', (code) => reject(new Error(`exit ${code}`)));
    });
    page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(address);
  });
  after(async () => {
    await page.close();
    server.kill();
  });

  const bar = () => page.getByRole('toolbar', { name: 'Playground' });
  const button = (name: string) => bar().getByRole('button', { name, exact: true });
  const choose = (list: string, option: string) => bar().getByRole('combobox', { name: list }).selectOption({ label: option });
  const place = async (words: RegExp) => bar().locator('output').getByText(words).waitFor();
  const picture = (name: string) => keepPicture(page, path.join(folder, `${name}.png`));

  it('starts with the gallery', async () => {
    await page.getByRole('button', { name: 'Always allow' }).waitFor();
    assert.ok(await button('Play').isDisabled());
    await picture('gallery');
  });

  it('plays a journal at any speed, and pauses, steps, seeks and restarts', async () => {
    await choose('Speed', '0.25×');
    await choose('What to show', 'journey');
    await button('Pause').click();
    await place(/^\d+ \/ \d+$/);
    const at = async () => Number((await bar().locator('output').innerText()).split(' ')[0]);
    const paused = await at();
    assert.ok(paused >= 1 && paused < 10, String(paused));
    await button('Step').click();
    await place(new RegExp(`^${paused + 1} /`));
    const end = Number((await bar().locator('output').innerText()).split(' ')[2]);
    await bar().getByRole('slider', { name: 'Place' }).fill(String(end));
    await page.getByText('both tests pass').first().waitFor();
    assert.ok(await button('Step').isDisabled());
    await picture('journey');
    await bar().getByRole('slider', { name: 'Place' }).fill('3');
    await page.getByText('both tests pass').first().waitFor({ state: 'detached' });
    await choose('Speed', 'at once');
    await button('Play').click();
    await place(new RegExp(`^${end} / ${end}$`));
    await page.getByText('both tests pass').first().waitFor();
    await button('Restart').click();
    await place(/^0 \//);
  });

  it('opens a file, and explains when it cannot play one', async () => {
    const file = bar().getByLabel('Open a journal');
    await file.setInputFiles(path.join(root, 'test/fixtures/journals/journey.jsonl'));
    await page.getByText('both tests pass').first().waitFor();
    assert.equal(await bar().getByRole('combobox', { name: 'What to show' }).inputValue(), 'journey.jsonl');
    await file.setInputFiles(path.join(root, 'test/fixtures/frames/gemini.log.ndjson'));
    await bar().getByText('npm run playground -- gemini.log.ndjson').waitFor();
  });

  it('plays the protocol log given to the command', async () => {
    await choose('What to show', 'gemini.log');
    await page.locator('.entry.tool').first().waitFor();
  });

  it('shows a session of ten thousand entries', async () => {
    await choose('What to show', '10,000 entries');
    await page.getByText('Question 1000: how does it greet?').waitFor();
    await picture('ten-thousand');
  });

  it('has every theme and narrow windows', async () => {
    await choose('Theme', 'hc-light');
    await page.waitForFunction(() => document.body.classList.contains('vscode-high-contrast-light'));
    await choose('Width', '320 px');
    await page.waitForFunction(() => document.querySelector('.app')!.getBoundingClientRect().width === 320);
    await picture('narrow');
    assert.deepEqual(errors, []);
  });
});
