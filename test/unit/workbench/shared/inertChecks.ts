/** Actions that a text must not trigger where VS Code shows it, and texts that try to. */
import assert from 'node:assert/strict';
import path from 'node:path';
import * as fc from 'fast-check';
import { withoutUnseen } from '../../../../src/text/characters/characters';
import { actionsIn } from '../../../support/vscodeText';

export const root = path.resolve(__dirname, '../../../..');

export const COMMAND = '(command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D)';

/** Whole links and icons, their halves, hidden characters, and overlong text. */
export const HOSTILE = [
  `[x]${COMMAND}`,
  `[x]${COMMAND.slice(0, -1)} "title")`,
  '[x](https://example.com/)[y](file:///etc/passwd)',
  `a] [b]${COMMAND}`,
  '[x]',
  '[x',
  'x]',
  COMMAND,
  '$(warning)',
  '\\$(x)',
  '$$(sync~spin)',
  '$',
  '(warning)',
  `[x]\n${COMMAND}`,
  `[x]\u2060${COMMAND}`,
  `[x]\u2060\u2060${COMMAND}`,
  `[x]$(a)${COMMAND}`,
  `[x]\u200b${COMMAND}`,
  `[x\u202e]${COMMAND}`,
  `[x]\u0000${COMMAND}`,
  `[x]\ud800${COMMAND}\udc00`,
  `[\t]${COMMAND}`,
  `[${'x'.repeat(990)}]${COMMAND}`,
  `${'['.repeat(1_200)}x]${COMMAND}`,
];

/** Text of the relevant characters, with the words that make a link or an icon of them. */
export const anything = fc
  .array(
    fc.oneof(
      fc.constantFrom('[', ']', '(', ')', '$', '\\', '\u2060', ' ', '\n', '"', 'x', '~', '{name}', '&&'),
      fc.constantFrom(COMMAND, '(https://x)', '[x]', 'check)', 'command:x'),
      fc.string({ maxLength: 3 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((pieces) => pieces.join(''));

/** Asserts that `text` triggers nothing. @param icons the number of the extension's own icons */
export function assertInert(text: string, what: string, icons = 0): void {
  assert.deepEqual(actionsIn(text, icons), [], what);
  const ours = text.replace(/(?<=[\]$])\u2060|\u2060(?=\()/g, '').replaceAll('\n', '');
  assert.equal(
    withoutUnseen(ours, () => '!'),
    ours,
    `${what}: nothing that is not seen`,
  );
  assert.ok(!/[\r\t\u2028\u2029]/.test(text) && text.isWellFormed(), `${what}: one line`);
}
