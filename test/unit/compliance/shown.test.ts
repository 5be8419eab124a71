/**
 * The user reads words instead of the protocol's constants. Each constant that the user can see has its own text, and an unknown one is shown by its
 * name.
 */
import assert from 'node:assert/strict';
import { loadStrings } from '../../../webview/base/l10n';
import { statusLabel, toolKindLabel, turnReasonText } from '../../../webview/base/strings';
import { membersOf, SCHEMA, variantName } from './schemaTree';

describe('constants of the schema', () => {
  before(() => loadStrings(undefined));

  it('have a text for every kind, status and reason of the schema', () => {
    const worded: readonly (readonly [string, (name: string) => string])[] = [
      ['ToolKind', toolKindLabel],
      ['ToolCallStatus', statusLabel],
      ['PlanEntryStatus', statusLabel],
      ['StopReason', (stopReason: string) => turnReasonText({ stopReason })],
    ];
    for (const [area, wordOf] of worded) {
      const names = membersOf(SCHEMA.$defs[area]!).map(variantName);
      const words = names.map(wordOf);
      words.forEach((word, index) => {
        const name = names[index]!;
        assert.ok(!word.includes(name) && (word !== '' || name === 'end_turn'), `${area} ${name} is shown as ${JSON.stringify(word)}`);
      });
      assert.equal(new Set(words).size, names.length, `two of ${area} are shown alike: ${words.join(', ')}`);
      assert.ok(wordOf('_vendor_word').includes('_vendor_word'), `an unknown ${area} is shown by its name`);
    }
  });
});
