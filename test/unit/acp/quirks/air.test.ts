/** The extension contract of two adapters: each part as the events or fields that the product has for it. */
import assert from 'node:assert/strict';
import { loadPatchReader } from '../../../../src/acp/quirks/air/content';
import { decodePermission } from '../../../../src/acp/v1/client';
import { decodeConfigOptions } from '../../../../src/acp/v1/config';
import { decodeToolContent } from '../../../../src/acp/v1/content';
import { decodeTurn } from '../../../../src/acp/v1/methods';
import { Subagents } from '../../../../src/acp/v1/subagents';
import { V1Updates } from '../../../../src/acp/v1/updates';
import { V1 } from '../../../../src/acp/v1/v1';
import { decode, decodeAll } from '../v1/decode';

const air = (parts: object) => ({ jetbrains: { air: { version: 1, ...parts } } });

describe('the extension contract of two adapters', () => {
  it('is declared only on request', () => {
    const capabilities = (adapterExtensions?: boolean) =>
      (
        V1.initializeParams({ name: 'a', version: '1' }, adapterExtensions === undefined ? undefined : { adapterExtensions }) as {
          clientCapabilities: { _meta: Record<string, unknown> };
        }
      ).clientCapabilities._meta;
    assert.equal(capabilities()['jetbrains'], undefined);
    assert.equal(capabilities(false)['jetbrains'], undefined);
    assert.deepEqual(capabilities(true), {
      'terminal-auth': true,
      terminal_output_delta: true,
      ...air({ capabilities: ['asyncTasks', 'sessionFailure', 'recommendedValue', 'diffPatch'] }),
    });
  });

  it('reports background tasks', () => {
    const spawned = {
      sessionUpdate: 'async_task_spawned',
      asyncTaskId: 't',
      name: 'npm run dev',
      taskType: 'shell',
      description: 'Dev server',
      showInTranscript: false,
      canStop: true,
      toolCallId: 'c',
    };
    assert.deepEqual(
      decodeAll([
        spawned,
        {
          sessionUpdate: 'async_task_progress',
          asyncTaskId: 't',
          summary: 'Listening',
          outputFilePath: '/tmp/t.output',
          usage: { toolUses: 1 },
        },
        { sessionUpdate: '_async_task_state_update', asyncTaskId: 't', state: 'stopped', _meta: { a: 1 } },
      ]),
      [
        {
          type: 'background_task',
          taskId: 't',
          patch: { name: 'npm run dev', taskKind: 'shell', description: 'Dev server', toolCallId: 'c', status: 'running', canStop: true },
          extra: { showInTranscript: false },
        },
        {
          type: 'background_task',
          taskId: 't',
          patch: { outputPath: '/tmp/t.output', summary: 'Listening' },
          extra: { usage: { toolUses: 1 } },
        },
        { type: 'background_task', taskId: 't', patch: { status: 'stopped' }, meta: { a: 1 } },
      ],
    );
    assert.equal(decode({ sessionUpdate: 'async_task_spawned', name: 'no id' })[0]?.type, 'unknown');
  });

  it('has subagents in an older form', () => {
    const updates = new V1Updates();
    const subagents = new Subagents(
      () => updates,
      () => true,
    );
    const heard = (update: object) => subagents.decode({ sessionId: 's' }, { sessionId: 's', update });
    assert.deepEqual(
      heard({
        sessionUpdate: 'subagent_spawned',
        subagentSessionId: 'x',
        name: 'Explore',
        task: 'Find it',
        prompt: 'Find it all',
        capabilities: {},
      }),
      [
        {
          type: 'subagent_update',
          subagentId: 'x',
          patch: { title: 'Explore', description: 'Find it', canCancel: false, work: { state: 'running' } },
        },
      ],
    );
    const state = (word: string) => heard({ sessionUpdate: 'subagent_state_update', subagentSessionId: 'x', state: word })[0];
    const work = (value: object) => ({ type: 'subagent_update', subagentId: 'x', patch: { work: value } });
    assert.deepEqual(state('completed'), work({ state: 'idle', stopReason: 'end_turn' }));
    assert.deepEqual(state('cancelled'), work({ state: 'idle', stopReason: 'cancelled' }));
    assert.deepEqual(state('failed'), work({ state: 'idle', stopReason: 'error' }));
    assert.deepEqual(state('disconnected'), work({ state: 'unknown' }));
  });

  it('ends a turn with a failure and the actions that help', () => {
    const failure = (more: object) =>
      decodeTurn(new V1Updates(), 's', {
        stopReason: 'end_turn',
        _meta: air({
          sessionFailure: { id: 'f', revision: 1, category: 'limit', severity: 'error', title: 'Too long', actions: [], ...more },
        }),
      }).failure;
    assert.deepEqual(failure({ details: 'The context is full.', actions: ['new_session', 7] }), {
      code: 'turn.failed',
      params: { actions: 'new_session', category: 'limit' },
      detail: 'Too long\nThe context is full.',
    });
    assert.equal(failure({ actions: ['login'], title: 'Sign in' })?.code, 'auth.required');
    assert.equal(failure({ severity: 'warning' }), undefined);
  });

  it("reports the session's failures as notices, each with its newest revision", () => {
    const info = (sessionFailure: object) => decode({ sessionUpdate: 'session_info_update', _meta: air({ sessionFailure }) })[1];
    assert.deepEqual(info({ id: 'f', revision: 2, severity: 'error', title: 'Overloaded', details: 'Busy', actions: ['new_session'] }), {
      type: 'notice',
      noticeId: 'failure-f',
      severity: 'error',
      title: 'Overloaded',
      description: 'Busy',
      actions: ['new_session'],
    });
    assert.deepEqual(info({ id: 'f', severity: 'odd', title: 'Retrying', actions: [] }), {
      type: 'notice',
      noticeId: 'failure-f',
      severity: 'warning',
      title: 'Retrying',
    });
    assert.equal(info({ id: 'f', title: ' ' }), undefined);
    const attempts = [1, 2, 3].map((count) =>
      info({ id: `s:session-error:turn:${count}`, severity: 'warning', title: `Retrying Claude, attempt ${count} of 10.` }),
    );
    assert.deepEqual(
      attempts.map((notice) => notice?.type === 'notice' && [notice.noticeId, notice.title.slice(-16)]),
      ['attempt 1 of 10.', 'attempt 2 of 10.', 'attempt 3 of 10.'].map((title) => ['failure-s:session-error:turn', title]),
    );
  });

  it('suggests messages, as the protocol does', () => {
    const info = {
      sessionUpdate: 'session_info_update',
      _meta: { promptSuggestions: { suggestions: [{ text: ' Run the tests ' }, { text: '' }, 4] } },
    };
    assert.deepEqual(decode(info)[1], { type: 'prompt_suggestions', suggestions: ['Run the tests'] });
    const update = (suggestions: unknown) => decode({ sessionUpdate: 'prompt_suggestions_update', suggestions });
    const text = (value: string) => ({ type: 'text', text: value });
    assert.deepEqual(update([{ prompt: [text('a'), text('b')] }, { prompt: [text('c'), { type: 'image' }] }, { prompt: [text('d')] }]), [
      { type: 'prompt_suggestions', suggestions: ['a\nb', 'd'] },
    ]);
    assert.deepEqual(update([]), [{ type: 'prompt_suggestions', suggestions: [] }]);
    assert.equal(update('none')[0]?.type, 'unknown');
  });

  it('recommends a value of an option', () => {
    const option = {
      id: 'm',
      name: 'Model',
      type: 'select',
      currentValue: 'a',
      options: [{ value: 'a', name: 'A' }],
      _meta: air({ recommendedValue: 'a' }),
    };
    const [decoded] = decodeConfigOptions([option], []);
    assert.equal(decoded?.type === 'select' && decoded.recommended, 'a');
  });

  it('gives a permission request a title, a reason and a preselected refusal', () => {
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
    const meta = air({ permission: { version: 1, title: 'Run command?', description: 'Reason: it deletes files', defaultToNo: true } });
    const { title, description, defaultToNo } = decodePermission({ options, toolCall: { toolCallId: 'c', title: 'rm -r x' }, _meta: meta });
    assert.deepEqual([title, description, defaultToNo], ['Run command?', 'Reason: it deletes files', true]);
    const plain = decodePermission({ options, toolCall: { toolCallId: 'c', title: 'ls' } });
    assert.deepEqual([plain.title, plain.description, plain.defaultToNo], ['ls', undefined, undefined]);
  });

  it('has exact patches instead of the texts of a diff', async () => {
    await loadPatchReader();
    const diff = (text: string) =>
      decodeToolContent({
        type: 'diff',
        path: '/w/a',
        oldText: null,
        newText: '',
        _meta: air({ diffPatch: { version: 1, format: 'git_patch', text } }),
      });
    assert.deepEqual(diff('diff --git /w/a /w/a\n--- /w/a\n+++ /w/a\n@@ -4 +4 @@\n-x\n+y\n'), {
      type: 'diff',
      changes: [{ operation: 'modify', path: '/w/a', oldText: 'x\n', newText: 'y\n', line: 4 }],
    });
    assert.deepEqual(diff('broken'), { type: 'diff', changes: [{ operation: 'modify', path: '/w/a' }], patch: 'broken' });
  });
});
