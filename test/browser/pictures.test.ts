/**
 * Pasted and dropped pictures: detected by their bytes, in formats that models accept, with unique names, and possibly with a text beside
 * them.
 */
import assert from 'node:assert/strict';
import { pictureFormat } from '../../src/core/media/pictureFormats';
import { BMP, PICTURES, png } from '../support/pictures';
import { View } from './support/view';

interface Given {
  readonly name: string;
  readonly type: string;
  readonly data: Uint8Array | string;
}

type Sent = Readonly<Record<'type' | 'data' | 'mimeType' | 'uri' | 'text' | 'blob', string | undefined>>;

describe('a pasted or dropped picture', function () {
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

  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const chips = () => view.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const chipTexts = async (count: number): Promise<string[]> => {
    await chips()
      .nth(count - 1)
      .waitFor();
    return (await chips().allInnerTexts()).map((text) => text.trim());
  };

  /**
   * Dispatches a paste or a drop.
   * @param texts by their types
   */
  const give = (files: readonly Given[], texts: Readonly<Record<string, string>> = {}, event: 'paste' | 'drop' = 'paste') =>
    box().evaluate(
      (area, [kind, all, beside]) => {
        const transfer = new DataTransfer();
        for (const { name, type, base64 } of all) {
          transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, { type }));
        }
        Object.entries(beside).forEach(([type, text]) => transfer.setData(type, text));
        const options = { bubbles: true, cancelable: true };
        area.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: transfer })
            : new DragEvent('drop', { ...options, dataTransfer: transfer }),
        );
      },
      [event, files.map(({ name, type, data }) => ({ name, type, base64: Buffer.from(data).toString('base64') })), texts] as const,
    );

  const send = async (): Promise<readonly Sent[]> => {
    await view.page.getByRole('button', { name: 'Send', exact: true }).click();
    return (await view.postedAtLeast('prompt')).at(-1)!.content as unknown as readonly Sent[];
  };
  const bytesOf = (block: Sent | undefined): Buffer => Buffer.from(block?.data ?? block?.blob ?? '', 'base64');

  const SHOT: Given = { name: 'image.png', type: 'image/png', data: png(3, 2) };
  const TABLE = '<table><tr><td>a</td><td>b</td></tr></table>';

  describe('beside a text', () => {
    for (const event of ['paste', 'drop'] as const) {
      it(`is dropped in favour of a spreadsheet’s text: ${event}`, async () => {
        await box().fill('see: ');
        await give([SHOT], { 'text/plain': 'a\tb\n1\t2', 'text/html': TABLE }, event);
        await view.page.waitForFunction(() => document.querySelector('textarea')?.value.includes('1\t2'));
        assert.equal(await box().inputValue(), 'see: a\tb\n1\t2');
        assert.equal(await chips().count(), 0);
      });
    }

    it('is dropped in favour of the text when the agent takes no pictures', async () => {
      await view.happen({
        type: 'agent_initialized',
        protocolVersion: 1,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
        authMethods: [],
      });
      await give([SHOT], { 'text/plain': 'cell', 'text/html': TABLE });
      await view.page.waitForFunction(() => document.querySelector('textarea')?.value === 'cell');
      assert.equal(await view.page.locator('.composer-hint').innerText(), '');
    });

    it('is dropped in favour of a long text, which becomes a chip', async () => {
      await give([SHOT], { 'text/plain': Array.from({ length: 60 }, (_, row) => `${row}\tx`).join('\n') });
      assert.deepEqual(await chipTexts(1), ['Pasted text, 60 lines']);
    });

    it('is dropped in favour of another application’s clipboard data', async () => {
      await view.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await box().focus();
      await view.page.evaluate(async (base64) => {
        const picture = new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type: 'image/png' });
        const blob = (type: string, text: string) => new Blob([text], { type });
        await navigator.clipboard.write([
          new ClipboardItem({ 'image/png': picture, 'text/plain': blob('text/plain', 'a\tb'), 'text/html': blob('text/html', '<b>a</b>') }),
        ]);
      }, Buffer.from(SHOT.data).toString('base64'));
      await box().press('ControlOrMeta+v');
      await view.page.waitForFunction(() => document.querySelector('textarea')?.value === 'a\tb');
      assert.equal(await chips().count(), 0);
    });

    for (const [what, texts] of Object.entries<Record<string, string>>({
      'that is blank': { 'text/plain': ' \u200b\n' },
      'that is its element in a page': { 'text/html': '<meta charset="utf-8"><img src="https://example.com/image.png" alt="A cat">' },
      'that is its address': { 'text/plain': 'https://example.com/cat', 'text/html': '<img src="https://example.com/cat">' },
      'that is its path': { 'text/plain': '/home/ada/my pictures/image.png' },
      'that is its path on Windows, quoted': { 'text/plain': '"C:\\Users\\ada\\image.png"' },
      'that is its name': { 'text/plain': 'image.png' },
      'that is its address on disk': { 'text/plain': 'file:///home/ada/image.png' },
    })) {
      it(`is attached beside a text ${what}`, async () => {
        await give([SHOT], texts);
        assert.deepEqual(await chipTexts(1), ['image.png']);
        assert.equal(await box().inputValue(), '');
      });
    }

    it('is attached with the other files copied in a file manager', async () => {
      const notes: Given = { name: 'notes.txt', type: 'text/plain', data: 'some' };
      await give([SHOT, notes], { 'text/plain': '/home/ada/image.png\n/home/ada/notes.txt' });
      assert.deepEqual(await chipTexts(2), ['image.png', 'notes.txt']);
    });

    it('is attached with others copied in a file manager, whatever their folders', async () => {
      await give([SHOT, { ...SHOT, name: 'two words.png' }], { 'text/plain': '/a/image.png\r\nfile:///b/two%20words.png' });
      assert.deepEqual(await chipTexts(2), ['image.png', 'two words.png']);
    });
  });

  it('is dropped in favour of a web page’s address', async () => {
    const handled = await box().evaluate((area) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', 'https://example.com/');
      dataTransfer.setData('text/plain', 'https://example.com/');
      return !area.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    });
    assert.equal(handled, false);
    assert.deepEqual(await view.posted('attach_uris'), []);
  });

  it('is sent with the type of its bytes and a matching name, whatever its type and name claim', async () => {
    const { data } = PICTURES['a.png']!;
    await give([{ name: 'really-png.jpg', type: 'image/jpeg', data }]);
    await chipTexts(1);
    await give([
      { name: 'x.png', type: 'application/octet-stream', data },
      { name: 'plain', type: '', data },
      { name: 'x.jpg', type: 'image/jpg', data: PICTURES['a.jpg']!.data },
    ]);
    assert.deepEqual(await chipTexts(4), ['really-png.png', 'x.png', 'plain.png', 'x.jpg']);
    assert.deepEqual(
      (await send()).map(({ type, mimeType, uri }) => [type, mimeType, uri]),
      [
        ['image', 'image/png', 'attachment:/really-png.png'],
        ['image', 'image/png', 'attachment:/x.png'],
        ['image', 'image/png', 'attachment:/plain.png'],
        ['image', 'image/jpeg', 'attachment:/x.jpg'],
      ],
    );
  });

  it('is sent as text when it is an SVG image', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    await give([{ name: 'logo.svg', type: 'image/svg+xml', data: svg }]);
    await chipTexts(1);
    assert.deepEqual(await send(), [{ type: 'resource', uri: 'attachment:/logo.svg', mimeType: 'image/svg+xml', text: svg }]);
  });

  it('is converted when models refuse its format and the browser can decode it', async () => {
    await give([{ name: 'a.bmp', type: 'image/bmp', data: BMP }]);
    assert.deepEqual(await chipTexts(1), ['a.png (converted to PNG)']);
    const [block] = await send();
    assert.deepEqual([block?.type, block?.mimeType, block?.uri], ['image', 'image/png', 'attachment:/a.png']);
    const found = pictureFormat(bytesOf(block));
    assert.deepEqual([found?.mimeType, found?.width, found?.height], ['image/png', 2, 1]);
  });

  for (const name of ['a.tiff', 'a.heic', 'a.jxl', 'a.psd']) {
    it(`is sent as a file when the browser cannot decode it: ${name}`, async () => {
      const { data, mimeType } = PICTURES[name]!;
      await give([{ name, type: mimeType, data }]);
      assert.deepEqual(await chipTexts(1), [`${name} (sent as a file)`]);
      assert.deepEqual(await send(), [
        { type: 'resource', uri: `attachment:/${name}`, mimeType, blob: Buffer.from(data).toString('base64') },
      ]);
    });
  }

  it('is refused when the agent takes no files either', async () => {
    await view.happen({
      type: 'agent_initialized',
      protocolVersion: 1,
      promptCapabilities: { image: true, audio: true, embeddedContext: false },
      authMethods: [],
    });
    await give([{ name: 'a.tiff', type: 'image/tiff', data: PICTURES['a.tiff']!.data }]);
    await view.page.getByText("The agent doesn't accept: a.tiff").first().waitFor();
  });

  it('is refused with a message when its bytes are truncated', async () => {
    await give([{ name: 'x.tiff', type: 'image/tiff', data: Buffer.from('II*\0', 'latin1') }]);
    await view.page.getByText("Couldn't read the image: x.tiff").first().waitFor();
    assert.equal(await chips().count(), 0);
  });

  it('is scaled when it is larger than models accept, and the chip says so', async () => {
    await give([
      { name: 'large.png', type: 'image/png', data: png(9000, 900) },
      { name: 'fits.png', type: 'image/png', data: png(2000, 10) },
    ]);
    assert.deepEqual(await chipTexts(2), ['large.png (scaled to 2000 × 200)', 'fits.png']);
    const [large, fits] = await send();
    const found = pictureFormat(bytesOf(large));
    assert.deepEqual([large?.mimeType, found?.width, found?.height], ['image/png', 2000, 200]);
    assert.equal(fits?.data, png(2000, 10).toString('base64'));
  });

  it('is encoded again when it has more bytes than models accept', async () => {
    const size = await box().evaluate(async (area) => {
      const canvas = new OffscreenCanvas(1200, 1200);
      const context = canvas.getContext('2d')!;
      const noise = context.createImageData(1200, 1200);
      for (let at = 0; at < noise.data.length; at += 65_536) {
        crypto.getRandomValues(noise.data.subarray(at, at + 65_536));
      }
      context.putImageData(noise, 0, 0);
      const clipboardData = new DataTransfer();
      const file = new File([await canvas.convertToBlob()], 'noise.png', { type: 'image/png' });
      clipboardData.items.add(file);
      area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
      return file.size;
    });
    assert.ok(size > 3_750_000, `${size} bytes`);
    assert.deepEqual(await chipTexts(1), ['noise.jpg (converted to JPEG)']);
    const [block] = await send();
    const bytes = bytesOf(block);
    assert.deepEqual([block?.mimeType, pictureFormat(bytes)?.mimeType], ['image/jpeg', 'image/jpeg']);
    assert.ok(bytes.length <= 3_750_000, `${bytes.length} bytes`);
  });

  it('has a unique name among others of the same name, in the order of the pastes', async () => {
    await give([{ name: 'large.png', type: 'image/png', data: png(4000, 2000) }]);
    await give([{ ...SHOT, data: png(1, 1, [255, 0, 0]) }]);
    await give([{ ...SHOT, data: png(1, 1, [0, 0, 255]) }]);
    await give([
      { ...SHOT, name: 'pic.png' },
      { name: 'image.png', type: 'text/plain', data: 'text' },
      { name: 'note.txt', type: 'text/plain', data: 'a' },
    ]);
    await give([{ name: 'note.txt', type: 'text/plain', data: 'b' }]);
    const expected = [
      'large.png (scaled to 2000 × 1000)',
      'image.png',
      'image (2).png',
      'pic.png',
      'image (3).png',
      'note.txt',
      'note (2).txt',
    ];
    assert.deepEqual(await chipTexts(expected.length), expected);
    const sent = await send();
    assert.deepEqual(
      sent.map(({ uri }) => decodeURIComponent(uri ?? '')),
      ['large.png', 'image.png', 'image (2).png', 'pic.png', 'image (3).png', 'note.txt', 'note (2).txt'].map(
        (name) => `attachment:/${name}`,
      ),
    );
    assert.deepEqual(
      [sent[1]?.data, sent[2]?.data],
      [png(1, 1, [255, 0, 0]), png(1, 1, [0, 0, 255])].map((data) => Buffer.from(data).toString('base64')),
    );
  });

  it('is sent with a message that is sent while the picture is read', async () => {
    await box().fill('look');
    await give([{ name: 'large.png', type: 'image/png', data: png(3000, 3000) }]);
    assert.deepEqual(
      (await send()).map(({ type }) => type),
      ['text', 'image'],
    );
  });
});
