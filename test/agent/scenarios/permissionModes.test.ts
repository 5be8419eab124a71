/** Permission modes, calls that repeat, and answers for always. The events are in test/golden/scenarios/permissionModes/. */
import assert from 'node:assert/strict';
import type { Stage } from '../../support/scenario/stage';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const OPTIONS = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always Allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
] as const;

/** A permission request for an edit of this file. */
const edit = (id: string, name: string): Step => ({
  permission: {
    toolCall: {
      toolCallId: id,
      title: `Edit ${name}`,
      kind: 'edit',
      content: [{ type: 'diff', path: `\${cwd}/${name}`, oldText: null, newText: `${id}\n` }],
    },
    options: [...OPTIONS],
  },
});
const run = (id: string, command: string, options: readonly object[] = OPTIONS): Step => ({
  permission: {
    toolCall: { toolCallId: id, title: `Run ${command}`, kind: 'execute', rawInput: { command } },
    options: [...options] as never,
  },
});
const remove = (id: string, name: string): Step => ({
  permission: {
    toolCall: { toolCallId: id, title: `Delete ${name}`, kind: 'delete', locations: [{ path: `\${cwd}/${name}` }] },
    options: [...OPTIONS],
  },
});
const write = (name: string, content = 'text\n'): Step => ({ write: { path: `\${cwd}/${name}`, content } });
const echo: Step = { terminal: { command: 'echo', args: ['hello'] } };

const planning = {
  new: {
    configOptions: [
      {
        id: 'mode',
        name: 'Mode',
        category: 'mode',
        type: 'select',
        currentValue: 'default',
        options: [
          { value: 'default', name: 'Default' },
          { value: 'plan', name: 'Plan' },
        ],
      },
    ],
  },
} as never;

const modeOfAgent = ({ session }: Stage): unknown => {
  const mode = session.store.state.config.find(({ configId }) => configId === 'mode');
  return mode?.type === 'select' ? mode.currentValue : undefined;
};

scenarios('permissionModes', (scenario) => {
  scenario('accept-edits', { answer: () => 'reject' }, async (stage) => {
    await stage.ready();
    await stage.setPermissionMode('acceptEdits');
    await stage.turn(
      edit('inside', 'src/a.ts'),
      edit('outside', '../b.ts'),
      edit('protected', '.env'),
      edit('settings', '.vscode/settings.json'),
      remove('removed', 'src/a.ts'),
      run('command', 'npm test'),
      write('src/a.ts'),
      write('.vscode/settings.json'),
    );
  });

  scenario('plan-only', { setup: planning }, async (stage) => {
    await stage.ready();
    await stage.setPermissionMode('planOnly');
    await stage.when('the agent’s plan mode', () => modeOfAgent(stage) === 'plan');
    await stage.file('read.txt', 'text\n');
    await stage.turn(edit('edited', 'a.ts'), run('command', 'npm test'), write('a.ts'), echo, { read: '${cwd}/read.txt' });
    assert.equal(stage.buffers.disk.files.has(`${stage.cwd}/a.ts`), false);
    await stage.setPermissionMode('ask');
    await stage.when('the agent’s earlier mode', () => modeOfAgent(stage) === 'default');
    await stage.turn(write('a.ts'));
  });

  scenario('approved-plan', {}, async (stage) => {
    await stage.ready();
    await stage.setPermissionMode('planOnly');
    await stage.turn(
      { permission: { toolCall: { toolCallId: 'plan', title: 'Ready to code?', kind: 'switch_mode' }, options: [...OPTIONS] } },
      write('a.ts'),
    );
  });

  scenario('allow-everything', { answer: () => 'reject' }, async (stage) => {
    await stage.ready();
    await stage.setPermissionMode('allowEverything');
    await stage.turn(
      edit('outside', '../b.ts'),
      edit('protected', '.env'),
      remove('removed', 'src/a.ts'),
      run('command', 'rm -rf build'),
      run('only-always', 'npm test', [OPTIONS[1], OPTIONS[2]]),
      echo,
      write('.vscode/settings.json'),
    );
  });

  scenario('modes-over-a-reload', { answer: () => 'reject' }, async (stage) => {
    await stage.ready();
    await stage.setPermissionMode('acceptEdits');
    await stage.setPermissionMode('allowEverything');
    await stage.turn(run('one', 'npm test'));
    await stage.reload();
    stage.note(`mode: ${stage.session.store.state.permissionMode?.mode ?? 'ask'}`);
  });

  scenario('repeated-call', { answer: () => 'reject' }, async (stage) => {
    await stage.ready();
    await stage.setPermissionMode('allowEverything');
    await stage.turn(run('one', 'npm test'), run('two', 'npm test'), run('three', 'npm test'), run('four', 'npm run lint'));
    await stage.turn(run('five', 'npm test'));
  });

  let times = 0;
  scenario('answer-for-always', { answer: () => (times++ === 0 ? 'always' : 'reject') }, async (stage) => {
    await stage.turn(run('one', 'npm test'), run('two', 'npm test'), run('other', 'npm test -- --watch'), run('many', 'npm test'));
    await stage.turn(run('again', 'npm test', [OPTIONS[1], OPTIONS[2]]), run('none', 'npm test', [OPTIONS[2]]));
  });
});
