import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** The extension's sources that call VS Code. */
function sources(): { readonly name: string; readonly text: string }[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(path.join(root, 'src', name), 'utf8') }));
}

describe('text of the window’s terminals', () => {
  it('is never read from the clipboard, which may contain what the user copied elsewhere', () => {
    const reading = sources().filter(({ text }) => /\bclipboard\s*\.\s*read/.test(text));
    assert.deepEqual(
      reading.map(({ name }) => name),
      [],
    );
  });

  it('is never copied by a command of VS Code, which would replace the clipboard', () => {
    const copying = sources().filter(({ text }) => /['"`](?:workbench|editor)\.action\.[\w.]*(?:copy|cut)\w*['"`]/i.test(text));
    assert.deepEqual(
      copying.map(({ name }) => name),
      [],
    );
  });
});
