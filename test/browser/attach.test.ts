import assert from 'node:assert/strict';
import { View } from './support/view';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface Given {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

describe('attachments of a message', function () {
  this.timeout(60_000);
  let view: View;
  beforeEach(async () => {
    view = await View.open();
    await view.ready();
    await view.tame();
  });
  afterEach(async () => {
    assert.deepEqual(view.offences, []);
    await view.close();
  });

  /** Dispatches the event of a paste or a drop, as the browser does. */
  const give = (event: 'paste' | 'drop', files: readonly Given[], uris = '') =>
    view.page.getByRole('textbox', { name: 'Message', exact: true }).evaluate(
      (area, [kind, given, list]) => {
        const transfer = new DataTransfer();
        for (const { name, type, base64 } of given) {
          transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, { type }));
        }
        if (list) {
          transfer.setData('text/uri-list', list);
        }
        const options = { bubbles: true, cancelable: true };
        area.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: transfer })
            : new DragEvent('drop', { ...options, dataTransfer: transfer }),
        );
      },
      [event, files, uris] as const,
    );

  const send = async () => {
    await view.page.getByRole('button', { name: 'Send', exact: true }).click();
    return (await view.postedAtLeast('prompt')).at(-1)!.content;
  };

  it('takes a picture before the agent’s capabilities are known', async () => {
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.happen({ type: 'session_opened', agentName: 'Demo Agent', cwd: '/home/ada/sample' });
    await give('paste', [{ name: 'image.png', type: 'image/png', base64: PIXEL }]);
    await view.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem').first().waitFor();
  });

  it('takes a pasted picture, and a dropped sound and text', async () => {
    await give('paste', [{ name: 'image.png', type: 'image/png', base64: PIXEL }]);
    await give('drop', [
      { name: 'voice.mp3', type: 'audio/mpeg', base64: btoa('not really') },
      { name: 'notes.txt', type: 'text/plain', base64: btoa('some notes') },
    ]);
    const chips = view.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await chips.nth(2).waitFor();
    assert.deepEqual(await chips.locator('img').evaluateAll((all) => all.map((each) => (each as HTMLImageElement).src)), [
      `data:image/png;base64,${PIXEL}`,
    ]);
    assert.deepEqual(await send(), [
      { type: 'image', data: PIXEL, mimeType: 'image/png', uri: 'attachment:/image.png' },
      { type: 'audio', data: btoa('not really'), mimeType: 'audio/mpeg' },
      { type: 'resource', uri: 'attachment:/notes.txt', mimeType: 'text/plain', text: 'some notes' },
    ]);
  });

  it('opens a text before it is sent, and removes it with a key', async () => {
    const block = { type: 'resource' as const, uri: 'acp-host:/old/conversation.md', mimeType: 'text/markdown', text: '## You' };
    await view.send({ type: 'attach', blocks: [block] });
    const chip = view.page.getByRole('list', { name: 'Attachments' }).getByRole('button', { name: 'conversation.md', exact: true });
    await chip.press('Enter');
    assert.deepEqual((await view.postedAtLeast('open_mention'))[0]!.mention.ref, { kind: 'content', block });
    await view.page.getByRole('button', { name: 'Remove conversation.md' }).waitFor();
    await chip.press('Delete');
    await chip.waitFor({ state: 'detached' });
  });

  it('names what the agent does not accept, and keeps the rest', async () => {
    await view.happen({
      type: 'agent_initialized',
      protocolVersion: 1,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      authMethods: [],
    });
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).fill('look');
    await give('paste', [{ name: 'image.png', type: 'image/png', base64: PIXEL }]);
    await view.page.getByText("The agent doesn't accept: image.png").first().waitFor();
    assert.deepEqual(await send(), [{ type: 'text', text: 'look' }]);
  });

  it('reports a part that is too large until something is typed, even when other parts of the paste are taken', async () => {
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).evaluate((area) => {
      const clipboardData = new DataTransfer();
      const sizes = { 'huge.txt': 300 * 1024, 'small.txt': 8 };
      Object.entries(sizes).forEach(([name, size]) => clipboardData.items.add(new File(['x'.repeat(size)], name, { type: 'text/plain' })));
      area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    });
    await view.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem').first().waitFor();
    await view.painted();
    const hint = view.page.locator('.composer-hint');
    assert.match(await hint.innerText(), /^huge\.txt is too large: 307KB, at most 262KB$/);
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).pressSequentially('look');
    await view.painted();
    assert.equal(await hint.innerText(), '');
  });

  it('leaves the editor’s files to the host, and text to the text area', async () => {
    await give('drop', [], 'file:///home/ada/sample/a.ts\r\n# no file\r\nfile:///home/ada/sample/b.ts');
    assert.deepEqual((await view.postedAtLeast('attach_uris'))[0]!.uris, ['file:///home/ada/sample/a.ts', 'file:///home/ada/sample/b.ts']);
    await view.page.getByRole('button', { name: 'Attach files', exact: true }).click();
    await view.postedAtLeast('attach_files');
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).pressSequentially('plain');
    assert.deepEqual(await send(), [{ type: 'text', text: 'plain' }]);
  });
});
