/** Questions about commands, and the environments that an answer for the session covers. */
import assert from 'node:assert/strict';
import type { EnvironmentVariable } from '../../../../src/core/model/content';
import { ProtectedRules } from '../../../../src/policy/protection/protectedRules';
import { Consents } from '../../../../src/policy/consents';
import { HostQuestions } from '../../../../src/session/questions/hostQuestions';
import { Permissions } from '../../../../src/session/questions/permissions';
import { type PermissionQuestion, Questions } from '../../../../src/session/questions/questions';
import { SessionStore } from '../../../../src/session/state/store';
import { questionStrings } from '../../../../src/application/permission/questionStrings';
import { FakeClock } from '../permission/fakes';
import { english } from '../../application/english';

type Environment = Readonly<Record<string, string>>;

const variablesOf = (environment: Environment): EnvironmentVariable[] =>
  Object.entries(environment).map(([name, value]) => ({ name, value }));

/** A session in which the user answers each question for the session. */
function scene() {
  const store = new SessionStore(new FakeClock());
  const asked: PermissionQuestion[] = [];
  const questions = new Questions(store, (question) => {
    asked.push(question as PermissionQuestion);
    queueMicrotask(() => questions.answer(question.questionId, { optionId: 'allow_session' }));
    return undefined;
  });
  const host = new HostQuestions({
    agentId: 'Agent',
    agentName: 'Agent',
    roots: { cwd: '/w', additionalDirectories: [] },
    deps: {
      questionWords: questionStrings(english),
      protectedRules: () => new ProtectedRules({}),
      askBeforeCommands: () => 'always',
    },
    permissions: new Permissions(questions, store, () => undefined),
    consents: new Consents(),
  });
  return {
    asked,
    run: (environment: Environment = {}, cwd = '/w') =>
      host.aboutCommand({ command: 'git status', cwd, environment: variablesOf(environment), program: '/w/bin/git' }, undefined),
  };
}

describe('a question about a command', () => {
  it('has the values of its environment and the file that runs', async () => {
    const { asked, run } = scene();
    await run({ PATH: '/w/bin', CI: '1' });
    const { environment, program, reason } = asked[0]!.subject;
    assert.deepEqual(environment, [
      { name: 'PATH', value: '/w/bin' },
      { name: 'CI', value: '1' },
    ]);
    assert.equal(program, '/w/bin/git');
    assert.deepEqual(reason, { type: 'command', unasked: false, variables: ['PATH', 'CI'] });
  });

  describe('answered for the session', () => {
    const table: [what: string, later: Environment, cwd: string, isAsked: boolean][] = [
      ['covers a command without an environment', {}, '/w', false],
      ['covers a command with the same environment', { PATH: '/w/bin' }, '/w', false],
      ['covers a variable that decides nothing of what runs', { PATH: '/w/bin', CI: '1' }, '/w', false],
      ['does not cover another value', { PATH: '/w/evil' }, '/w', true],
      ['does not cover another variable that decides what runs', { LD_PRELOAD: './x.so' }, '/w', true],
      ['does not cover the commands that Git is given', { GIT_SSH_COMMAND: 'sh x' }, '/w', true],
      ['does not cover a preload of Node’s', { NODE_OPTIONS: '--require ./x.js' }, '/w', true],
      ['does not cover a program that tar runs', { TAR_OPTIONS: '--checkpoint-action=exec=sh' }, '/w', true],
      ['does not cover files that make reads first', { MAKEFILES: '/w/evil.mk' }, '/w', true],
      ['does not cover a command that a pager runs', { LESS: '+!sh x' }, '/w', true],
      ['does not cover a plugin of the compiler', { CFLAGS: '-fplugin=./x.so' }, '/w', true],
      ['does not cover a plugin of the tests', { PYTEST_ADDOPTS: '-p evil' }, '/w', true],
      ['does not cover commands of an editor', { VIMINIT: ':!sh x' }, '/w', true],
      ['does not cover the same value in another folder', { PATH: '/w/bin' }, '/w/sub', true],
    ];
    for (const [what, later, cwd, isAsked] of table) {
      it(what, async () => {
        const { asked, run } = scene();
        await run({ PATH: '/w/bin' });
        assert.equal(await run(later, cwd), isAsked);
        assert.equal(asked.length, isAsked ? 2 : 1);
      });
    }
  });
});
