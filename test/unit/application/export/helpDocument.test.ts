import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { helpText } from '../../../../src/application/export/helpDocument';
import { english } from '../english';

describe('the accessibility help', () => {
  const text = helpText(english);
  const root = path.resolve(__dirname, '../../../..');
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    contributes: { commands: { command: string; title: string }[]; keybindings: { key?: string; linux?: string }[] };
  };
  const words = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;

  it('names every keybinding of the extension', () => {
    const names: Record<string, string> = {
      'ctrl+alt+n': 'Control+Alt+N',
      'ctrl+alt+shift+n': 'With Shift the agent is selected',
      'ctrl+alt+j': 'Control+Alt+J',
      'ctrl+k alt+down': 'Alt+Down or Alt+Up',
      'ctrl+k alt+up': 'Alt+Down or Alt+Up',
      'ctrl+k alt+y': 'Control+K Alt+Y keeps',
      'ctrl+k alt+z': 'Control+K Alt+Z undoes',
      'ctrl+k alt+shift+y': 'with Shift all changes of the file',
      'ctrl+k alt+shift+z': 'with Shift all changes of the file',
      'ctrl+alt+.': 'Control+Alt+Period',
      'ctrl+alt+,': 'Control+Alt+Comma',
      f2: 'F2 renames',
      delete: 'Delete deletes',
      enter: 'Enter opens the session',
      up: 'Up',
      down: 'Down',
      'ctrl+f': 'Control+F',
      'alt+f1': 'Alt+F1',
      'alt+f2': 'Alt+F2',
      'shift+alt+f1': 'Shift+Alt+F1',
      'shift+alt+f2': 'Shift+Alt+F2',
      'ctrl+k ctrl+alt+a': 'Control+K Control+Alt+A',
      'ctrl+k ctrl+alt+f': 'With F in place of A',
      'ctrl+k ctrl+alt+s': 'with S the selection',
    };
    for (const { key, linux } of manifest.contributes.keybindings) {
      assert.ok(text.includes(names[key ?? linux ?? ''] ?? '?'), key ?? linux);
    }
  });

  it('names commands by their real names', () => {
    const titles = manifest.contributes.commands.map(({ title }) => words[title.slice(1, -1)]);
    const named = [...text.matchAll(/\*\*ACP: ([^*]+)\*\*/g)].map(([, title]) => title);
    assert.ok(named.length >= 5);
    for (const title of named) {
      assert.ok(titles.includes(title), title);
    }
  });
});
