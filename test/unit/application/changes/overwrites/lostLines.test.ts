/** Finds the saved lines that a later text lacks. */
import assert from 'node:assert/strict';
import { changesLostIn, compareSaved } from '../../../../../src/application/changes/overwrites/lostLines';
import { applyEdits } from '../../../../../src/fs/merge';
import type { TextStep } from '../../../../../src/changes/hunks/replayTurn';

const BASE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const MINE = BASE.replace('five', 'five // mine');
const FIX = BASE.replace('two', 'TWO');
const BOTH = MINE.replace('two', 'TWO');

describe('saved lines', () => {
  const compare = (base: string, saved: string, present: string) => {
    const compared = compareSaved({ base, saved }, present);
    return compared.type === 'lost' ? applyEdits(present, compared.edits) : compared.type;
  };

  it('are kept in a text that has them beside the agent’s', () => {
    assert.equal(compare(BASE, MINE, BOTH), 'kept');
    assert.equal(compare(BASE, MINE, MINE), 'kept');
    assert.equal(compare(BASE, BASE, FIX), 'kept');
    assert.equal(compare(BASE, MINE, BOTH.replaceAll('\n', '\r\n')), 'kept');
  });

  it('are lost where the agent wrote the earlier text, and come back beside the agent’s lines', () => {
    assert.equal(compare(BASE, MINE, FIX), BOTH);
    assert.equal(compare(BASE, MINE, BASE), MINE);
    assert.equal(compare(BASE, `${BASE}seven\n`, FIX), `${FIX}seven\n`);
    assert.equal(compare(BASE, BASE.replace('four\n', ''), FIX), FIX.replace('four\n', ''));
  });

  it('leave lines that were written since', () => {
    const since = `// newer\n${FIX.replace('six', 'six // newer')}`;
    assert.equal(compare(BASE, MINE, since), since.replace('five', 'five // mine'));
  });

  it('get the line ends of the present text', () => {
    assert.equal(compare(BASE, `${BASE}seven\n`, FIX.replaceAll('\n', '\r\n')), `${FIX}seven\n`.replaceAll('\n', '\r\n'));
  });

  it('are unclear where the agent wrote the same lines', () => {
    assert.equal(compare(BASE, MINE, BASE.replace('five', 'FIVE')), 'unclear');
    assert.equal(compare(BASE, MINE, ''), 'unclear');
    assert.equal(compare('', `${'x'.repeat(3 * 1024 * 1024)}\n`, 'y\n'), 'unclear');
  });

  const user = (text: string): TextStep => ({ author: 'user', text });
  const agent = (text: string): TextStep => ({ author: 'agent', text });
  const lostIn = (steps: readonly TextStep[], present: string, unsaved: readonly string[] = []) =>
    changesLostIn(steps, present, (text) => !unsaved.includes(text)).map(({ saved }) => saved);

  it('are lost in a turn by a step of the agent', () => {
    assert.deepEqual(lostIn([agent(BASE), user(MINE), agent(FIX)], FIX), [MINE]);
    assert.deepEqual(lostIn([agent(BASE), user(MINE), agent(BOTH), agent(FIX)], FIX), [MINE]);
    assert.deepEqual(lostIn([agent(BASE), user(MINE), agent(BOTH)], BOTH), []);
  });

  it('are not lost in a turn when they are back at its end', () => {
    assert.deepEqual(lostIn([agent(BASE), user(MINE), agent(FIX), agent(BOTH)], BOTH), []);
  });

  it('are not lost in a turn when the user removed them', () => {
    assert.deepEqual(lostIn([agent(BASE), user(MINE), agent(BOTH), user(FIX), agent(`${FIX}seven\n`)], `${FIX}seven\n`), []);
  });

  it('do not include text that was never saved', () => {
    assert.deepEqual(lostIn([agent(BASE), user(MINE), agent(FIX)], FIX, [MINE]), []);
    assert.deepEqual(lostIn([user(MINE), agent(FIX)], FIX), []);
  });

  it('include only the last save before the agent’s step', () => {
    const more = `${MINE}seven\n`;
    assert.deepEqual(lostIn([agent(BASE), user(MINE), user(more), agent(FIX)], FIX), [more]);
  });
});
