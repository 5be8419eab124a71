/**
 * Work in the background: tasks with Stop, turns that the agent begins by itself, live output, suggestions and typed failures, in version 1. The texts are
 * in test/golden/scenarios/background/.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasOwnTurn } from '../../../src/core/background/activeTasks';
import { backgroundItems } from '../../../src/core/background/backgroundItems';
import { isBusy } from '../../../src/core/model/select';
import type { Stage } from '../../support/scenario/stage';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const update = (sessionUpdate: string, more: object): Step => ({ update: { sessionUpdate, ...more } });
const spawned = (asyncTaskId: string, more: object = {}): Step =>
  update('async_task_spawned', { asyncTaskId, name: asyncTaskId, taskType: 'shell', canStop: true, ...more });
const state = (asyncTaskId: string, word: string, more: object = {}): Step =>
  update('async_task_state_update', { asyncTaskId, state: word, ...more });
const shell = (toolCallId: string, status: string, meta: object): Step => ({
  tool: {
    toolCallId,
    title: 'npm run dev',
    kind: 'execute',
    status,
    content: [{ type: 'terminal', terminalId: toolCallId }],
    _meta: meta,
  },
});
const meta = (toolCallId: string, fields: object): Step => ({ toolUpdate: { toolCallId, _meta: fields } });
const list = ({ session }: Stage): string =>
  backgroundItems(session.store.state)
    .map(({ name, status, canStop }) => `${name} ${status}${canStop ? ' (Stop)' : ''}`)
    .join(', ') || 'nothing';

scenarios('background', (scenario) => {
  scenario('a-command-that-outlives-its-turn', {}, async (stage) => {
    await stage.turn(
      shell('run', 'in_progress', { terminal_info: { terminal_id: 'run', cwd: '/w' } }),
      meta('run', { terminal_output_delta: { terminal_id: 'run', data: 'starting\n' } }),
      { toolUpdate: { toolCallId: 'run', status: 'completed' } },
      { say: 'The server runs.' },
      {
        afterResponse: [
          { pause: 30 },
          meta('run', { terminal_output_delta: { terminal_id: 'run', data: 'ready\n' } }),
          { pause: 30 },
          meta('run', { terminal_exit: { terminal_id: 'run', exit_code: null, signal: null } }),
        ],
      },
    );
    stage.note(list(stage));
    await stage.when('the command to end', () => stage.session.store.state.terminals['run']?.exitStatus !== undefined);
    stage.note(list(stage));
  });

  scenario('tasks-with-stop', {}, async (stage) => {
    await stage.turn(
      shell('run', 'completed', {}),
      spawned('dev', { toolCallId: 'run', description: 'Dev server' }),
      update('async_task_progress', { asyncTaskId: 'dev', summary: 'Listening', outputFilePath: '/tmp/dev.output' }),
      spawned('watch', { canStop: false, taskType: 'monitor' }),
      spawned('stubborn'),
      state('watch', 'completed', { summary: 'Saw it' }),
    );
    stage.note(list(stage));
    stage.session.stopTask('none');
    stage.session.stopTask('watch');
    stage.session.stopTask('stubborn');
    await stage.when('the refusal', () => [...stage.session.store.state.entries].some((entry) => entry.kind === 'notice'));
    stage.session.stopTask('dev');
    stage.session.stopTask('dev');
    await stage.when('one to stop', () => list(stage) === 'dev stopped, watch completed, stubborn running (Stop)');
    await stage.turn({ say: 'Next.' });
    stage.note(list(stage));
  });

  scenario('a-turn-of-the-agent', {}, async (stage) => {
    await stage.turn(
      { say: 'I wait for the build.' },
      {
        afterResponse: [
          { pause: 10 },
          spawned('own', { taskType: 'turn', name: 'Working' }),
          { say: 'The build is done. ' },
          { tool: { toolCallId: 'look', title: 'Look', kind: 'read', status: 'in_progress' } },
          { toolUpdate: { toolCallId: 'look', status: 'completed' } },
          { usage: { used: 9, size: 100 } },
          { waitFile: '${cwd}/go-on' },
          { say: 'It passed.' },
          state('own', 'completed'),
        ],
      },
    );
    await stage.when('the turn', () => isBusy(stage.session.store.state) && hasOwnTurn(stage.session.store.state));
    await stage.seen('usage');
    stage.note(list(stage));
    await writeFile(path.join(stage.cwd, 'go-on'), '');
    await stage.seen('work_ended');
  });

  scenario('suggestions', {}, async (stage) => {
    await stage.turn(
      { say: 'Done.' },
      update('session_info_update', { _meta: { promptSuggestions: { suggestions: [{ text: 'Run the tests' }] } } }),
    );
    stage.note(stage.session.store.state.suggestions?.join() ?? 'none');
    await stage.turn({ say: 'They pass.' });
    stage.note(stage.session.store.state.suggestions?.join() ?? 'none');
  });

  scenario('plans-and-output', {}, async (stage) => {
    await stage.turn(
      update('plan_update', { plan: { type: 'markdown', planId: 'p', content: '# Plan', path: '/w/plan.md' } }),
      update('plan_update', { plan: { type: 'items', planId: 'q', entries: [{ content: 'one', status: 'pending', priority: 'high' }] } }),
      update('plan_update', { plan: { type: 'file', planId: 'r', uri: 'file:///w/other.md' } }),
      update('plan_removed', { planId: 'q' }),
      { tool: { toolCallId: 'cat', title: 'cat a.txt', kind: 'read', status: 'in_progress' } },
      meta('cat', { terminal_output_delta: { terminal_id: 'cat', data: 'line 1\n' } }),
      meta('cat', { terminal_output_delta: { terminal_id: 'cat', data: 'line 2\n' } }),
      { toolUpdate: { toolCallId: 'cat', status: 'completed', content: [{ type: 'content', content: { type: 'text', text: 'read' } }] } },
    );
  });
});
