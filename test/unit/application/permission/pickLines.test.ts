import assert from 'node:assert/strict';
import { modeLines, rowsOf } from '../../../../src/application/permission/pickLines';
import { modeLimitsText, modeAbout, sandboxHint } from '../../../../src/text/messages/permissionModes';
import { PERMISSION_MODES } from '../../../../src/core/modes/permissionMode';
import { englishVerbatim } from '../english';

describe('the lines of the quick pick of permission modes', () => {
  it('fit its width', () => {
    for (const mode of PERMISSION_MODES) {
      const { description = '', detail } = modeLines(modeAbout(mode, englishVerbatim));
      assert.ok(description.length <= 60 && detail.length <= 86, `${description} | ${detail}`);
    }
    const limits = { edits: 'unknown', commands: 'itself', isVersion2: true } as const;
    const text = `${modeLimitsText(limits, 'Scripted', englishVerbatim)} ${sandboxHint(englishVerbatim)}`;
    const lines = rowsOf(text).flat() as readonly string[];
    assert.equal(lines.join(' '), text);
    assert.ok(
      lines.every((line) => line.length <= 80),
      lines.join('\n'),
    );
  });

  it('keep a word that is too long, and no text', () => {
    const word = 'x'.repeat(100);
    assert.deepEqual(rowsOf(`a ${word} b`), [['a', word], ['b']]);
    assert.deepEqual(rowsOf(''), []);
    assert.deepEqual(modeLines('One.'), { detail: 'One.' });
  });
});
