/** The texts that users read have one term for one thing. `npm run strings` lists them all. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type UserString, userStrings } from '../support/userStrings';

const root = path.resolve(__dirname, '../..');

/** One term for one thing, as VS Code uses it. */
const ONE_WORD: readonly (readonly [other: RegExp, word: string])[] = [
  [/\bchoose\b|\bchosen\b/i, 'select'],
  [/\bcancell(ed|ing)\b/i, 'canceled'],
  [/[’‘“”]/, 'straight quotes'],
  [/\banew\b|\bshall\b|\bof yours\b/i, 'plain English'],
];

const { strings } = userStrings(root);

function found(rules: readonly (readonly [RegExp, string])[], among: readonly UserString[]): string[] {
  return among.flatMap(({ place, text }) =>
    rules.filter(([old]) => old.test(text)).map(([old, now]) => `${place}: ${JSON.stringify(text)} has ${String(old)}; say: ${now}`),
  );
}

describe('texts that users read', () => {
  it('are found in code, page, demo and manifest', () => {
    const kinds = new Set(strings.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ['demo', 'fault', 'jsx', 'log', 'manifest', 'message', 'own']);
    assert.ok(strings.length > 900, String(strings.length));
    for (const text of ['Last used', 'Command:', 'Tour', 'Browse Agent History…', 'Always allow']) {
      assert.ok(
        strings.some((each) => each.text.toLowerCase() === text.toLowerCase()),
        text,
      );
    }
  });

  it('use one term for one thing', () => {
    const ours = strings.filter(({ kind }) => kind === 'message' || kind === 'manifest');
    assert.deepEqual(found(ONE_WORD, ours), []);
  });

  it('include a title for each command by which it is found, and no two the same', () => {
    const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const words = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8'));
    const worded = (text: string): string => text.replace(/^%(.+)%$/, (_, key: string) => words[key]);
    const titles: string[] = contributes.commands
      // Buttons of a row have the same title as the entries of its menu.
      .filter((each: { command: string }) => !each.command.endsWith('Button'))
      .map((each: { category: string; title: string }) => `${worded(each.category)}: ${worded(each.title)}`);
    assert.ok(titles.includes('ACP: New Session'));
    for (const typed of ['chat', 'agent', 'history', 'new agent session', 'acp']) {
      assert.ok(
        titles.some((title) => title.toLowerCase().includes(typed)),
        typed,
      );
    }
    assert.equal(new Set(titles).size, titles.length);
  });
});
