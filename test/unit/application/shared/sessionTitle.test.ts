import assert from 'node:assert/strict';
import { ensureTitle, titleOf } from '../../../../src/application/shared/sessionTitle';

describe('the title of a session in the window', () => {
  it('is available at once for a plain prompt', () => {
    const state = { firstPrompt: { messageId: 'm', text: 'Fix the bug' }, agentName: 'A' };
    assert.equal(
      ensureTitle(state, () => assert.fail('told of nothing')),
      true,
    );
    assert.equal(titleOf(state), 'Fix the bug');
  });

  it('is available later for a prompt with Markdown, and every caller is notified', async () => {
    const state = { firstPrompt: { messageId: 'm', text: 'Fix **the** bug' }, agentName: 'A' };
    const told = Promise.all([0, 1].map(() => new Promise<void>((loaded) => assert.equal(ensureTitle(state, loaded), false))));
    await Promise.resolve();
    assert.equal(
      ensureTitle(state, () => undefined),
      false,
    );
    await told;
    assert.equal(
      ensureTitle(state, () => assert.fail('told of nothing')),
      true,
    );
    assert.equal(titleOf(state), 'Fix the bug');
  });
});
