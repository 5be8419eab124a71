import assert from 'node:assert/strict';
import { stopQuestion } from '../../../../src/application/agents/stopQuestion';
import { inertLine } from '../../../../src/application/shared/escape';
import { english } from '../english';

describe('the question before an agent is stopped', () => {
  const agent = inertLine('Codex', 80);
  const turn = { turnId: '1', startedAt: 0, cancelling: false };
  const ask = (...states: Parameters<typeof stopQuestion>[0][number][]) => stopQuestion(states, 'stop', agent, english);

  it('is asked only while a turn runs that the user has not stopped', () => {
    assert.equal(ask(), undefined);
    assert.equal(ask({}), undefined);
    assert.equal(ask({ turn: { ...turn, cancelling: true } }), undefined);
    assert.deepEqual(ask({ turn }, {}), {
      message: 'Stop Codex?',
      detail: 'It is working. Its turn ends, and the conversation stays.',
      button: 'Stop',
    });
    assert.match(ask({ turn }, { turn })!.detail, /in 2 sessions/);
  });

  it('names a restart', () => {
    const question = stopQuestion([{ turn }], 'restart', agent, english);
    assert.deepEqual([question?.message, question?.button], ['Restart Codex?', 'Restart']);
  });
});
