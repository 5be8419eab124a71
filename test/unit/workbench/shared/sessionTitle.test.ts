import assert from 'node:assert/strict';
import { readsTitles, titleOf } from '../../../../src/workbench/shared/sessionTitle';

describe('what a session is called in the window', () => {
  it('is at hand at once for a plain prompt', () => {
    const state = { firstPrompt: { messageId: 'm', text: 'Fix the bug' }, agentName: 'A' };
    assert.equal(
      readsTitles(state, () => assert.fail('told of nothing')),
      true,
    );
    assert.equal(titleOf(state), 'Fix the bug');
  });

  it('is read after what goes on now where the prompt has Markdown in it, and each that asked is told', async () => {
    const state = { firstPrompt: { messageId: 'm', text: 'Fix **the** bug' }, agentName: 'A' };
    const told = Promise.all([0, 1].map(() => new Promise<void>((loaded) => assert.equal(readsTitles(state, loaded), false))));
    await Promise.resolve();
    assert.equal(
      readsTitles(state, () => undefined),
      false,
    );
    await told;
    assert.equal(
      readsTitles(state, () => assert.fail('told of nothing')),
      true,
    );
    assert.equal(titleOf(state), 'Fix the bug');
  });
});
