/** The user's rules in a session. The events of each scenario are in test/golden/scenarios/rules/. */
import type { Stage } from '../../support/scenario/stage';
import { StageRules } from '../../support/scenario/stageRules';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const STEERING = { initialize: { _meta: { steering: { supported: true } } } };

let calls = 0;

function ask(kind: string, more: object, options?: { optionId: string; name: string; kind: string }[]): Step {
  return {
    permission: { toolCall: { toolCallId: `call-${++calls}`, title: 'Do it', kind, ...more }, ...(options && { options }) } as never,
  };
}

const run = (command: string, options?: Parameters<typeof ask>[2]): Step => ask('execute', { rawInput: { command } }, options);
const edit = (...names: string[]): Step => ask('edit', { locations: names.map((name) => ({ path: `\${cwd}/${name}` })) });
const request = (method: string, params: object): Step => ({ request: { method, params: { sessionId: 'session-1', ...params } } as never });

/** Waits until a question waits for the user, and answers it. */
async function answer(stage: Stage, optionId: string): Promise<void> {
  const { state } = stage.session.store;
  void state;
  await stage.when('a question', () => stage.session.store.state.pendingPermissions.length > 0);
  stage.session.answerPermission(stage.session.store.state.pendingPermissions[0]!, optionId);
}

scenarios('rules', (scenario) => {
  beforeEach(() => (calls = 0));

  scenario(
    'allowed-by-a-rule',
    {
      rules: new StageRules([
        { effect: 'allow', command: 'npm test *' },
        { effect: 'allow', tool: 'edit', path: '/src' },
      ]),
      answer: () => undefined,
    },
    (stage) => stage.turn(run('npm test -- --grep x'), edit('src/a.ts', 'src/b.ts')),
  );

  scenario(
    'denied-with-a-message-into-the-turn',
    {
      setup: STEERING,
      rules: new StageRules([{ effect: 'deny', command: 'git push *', message: 'Ask me before you push.' }]),
      answer: () => undefined,
    },
    (stage) => stage.turn(run('git push --force'), { waitSteer: true } as never),
  );

  scenario(
    'denied-with-a-message-in-the-next-prompt',
    {
      rules: new StageRules([{ effect: 'deny', command: 'git push *', message: 'Ask me before you push.' }]),
      answer: () => undefined,
    },
    async (stage) => {
      await stage.turn(run('git push --force'), run('git push --force'));
      await stage.turn({ say: 'Sorry.' });
      await stage.turn({ say: 'Once only.' });
      const prompts = stage.frames.filter(({ kind, text }) => kind === 'c2a' && text.includes('"session/prompt"'));
      prompts.forEach(({ text }) => {
        const { prompt } = (JSON.parse(text) as { params: { prompt: { text: string }[] } }).params;
        stage.note(`sent ${JSON.stringify(prompt.slice(1).map((block) => block.text))}`);
      });
    },
  );

  scenario(
    'denied-with-a-message-in-the-error',
    {
      rules: new StageRules([
        { effect: 'deny', command: 'touch *', message: 'Write files through the editor.' },
        { effect: 'deny', path: 'generated', message: 'Run the generator instead.' },
      ]),
      askBeforeCommands: { '*': 'never' },
      answer: () => undefined,
    },
    async (stage) => {
      await stage.file('generated/a.ts', 'text\n');
      await stage.turn(
        request('terminal/create', { command: 'touch', args: ['x'] }),
        request('terminal/create', { command: 'true && touch x' }),
        request('fs/write_text_file', { path: '${cwd}/generated/a.ts', content: 'x' }),
        request('fs/read_text_file', { path: '${cwd}/generated/a.ts' }),
      );
    },
  );

  scenario(
    'the-strictest-part-decides',
    {
      rules: new StageRules([
        { effect: 'allow', tool: 'edit', path: '/src' },
        { effect: 'deny', path: '/src/secret' },
        { effect: 'ask', path: '/src/public' },
      ]),
      answer: () => 'allow',
    },
    (stage) => stage.turn(edit('src/a', 'src/secret/b'), edit('src/a', 'README.md'), edit('src/a', 'src/public/c')),
  );

  scenario(
    'protected-files-are-asked-about',
    {
      rules: new StageRules([
        { effect: 'allow', tool: 'edit' },
        { effect: 'allow', path: '.git' },
        { effect: 'allow', tool: 'read' },
      ]),
      answer: () => 'reject',
    },
    async (stage) => {
      await stage.file('.env', 'KEY=1\n');
      await stage.turn(
        edit('.git/hooks/pre-commit'),
        ask('read', { locations: [{ path: '${cwd}/.env' }] }),
        request('fs/write_text_file', { path: '${cwd}/.git/hooks/pre-commit', content: 'x' }),
        request('fs/read_text_file', { path: '${cwd}/.env' }),
      );
    },
  );

  scenario(
    'commands-that-write-files',
    {
      rules: new StageRules([
        { effect: 'allow', command: 'npm test *' },
        { effect: 'allow', tool: 'edit', path: '/out' },
      ]),
      askBeforeCommands: { '*': 'always' },
      answer: () => 'reject',
    },
    (stage) =>
      stage.turn(
        run('npm test 2>/dev/null'),
        ask('execute', { rawInput: { command: 'npm test > out/log.txt', cwd: '${cwd}' } }),
        ask('execute', { rawInput: { command: 'npm test > .git/hooks/pre-commit', cwd: '${cwd}' } }),
        // The agent may have gone to another folder.
        run('npm test > out/log.txt'),
        request('terminal/create', { command: 'npm test > ../elsewhere.txt' }),
      ),
  );

  scenario(
    'every-command-of-a-line-counts',
    {
      rules: new StageRules([
        { effect: 'allow', command: 'npm test' },
        { effect: 'deny', command: 'git push *' },
      ]),
      answer: () => 'reject',
    },
    (stage) =>
      stage.turn(
        run('cd src && npm test'),
        run('npm test && make'),
        run('npm test; sudo env A=1 git -C . push'),
        run('echo "$(git push)"'),
        run('npm test $UNKNOWN'),
      ),
  );

  scenario(
    'no-option-fits',
    {
      rules: new StageRules([
        { effect: 'allow', command: 'npm test' },
        { effect: 'deny', command: 'git push *' },
      ]),
      answer: () => 'always',
    },
    (stage) =>
      stage.turn(
        run('npm test', [
          { optionId: 'always', name: 'Always', kind: 'allow_always' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ]),
        run('git push', [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }]),
        run('git push', [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'never', name: 'Never', kind: 'reject_always' },
        ]),
        run('git push', [
          { optionId: 'never', name: 'Never', kind: 'reject_always' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ]),
      ),
  );

  const made = new StageRules(undefined);
  scenario('made-and-revoked-during-the-session', { rules: made, answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script(run('npm test'));
    await answer(stage, 'allow');
    await stage.turnEnd();
    const { id } = await made.store.add({ effect: 'allow', command: 'npm test' }, 'always', { sessionId: 'session', cwd: stage.cwd });
    stage.note('the rule is made');
    await stage.turn(run('npm test'));
    await made.store.revoke(id);
    stage.note('the rule is revoked');
    stage.script(run('npm test'));
    await answer(stage, 'reject');
    await stage.turnEnd();
  });

  const ended = new StageRules(undefined);
  scenario('ended-with-the-session', { rules: ended, answer: () => undefined }, async (stage) => {
    await ended.store.add({ effect: 'allow', command: 'npm test' }, 'session', { sessionId: 'session', cwd: stage.cwd });
    await stage.turn(run('npm test'));
    await stage.session.end();
    stage.note(`rules ${ended.store.list('session').length}`);
  });

  const during = new StageRules(undefined);
  scenario('made-while-a-question-waits', { rules: during, answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script(run('npm test'), run('npm test'));
    await stage.when('a question', () => stage.session.store.state.pendingPermissions.length > 0);
    await during.store.add({ effect: 'allow', command: 'npm test' }, 'session', { sessionId: 'session', cwd: stage.cwd });
    await answer(stage, 'allow');
    await stage.turnEnd();
  });

  scenario(
    'a-workspace-only-denies',
    {
      rules: new StageRules([{ effect: 'allow', command: 'npm *' }], [{ command: 'npm publish *', message: 'The release job publishes.' }]),
      answer: () => undefined,
    },
    (stage) => stage.turn(run('npm publish'), run('npm test')),
  );

  scenario('advice', { rules: new StageRules(undefined, undefined, true), answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script(run('npm test -- --watch'));
    await stage.seen('permission_advised');
    await answer(stage, 'allow');
    await stage.turnEnd();
  });
});
