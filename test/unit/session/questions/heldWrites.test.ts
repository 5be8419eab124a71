/** Writes that are held until the user has accepted them. */
import assert from 'node:assert/strict';
import type { ProposedWrite } from '../../../../src/fs/fileService';
import { ProtectedRules } from '../../../../src/policy/protection/protectedRules';
import { failureOf } from '../../../../src/core/model/failure';
import { Consents } from '../../../../src/policy/consents';
import { HostQuestions } from '../../../../src/session/questions/hostQuestions';
import type { WritePreviews } from '../../../../src/session/questions/questionDependencies';
import { Permissions } from '../../../../src/session/questions/permissions';
import { type PermissionQuestion, type Question, Questions } from '../../../../src/session/questions/questions';
import { SessionStore } from '../../../../src/session/state/store';
import { questionStrings } from '../../../../src/application/permission/questionStrings';
import { FakeClock } from '../permission/fakes';

const write: ProposedWrite = { requested: '/w/a.txt', path: '/w/a.txt', content: 'new\n', before: 'old\n', after: 'new\n' };

function scene({ isHeld = true } = {}) {
  const store = new SessionStore(new FakeClock());
  const shown: Question[] = [];
  const questions = new Questions(store, (question) => void shown.push(question) as undefined);
  const permissions = new Permissions(questions, store, () => undefined);
  const ended: (string | undefined)[] = [];
  let text = '';
  let decide: ((accepted: boolean) => void) | undefined;
  const previews: WritePreviews = {
    show: (_, { after }, how) => {
      text = after;
      decide = how;
      return { text: () => text, end: (accepted) => void ended.push(accepted) };
    },
  };
  const host = new HostQuestions({
    agentId: 'Agent',
    agentName: 'Agent',
    roots: { cwd: '/w', additionalDirectories: [] },
    deps: {
      questionWords: questionStrings((message, values) =>
        message.replace(/\{(\w+)\}/g, (_, name: string) => String((values as Record<string, unknown>)[name])),
      ),
      protectedRules: () => new ProtectedRules({}),
      askBeforeCommands: () => 'never',
      writePreviews: async () => (isHeld ? previews : undefined),
    },
    permissions,
    consents: new Consents(),
  });
  const abort = new AbortController();
  const settled = async (held: Promise<string | undefined>): Promise<unknown> => held.catch((error: unknown) => failureOf(error).code);
  return {
    host,
    questions,
    shown,
    ended,
    abort,
    settled,
    setText: (now: string) => (text = now),
    decide: (accepted: boolean) => decide!(accepted),
  };
}

const question = (shown: readonly Question[]): PermissionQuestion => shown.at(-1) as PermissionQuestion;

describe('a write that is held', () => {
  const start = async (scened: ReturnType<typeof scene>, held = write): Promise<{ result: Promise<unknown> }> => {
    const result = scened.settled(scened.host.aboutWrite(held, scened.abort.signal));
    while (scened.shown.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return { result };
  };

  it('is a question with the change, and is answered by its card', async () => {
    const held = scene();
    const { result } = await start(held);
    const { title, options, subject, isCardOnly, questionId } = question(held.shown);
    assert.deepEqual(
      [title, options.map(({ name }) => name), isCardOnly],
      ['Change a.txt', ['Accept', 'Accept All in This Session', 'Reject'], true],
    );
    assert.deepEqual(subject.content, [
      { type: 'diff', changes: [{ operation: 'modify', path: '/w/a.txt', oldText: 'old\n', newText: 'new\n' }] },
    ]);
    held.setText('as the user has it\n');
    held.questions.answer(questionId, { optionId: 'allow' });
    assert.equal(await result, 'as the user has it\n');
    assert.deepEqual(held.ended, ['as the user has it\n']);
  });

  it('contains no present text of a file that is protected from reading', async () => {
    const held = scene();
    const secret = { requested: '/w/.env', path: '/w/.env', content: 'A=1\n', before: 'KEY=secret\n', after: 'KEY=secret\nA=1\n' };
    const { result } = await start(held, secret);
    const { subject, questionId } = question(held.shown);
    assert.deepEqual(subject.content, [{ type: 'diff', changes: [{ operation: 'modify', path: '/w/.env', newText: 'A=1\n' }] }]);
    held.questions.answer(questionId, { optionId: 'allow' });
    assert.equal(await result, secret.after);
  });

  it('can be decided in the diff as well', async () => {
    const held = scene();
    const { result } = await start(held);
    held.decide(false);
    assert.equal(await result, 'fs.rejected');
    assert.deepEqual(held.ended, [undefined]);
  });

  it('ends with the turn, and writes nothing', async () => {
    const held = scene();
    const { result } = await start(held);
    held.questions.endAll('cancelled');
    assert.equal(await result, 'request.cancelled');
    assert.deepEqual(held.ended, [undefined]);
  });

  it('is not asked again once the user has accepted all writes of the session', async () => {
    const held = scene();
    const { result } = await start(held);
    held.questions.answer(question(held.shown).questionId, { optionId: 'allow_session' });
    await result;
    assert.equal(await held.host.aboutWrite(write, undefined), undefined);
    assert.equal(held.shown.length, 1);
  });

  it('is not held when the user has disabled that', async () => {
    const held = scene({ isHeld: false });
    assert.equal(await held.host.aboutWrite(write, undefined), undefined);
    assert.deepEqual(held.shown, []);
  });
});
