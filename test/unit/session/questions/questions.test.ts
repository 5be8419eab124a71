/** The life of a question to the user, which is the same for every kind. */
import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/core/model/event';
import { fault } from '../../../../src/core/model/failure';
import { MAX_WAITING, type Question, type QuestionEnd, Questions, type Unanswered } from '../../../../src/session/questions/questions';
import { SessionStore } from '../../../../src/session/state/store';
import { FakeClock } from '../permission/fakes';
import { turn } from '../fakes';

const CLOSED = fault('connection.closed');

/** A question of each kind, with answers to it, and the resulting entries of the conversation. */
const KINDS = {
  permission: {
    question: {
      kind: 'permission',
      questionId: 'permission-0-1',
      title: 'May I?',
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
      subject: {},
    },
    answer: { optionId: 'yes' },
    outcome: 'selected',
    others: [{ optionId: 'root' }, { action: 'accept' }],
  },
  elicitation: {
    question: { kind: 'elicitation', questionId: 'elicitation-0-1', message: 'Which?', body: { mode: 'form', fields: [] } },
    answer: { action: 'decline' },
    outcome: 'declined',
    others: [{ optionId: 'yes' }],
  },
} as const satisfies { [Kind in Question['kind']]: { question: Question & { kind: Kind }; [more: string]: unknown } };

function scene() {
  const store = new SessionStore(new FakeClock());
  const mirror: SessionEvent[] = [];
  store.onEvents((_, events) => mirror.push(...events));
  const shown: { readonly question: Question; answer(answer: never): void; open: boolean }[] = [];
  const questions = new Questions(store, (question, answer) => {
    const card = { question, answer, open: true };
    shown.push(card);
    return { dispose: () => void (card.open = false) };
  });
  const abort = new AbortController();
  const ask = (question: Question, signal: AbortSignal = abort.signal): { end?: QuestionEnd<Question> } => {
    const result: { end?: QuestionEnd<Question> } = {};
    void questions.ask(question, signal).then((end) => (result.end = end));
    return result;
  };
  const outcomes = (): unknown[] => mirror.flatMap((event) => ('outcome' in event ? [event.outcome] : []));
  const waiting = (): number => store.state.pendingPermissions.length + store.state.pendingElicitations.length;
  return { store, questions, abort, shown, ask, outcomes, waiting, mirror: mirror };
}

for (const { question, answer, outcome, others } of Object.values(KINDS)) {
  describe(`a question to the user: ${question.kind}`, () => {
    const id = question.questionId;

    it('waits, in the conversation and wherever else it is shown, until it is answered', async () => {
      const { questions, shown, ask, outcomes, waiting } = scene();
      const asked = ask(question);
      assert.equal(questions.get(id), question);
      assert.deepEqual([waiting(), shown.map(({ open }) => open), asked.end], [1, [true], undefined]);
      assert.equal(questions.answer(id, answer), true);
      await turn();
      assert.deepEqual(asked.end, { type: 'answered', answer });
      assert.deepEqual([waiting(), outcomes(), shown.map(({ open }) => open)], [0, [outcome], [false]]);
      assert.equal(questions.get(id), undefined);
    });

    it('accepts the first answer, from any place, and only a valid one', async () => {
      const { questions, shown, ask, outcomes } = scene();
      const asked = ask(question);
      for (const other of others) {
        assert.equal(questions.answer(id, other), false);
      }
      assert.equal(questions.answer('nobody', answer), false);
      shown[0]!.answer(answer as never);
      shown[0]!.answer(answer as never);
      assert.equal(questions.answer(id, answer), false);
      questions.end(id, 'cancelled');
      await turn();
      assert.deepEqual([asked.end?.type, outcomes()], ['answered', [outcome]]);
    });

    for (const type of ['cancelled', 'withdrawn', 'lost'] satisfies Unanswered[]) {
      it(`ends ${type} without an answer, once`, async () => {
        const { questions, abort, shown, ask, outcomes } = scene();
        const asked = ask(question);
        questions.end(id, type);
        abort.abort();
        questions.endAll('lost');
        await turn();
        assert.deepEqual([asked.end, outcomes(), shown[0]!.open], [{ type }, [type], false]);
        assert.equal(questions.answer(id, answer), false);
      });
    }

    it('is withdrawn by the agent, and lost with it', async () => {
      for (const [reason, expected] of [
        [undefined, 'withdrawn'],
        [CLOSED, 'lost'],
      ] as const) {
        for (const isEarly of [true, false]) {
          const { abort, ask, outcomes } = scene();
          if (isEarly) {
            abort.abort(reason);
          }
          const asked = ask(question);
          abort.abort(reason);
          await turn();
          assert.deepEqual([asked.end, outcomes()], [{ type: expected }, [expected]]);
        }
      }
    });

    it('is not shown after the user has stopped the turn or the work between turns, or ended the session', async () => {
      for (const before of [
        [{ type: 'turn_started', turnId: 't' }, { type: 'turn_cancelling' }],
        [{ type: 'work_started', workId: 'w' }, { type: 'turn_cancelling' }],
        [{ type: 'session_ended' }],
      ] as const) {
        const { store, shown, ask, outcomes, waiting } = scene();
        store.append(...before.map((event) => ({ ...event })));
        const asked = ask(question);
        await turn();
        assert.deepEqual([asked.end, outcomes(), shown.length, waiting()], [{ type: 'cancelled' }, ['cancelled'], 0, 0]);
      }
    });

    it('appears in the conversation before its end does', async () => {
      const { questions, ask, mirror: told } = scene();
      ask(question);
      questions.endAll('cancelled');
      await turn();
      assert.deepEqual(
        told.map(({ type }) => type),
        [`${question.kind}_requested`, `${question.kind}_resolved`],
      );
    });
  });
}

describe('questions to the user', () => {
  it('wait in one queue, and end together', async () => {
    const { questions, ask, outcomes, waiting } = scene();
    const asked = [ask(KINDS.permission.question), ask(KINDS.elicitation.question)];
    assert.equal(waiting(), 2);
    questions.endAll('cancelled');
    await turn();
    assert.deepEqual(
      asked.map(({ end }) => end?.type),
      ['cancelled', 'cancelled'],
    );
    assert.deepEqual(outcomes(), ['cancelled', 'cancelled']);
  });

  it('are cancelled at once beyond a limit, with a record in the conversation', async () => {
    const { ask, waiting, mirror, outcomes, questions } = scene();
    const many = Array.from({ length: MAX_WAITING + 5 }, (_, index) => ask({ ...KINDS.permission.question, questionId: `many-${index}` }));
    await turn();
    assert.equal(waiting(), MAX_WAITING);
    assert.equal(mirror.filter(({ type }) => type === 'permission_requested').length, MAX_WAITING + 5);
    assert.deepEqual(
      outcomes(),
      Array.from({ length: 5 }, () => 'cancelled'),
    );
    assert.deepEqual(
      many.slice(MAX_WAITING).map(({ end }) => end?.type),
      Array.from({ length: 5 }, () => 'cancelled'),
    );
    questions.end('many-0', 'withdrawn');
    ask({ ...KINDS.permission.question, questionId: 'next' });
    assert.equal(waiting(), MAX_WAITING);
  });

  it('have unique ids', () => {
    const { questions } = scene();
    const ids = [questions.mint('permission'), questions.mint('permission'), questions.mint('elicitation')];
    assert.equal(new Set(ids).size, 3);
  });
});
