import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../../src/core/model/content';
import type { Failure } from '../../../../src/core/model/failure';
import type { SteerOutcome } from '../../../../src/core/queue/steering';
import { AgentNotes } from '../../../../src/session/lifecycle/agentNotes';

describe('notes for the model', () => {
  function scene(answer: SteerOutcome | Failure | 'not possible') {
    const sent: string[] = [];
    const texts = (content: readonly ContentBlock[]): string[] => content.map((block) => (block.type === 'text' ? block.text : ''));
    const notes = new AgentNotes(
      (_, settled) => {
        if (answer === 'not possible') {
          return { code: 'queue.not_steered' };
        }
        settled(answer);
        return undefined;
      },
      (content) => void sent.push(...texts(content)),
    );
    return { notes, sent, next: () => texts(notes.take()?.content ?? []) };
  }

  it('go into the running turn, where they are shown', () => {
    const { notes, sent, next } = scene('injected');
    notes.tell('one');
    assert.deepEqual([sent, next()], [['one'], []]);
  });

  for (const answer of ['not possible', 'promptRequired', 'failed', { code: 'request.failed' }] as const) {
    it(`go with the next prompt after ${JSON.stringify(answer)}, once`, () => {
      const { notes, sent, next } = scene(answer);
      notes.tell('one');
      notes.tell('two');
      notes.tell('one');
      assert.deepEqual([sent, next(), next()], [[], ['one', 'two'], []]);
    });
  }

  it('are not sent again when the agent may have them', () => {
    const { notes, sent, next } = scene({ code: 'request.timeout' });
    notes.tell('one');
    assert.deepEqual([sent, next()], [[], []]);
  });

  it('wait for another prompt after one that was not sent', () => {
    const { notes, next } = scene('failed');
    notes.tell('one');
    notes.take()!.markUnsent();
    assert.deepEqual(next(), ['one']);
  });

  it('are limited in one prompt', () => {
    const { notes, next } = scene('failed');
    for (let index = 0; index < 30; index++) {
      notes.tell(`${index}`);
    }
    assert.deepEqual(next(), ['20', '21', '22', '23', '24', '25', '26', '27', '28', '29']);
  });
});
