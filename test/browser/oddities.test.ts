/** Rare and invalid messages of agents: the page still shows them, under a fitting name. */
import assert from 'node:assert/strict';
import type { ContentBlock } from '../../src/core/model/content';
import { PIXELS } from '../../webview/playground/galleryTexts';
import { View } from './support/view';
import { message, permissionRequest } from '../support/events';

describe('view: rare and invalid messages', function () {
  this.timeout(60_000);
  let view: View;

  before(async () => {
    view = await View.open();
  });
  beforeEach(async () => {
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.ready();
  });
  after(() => view.close());
  afterEach(() => assert.deepEqual(view.offences, []));

  const says = (...content: ContentBlock[]) => message(content);

  /** The text about a turn that ends with this stop reason. */
  async function wordsOf(stopReason: string): Promise<string> {
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.ready();
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      { type: 'message', role: 'user', messageId: 't', content: [{ type: 'text', text: `End with ${stopReason}` }] },
      { type: 'turn_ended', turnId: 't', stopReason },
    );
    await view.page
      .getByRole('log')
      .getByText(`End with ${stopReason.replace('\u202e', '⟨U+202E⟩')}`, { exact: true })
      .waitFor();
    const turn = view.page.locator('[data-slot="turn:t"]');
    await turn.waitFor({ state: 'attached' });
    return (await turn.innerText()).replace(/\s*[\d.]+ s$/, '');
  }

  it('shows the text of what it cannot display, and everything else as usual', async () => {
    const broken = { type: 'image', mimeType: 'image/png', data: 7, uri: 'picture.png' } as unknown as ContentBlock;
    await view.happen(
      says({ type: 'text', text: 'Before.' }),
      { type: 'message', role: 'agent', messageId: 'b', content: [broken] },
      { type: 'message', role: 'agent', messageId: 'a', content: [{ type: 'text', text: 'And after.' }] },
    );
    const log = view.page.getByRole('log');
    await log.getByText('And after.').waitFor();
    const part = view.page.getByRole('group', { name: "Couldn't show this part of the conversation. Its content:" });
    assert.match(await part.innerText(), /"uri": "picture\.png"/);
    assert.ok(await log.getByText('Before.').isVisible());
    assert.ok(view.offences.splice(0).every((offence) => offence.startsWith('console: A part of the conversation could not be shown.')));
    await view.happen({ type: 'message_chunk', role: 'agent', messageId: 'b', content: { type: 'text', text: 'More of it.' } });
    await log.getByText(/More of it/).waitFor();
    view.offences.splice(0);
  });

  it('shows why a turn ended, and explains a refusal', async () => {
    assert.equal(await wordsOf('end_turn'), 'The agent ended its turn without an answer.\nRetry\nShow Log');
    assert.equal(await wordsOf('cancelled'), 'Stopped');
    assert.equal(await wordsOf('max_tokens'), 'The agent stopped: it reached its token limit.\nContinue');
    assert.equal(await wordsOf('max_turn_requests'), 'The agent stopped: it reached its request limit for one turn.\nContinue');
    assert.equal(await wordsOf('refusal'), "The agent refused to continue. It won't remember this message or what followed.");
    assert.equal(await wordsOf('unknown'), "The turn ended. The agent didn't give a reason.");
    assert.equal(await wordsOf('_vendor/\u202etired'), 'The turn ended: _vendor/⟨U+202E⟩tired');
  });

  it('marks an end that the user did not want, and announces it to a screen reader', async () => {
    await wordsOf('refusal');
    await view.page.locator('.turn-reason .icon').waitFor();
    await view.page.waitForFunction(() =>
      [...document.querySelectorAll('[aria-live]')].some((region) => /refused/.test(region.textContent ?? '')),
    );
    await wordsOf('cancelled');
    assert.equal(await view.page.locator('.turn-reason').count(), 0);
  });

  it('shows pictures and plays sounds, and names what it cannot display', async () => {
    await view.happen(
      says(
        { type: 'image', data: PIXELS, mimeType: 'image/png' },
        { type: 'image', data: `data:image/jpg;base64,${PIXELS}`, mimeType: 'IMAGE/JPG; q=1' },
        { type: 'image', data: 'bm8gcGljdHVyZQ==', mimeType: 'image/webp' },
        { type: 'image', data: '', mimeType: 'image/gif' },
        { type: 'image', data: 'AA==', mimeType: 'image/svg+xml" onerror="x' },
        { type: 'audio', data: 'bm8gc291bmQ=', mimeType: 'audio/ogg' },
        { type: 'audio', data: '', mimeType: 'audio/wav' },
        { type: 'audio', data: 'AA==', mimeType: 'text/html' },
        { type: 'resource', uri: 'demo://a/archive.zip', mimeType: 'application/zip', blob: 'A'.repeat(2000) },
      ),
    );
    await view.page.getByText("Audio that can't be played (audio/ogg)").waitFor();
    await view.page.getByText("Image that can't be shown (image/webp)").waitFor();
    assert.deepEqual(
      await view.page.locator('.app img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth)),
      [96, 96],
    );
    for (const words of [
      'Image (image/gif)',
      'Image (image/svg+xml" onerror="x)',
      'Audio (audio/wav)',
      'Audio (text/html)',
      'archive.zip (application/zip, 1.5KB)',
    ]) {
      assert.equal(await view.page.getByText(words, { exact: true }).count(), 1, words);
    }
    assert.equal(await view.page.locator('audio').count(), 0);
  });

  it('shows the source of an SVG image, and runs none of it', async () => {
    const svg = '<svg onload="window.hacked=1"><script>window.hacked=1</script></svg>';
    await view.happen(says({ type: 'image', data: btoa(svg), mimeType: 'image/svg+xml' }));
    await view.page.getByRole('button', { name: 'Source' }).click();
    await view.page.getByText(svg).waitFor();
    assert.equal(await view.page.evaluate(() => (window as unknown as { hacked?: number }).hacked), undefined);
  });

  it('collapses content that is meant for the agent, wherever it is', async () => {
    const block = (text: string, audience: unknown): ContentBlock => ({ type: 'text', text, annotations: { audience } });
    await view.happen(
      says(
        block('for the model', ['assistant']),
        block('for both', ['assistant', 'user']),
        block('for nobody', []),
        block('for whom', 'user'),
      ),
      { type: 'message', role: 'user', messageId: 'u', content: [block('hidden context', ['assistant'])] },
      {
        type: 'tool_call_update',
        toolCallId: 't',
        patch: {
          title: 'T',
          status: 'failed',
          rawOutput: 'the reason',
          content: [{ type: 'content', content: block('raw result', ['assistant']) }],
        },
      },
    );
    const folds = view.page.getByRole('button', { name: 'For the agent' });
    await folds.nth(2).waitFor();
    assert.equal(await folds.count(), 3);
    for (const shown of ['for both', 'for nobody', 'for whom', 'the reason']) {
      assert.equal(await view.page.getByText(shown, { exact: true }).count(), 1, shown);
    }
    for (const hidden of ['for the model', 'hidden context', 'raw result']) {
      assert.equal(await view.page.getByText(hidden).count(), 0, hidden);
    }
    for (const fold of await folds.all()) {
      await fold.click();
    }
    for (const hidden of ['for the model', 'hidden context', 'raw result']) {
      await view.page.getByText(hidden).waitFor();
    }
  });

  it('keeps a usage of any size readable', async () => {
    const usage = async (used: number, size: number, cost?: { amount: number; currency: string }): Promise<string | null> => {
      await view.happen({ type: 'usage', usage: { used, size, ...(cost && { cost }) } });
      await view.painted();
      return view.page.locator('.usage').getAttribute('aria-label');
    };
    assert.equal(await usage(10, 0), 'Context: 10 tokens');
    assert.equal(await usage(-5, 10), 'Context: -5 of 10 (0%)');
    assert.equal(await usage(300, 200, { amount: 12, currency: 'credits' }), 'Context: 300 of 200 (150%), 12 credits');
    assert.equal(await usage(1, 2, { amount: 0.25, currency: 'x'.repeat(500) }), `Context: 1 of 2 (50%), 0.25 ${'x'.repeat(19)}…`);
    assert.equal(await view.page.locator('.usage circle').last().getAttribute('stroke-dasharray'), '50 100');
  });

  it('shows all answers and options with the same id', async () => {
    const option = (name: string, kind: string) => ({ optionId: 'go', name, kind });
    const choices = [
      { value: 'a', name: 'First' },
      { value: 'a', name: 'Second' },
    ];
    await view.happen(
      permissionRequest('p', 'Twice', { options: [option('Reject it', 'reject_once'), option('Allow it', 'allow_once')] }),
      {
        type: 'config_options',
        options: ['One', 'Two'].map((name) => ({ type: 'select', configId: 'same', name, currentValue: 'a', groups: [{ choices }] })),
      },
    );
    await view.page.getByRole('button', { name: 'Allow it' }).waitFor();
    for (const name of ['Reject it', 'Allow it']) {
      assert.equal(await view.page.getByRole('button', { name }).count(), 1);
    }
    for (const name of ['One', 'Two']) {
      await view.page.getByRole('combobox', { name }).click();
      assert.deepEqual(await view.page.getByRole('listbox', { name }).getByRole('option').allInnerTexts(), ['First', 'Second']);
      await view.page.keyboard.press('Escape');
    }
    await view.happen({ type: 'config_options', options: [{ type: 'boolean', configId: 'same', name: 'Three', currentValue: true }] });
    await view.page.getByRole('switch', { name: 'Three' }).waitFor();
    assert.equal(await view.page.locator('.option:not(.permission-mode)').count(), 1);
  });

  it('suggests commands of any name in the form that the user must type', async () => {
    await view.happen({
      type: 'available_commands',
      commands: ['go', 'go', '/slashed', 'with space', 'zero\u200bwidth'].map((name) => ({ name, description: 'Does it' })),
    });
    const message = view.page.getByLabel('Message', { exact: true });
    await message.fill('/');
    assert.deepEqual(await view.page.locator('.suggestion-name').allInnerTexts(), [
      '/go',
      '/go',
      '/slashed',
      '/with space',
      '/zero⟨U+200B⟩width',
      '/new',
    ]);
    await message.fill('/sl');
    await message.press('Enter');
    assert.equal(await message.inputValue(), '/slashed ');
    await message.fill('');
  });

  it('shows zero-width characters where they could mislead', async () => {
    await view.happen(
      permissionRequest('p', 'Delete\u3164 it\u2060', {
        options: [{ optionId: 'a', name: 'Al\u200blow', kind: 'allow_once' }],
        subject: { command: 'rm\u200b -rf\n\u00ad.' },
      }),
    );
    await view.page.getByText('Delete⟨U+3164⟩ it⟨U+2060⟩').waitFor();
    await view.page.getByRole('button', { name: 'Al⟨U+200B⟩low' }).waitFor();
    assert.equal(await view.page.locator('.subject-command').innerText(), 'rm⟨U+200B⟩ -rf\n⟨U+00AD⟩.');
  });

  it('handles strings of a megabyte', async () => {
    const long = 'x'.repeat(2 ** 20);
    await view.happen(
      {
        type: 'tool_call_update',
        toolCallId: long,
        patch: { title: long, name: long, kind: long, status: long, locations: [{ path: long }] },
      },
      { type: 'notice', noticeId: 'n', severity: long, title: long, description: long },
      { type: 'unknown', unknownId: 'u', label: long, raw: {} },
      { type: 'session_info', title: long },
      {
        type: 'config_options',
        options: [
          {
            type: 'select',
            configId: 'c',
            name: long,
            currentValue: long,
            groups: [{ name: long, choices: [{ value: long, name: long }] }],
          },
        ],
      },
      permissionRequest('p', long, { options: [{ optionId: long, name: long, kind: long }] }),
      { type: 'turn_started', turnId: 't' },
      { type: 'turn_ended', turnId: 't', stopReason: long },
    );
    await view.page.locator('.entry.turn').waitFor({ state: 'attached' });
    const seen = await view.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.entry:not(.notice), .header')].map((element) => element.innerText.length),
    );
    assert.ok(Math.max(...seen) < 10_000, seen.join(' '));
  });

  it('shows no spinner for a compaction whose agent is gone', async () => {
    await view.happen({ type: 'compaction_update', compactionId: 'c', status: 'in_progress' });
    await view.page.locator('.compaction .icon-spinner').waitFor();
    await view.happen({ type: 'disconnected', failure: { code: 'agent.exited' } });
    await view.page.getByText('Compacting the conversation was interrupted').waitFor();
    assert.equal(await view.page.locator('.compaction .icon-spinner').count(), 0);
  });

  it('shows the output of an agent’s terminal, whatever its id', async () => {
    for (const terminalId of ['constructor', '__proto__']) {
      await view.happen(
        { type: 'terminal_output', terminalId, text: `out of ${terminalId}` },
        { type: 'tool_call_update', toolCallId: terminalId, patch: { title: terminalId, content: [{ type: 'terminal', terminalId }] } },
      );
      await view.page.getByText(`out of ${terminalId}`).waitFor();
    }
  });
});
