/** The parts of agent and user in a turn. */
import assert from 'node:assert/strict';
import { agentHasPart, canReplay, replayTurn, type TextStep } from '../../../src/changes/hunks/replayTurn';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';

function agent(text: string): TextStep {
  return { author: 'agent', text };
}

function user(text: string): TextStep {
  return { author: 'user', text };
}

function shown(steps: readonly TextStep[], after = steps.at(-1)!.text): readonly [hunks: string[], baseline: string] {
  const hunks = replayTurn(BEFORE, 'turn-1', steps, after)!;
  assert.equal(hunks.text, after);
  return [hunks.hunks.map(({ start, end, oldText }) => `${oldText}>${hunks.text.slice(start, end)}`), hunks.baseline];
}

describe('a replayed turn', () => {
  it("has the user's line outside a change in the baseline", () => {
    const changed = 'one\n2\nthree\nfour\nfive\n';
    assert.deepEqual(shown([agent(changed), user(`${changed}mine\n`)]), [['two\n>2\n'], `${BEFORE}mine\n`]);
  });

  it("has the user's text inside a change in that change", () => {
    const steps = [agent('one\n2\nthree\nfour\nfive\n'), user('one\n2 mine\nthree\nfour\nfive\n')];
    assert.deepEqual(shown(steps), [['two\n>2 mine\n'], BEFORE]);
  });

  it('drops a change that the user replaced together with its surroundings', () => {
    const steps = [agent('one\n2\nthree\nfour\nfive\n'), user('mine\nfour\nfive\n')];
    assert.deepEqual(shown(steps), [[], 'mine\nfour\nfive\n']);
  });

  it('ignores a save without a change', () => {
    const changed = 'one\n2\nthree\nfour\nfive\n';
    assert.deepEqual(shown([user(BEFORE), agent(changed), user(changed)]), [['two\n>2\n'], BEFORE]);
  });

  it("has the agent's change after the user's edit, beside the user's line", () => {
    const typed = `${BEFORE}mine\n`;
    assert.deepEqual(shown([user(typed), agent(typed.replace('one', '1'))]), [['one\n>1\n'], typed]);
  });

  it("counts a difference between the last step and the present text as the agent's change", () => {
    const typed = `${BEFORE}mine\n`;
    assert.deepEqual(shown([user(typed)], typed.replace('one', '1')), [['one\n>1\n'], typed]);
  });

  it('drops lines of the agent that the user deletes', () => {
    const steps = [agent(`${BEFORE}six\n`), user(BEFORE)];
    assert.deepEqual(shown(steps), [[], BEFORE]);
  });

  it('leaves no hunk when only the user, or another program, wrote', () => {
    const typed = `${BEFORE}mine\n`;
    assert.deepEqual(shown([user(typed), { author: 'external', text: `other\n${typed}` }]), [[], `other\n${typed}`]);
  });

  it('is given up beyond 200 steps or 8 M characters', () => {
    const step = user(BEFORE);
    assert.equal(canReplay(Array.from({ length: 200 }, () => step)), true);
    assert.equal(canReplay(Array.from({ length: 201 }, () => step)), false);
    const long = user('x'.repeat(1024 * 1024));
    assert.equal(canReplay(Array.from({ length: 8 }, () => long)), true);
    assert.equal(canReplay([...Array.from({ length: 8 }, () => long), step]), false);
    assert.equal(
      replayTurn(
        BEFORE,
        'turn-1',
        Array.from({ length: 201 }, () => step),
        BEFORE,
      ),
      undefined,
    );
  });
});

describe("the agent's part in a turn", () => {
  it('exists when the agent wrote, or when the present text has a difference that no step has', () => {
    assert.equal(agentHasPart(BEFORE, [user(`${BEFORE}mine\n`), agent(`1\n${BEFORE}mine\n`)], `1\n${BEFORE}mine\n`), true);
    assert.equal(agentHasPart(BEFORE, [user(`${BEFORE}mine\n`)], `1\n${BEFORE}mine\n`), true);
    assert.equal(agentHasPart(BEFORE, [], `1\n${BEFORE}`), true);
  });

  it('is missing when only the user wrote, or deleted everything that the agent wrote', () => {
    assert.equal(agentHasPart(BEFORE, [user(`${BEFORE}mine\n`)], `${BEFORE}mine\n`), false);
    assert.equal(agentHasPart(BEFORE, [agent(BEFORE), user(`${BEFORE}mine\n`)], `${BEFORE}mine\n`), false);
    assert.equal(agentHasPart(BEFORE, [agent(`${BEFORE}six\n`), user(BEFORE), user(`${BEFORE}mine\n`)], `${BEFORE}mine\n`), false);
    assert.equal(agentHasPart(BEFORE, [], BEFORE), false);
  });

  it('is assumed when there are too many steps', () => {
    const steps = Array.from({ length: 201 }, (_, index) => (index % 2 === 0 ? agent(`${BEFORE}${index}\n`) : user(BEFORE)));
    assert.equal(agentHasPart(BEFORE, [...steps, user(BEFORE)], BEFORE), true);
  });
});
