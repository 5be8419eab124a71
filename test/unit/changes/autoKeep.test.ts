/** The conditions under which pending changes are kept without the user. */
import assert from 'node:assert/strict';
import { AutoKeeper } from '../../../src/changes/review/autoKeep';
import type { ReviewFile } from '../../../src/changes/review/review';
import { FakeClock } from '../session/permission/fakes';

describe('keeping changes without the user', () => {
  function scene(when: string) {
    const clock = new FakeClock();
    const setting = { when, delay: 60_000 };
    const waiting = new Set<string>();
    const keeper = new AutoKeeper({
      clock,
      setting: () => setting,
      review: {
        get files() {
          return [...waiting].map((path) => ({ path }) as ReviewFile);
        },
        keep: (path) => void waiting.delete(path),
      },
    });
    return { clock, setting, waiting, keeper };
  }

  it('never happens by default', () => {
    const { clock, waiting, keeper } = scene('never');
    waiting.add('a');
    keeper.recorded();
    keeper.turnStarted();
    clock.pass(1_000_000);
    assert.deepEqual([...waiting], ['a']);
  });

  it('happens with the next prompt', () => {
    const { waiting, keeper } = scene('onNextPrompt');
    waiting.add('a');
    keeper.recorded();
    assert.deepEqual([...waiting], ['a']);
    keeper.turnStarted();
    assert.deepEqual([...waiting], []);
  });

  it('happens some time after the last turn, but not while the next one runs', () => {
    const { clock, waiting, keeper } = scene('afterDelay');
    waiting.add('a');
    keeper.recorded();
    clock.pass(59_000);
    keeper.turnStarted();
    clock.pass(60_000);
    assert.deepEqual([...waiting], ['a']);
    keeper.recorded();
    clock.pass(60_000);
    assert.deepEqual([...waiting], []);
  });

  it('does not happen when the setting was changed meanwhile, or when the session is gone', () => {
    const { clock, setting, waiting, keeper } = scene('afterDelay');
    waiting.add('a');
    keeper.recorded();
    setting.when = 'never';
    clock.pass(60_000);
    setting.when = 'afterDelay';
    keeper.recorded();
    keeper.dispose();
    clock.pass(60_000);
    assert.deepEqual([...waiting], ['a']);
  });
});
