/** The early dialect is recognized where it is certain, and read as version 1. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { earlyPermission } from '../../../../src/acp/quirks/early/permissions';
import { promptText } from '../../../../src/acp/quirks/early/prompts';
import { EarlyUpdates, standardToolCall } from '../../../../src/acp/quirks/early/updates';
import { isEarlyMessage, isEarlyUpdate } from '../../../../src/acp/quirks/early/recognize';
import { isRecord } from '../../../../src/acp/json/fields';
import { wantsText } from '../../../../src/acp/v1/early/promptSender';

const FRAMES = path.join(__dirname, '../../../fixtures/frames');

describe('the early dialect', () => {
  it('is in no message of a recorded agent', () => {
    let updates = 0;
    for (const file of readdirSync(FRAMES).filter((name) => name.endsWith('.ndjson'))) {
      for (const line of readFileSync(path.join(FRAMES, file), 'utf8').split('\n').filter(Boolean)) {
        const record = JSON.parse(line) as Record<string, unknown>;
        const message = record.msg ?? record.message ?? record;
        if (isRecord(message) && message.method === 'session/update') {
          updates++;
          assert.equal(isEarlyMessage('session/update', message.params), false, line);
        }
      }
    }
    assert.ok(updates > 100, `${updates} updates`);
  });

  it('is certain for a kind in `type`, a call without a title, and a permission request', () => {
    const certain = [
      { type: 'tool_call', toolCallId: 'a', toolName: 'read' },
      { type: 'agent_message_chunk', text: 'a' },
      { type: 'permission_request', requestId: 'a' },
      { sessionUpdate: 'tool_call', toolCallId: 'a', toolName: 'read' },
      { sessionUpdate: 'permission_request', requestId: 'a', toolName: 'read' },
    ];
    const others = [
      { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'A', toolName: 'read', input: 1, output: 2, error: 3 },
      { sessionUpdate: 'tool_call_update', toolCallId: 'a', toolName: 'read', output: 2, error: 'a' },
      { sessionUpdate: 'agent_message_chunk', type: 'tool_call', content: { type: 'text', text: 'a' } },
      { sessionUpdate: 'future', toolName: 'read' },
      { type: 'future', toolName: 'read' },
      { toolName: 'read', input: 1 },
    ];
    assert.deepEqual(
      certain.map(isEarlyUpdate),
      certain.map(() => true),
    );
    assert.deepEqual(
      others.map(isEarlyUpdate),
      others.map(() => false),
    );
  });

  it('becomes a tool call of version 1, in whose fields the update of an announced call may come', () => {
    const updates = new EarlyUpdates();
    assert.deepEqual(updates.standard('s', { type: 'tool_call', toolCallId: 'a', toolName: 'read', input: { path: 'p' } }), {
      sessionUpdate: 'tool_call',
      toolCallId: 'a',
      title: 'read',
      name: 'read',
      rawInput: { path: 'p' },
    });
    assert.deepEqual(updates.standard('s', { sessionUpdate: 'tool_call_update', toolCallId: 'a', error: { message: 'no', code: 1 } }), {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'a',
      rawOutput: { message: 'no', code: 1 },
      content: [{ type: 'content', content: { type: 'text', text: 'no' } }],
      status: 'failed',
    });
    const standard = { sessionUpdate: 'tool_call_update', toolCallId: 'other', output: 'text' };
    assert.equal(updates.standard('s', standard), standard, 'a call that was not announced in the dialect');
    assert.equal(updates.standard('other', { ...standard, toolCallId: 'a' }).output, 'text', 'a call of another session');
  });

  it('has permission requests with four outcomes, whatever options the agent sends', () => {
    const ask = (options?: unknown) =>
      earlyPermission({ sessionId: 's', update: { type: 'permission_request', requestId: 1, toolName: 'rm', options } })!;
    const offered = (options?: unknown) => (ask(options).params.options as { optionId: string }[]).map(({ optionId }) => optionId);
    const all = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];
    for (const options of [undefined, null, [], {}, 'allow_once', ['maybe'], [{ optionId: 'yes' }], [7, null]]) {
      assert.deepEqual(offered(options), all);
    }
    assert.deepEqual(offered(['allow_once', 'allow_once', { optionId: 'no', kind: 'reject_once' }, { id: 'reject_always' }]), [
      'allow_once',
      'no',
      'reject_always',
    ]);
    assert.deepEqual(ask().answer('allow_always'), { outcome: 'allow_always' });
    assert.deepEqual(ask([{ optionId: 'no', kind: 'reject_once' }]).answer('no'), { outcome: 'reject_once', optionId: 'no' });
    assert.deepEqual(ask().answer(undefined), { outcome: 'reject_once' }, 'an unanswered request is refused');
    assert.equal(earlyPermission({ sessionId: 's', update: { type: 'permission_request', toolName: 'rm' } }), undefined);
  });

  it('takes a prompt as text where the agent says so', () => {
    const refused = (detail: string, code = -32602) => wantsText({ code: 'request.failed', params: { code }, detail });
    const said = [
      'Invalid params: prompt must be a string',
      'Invalid params\n[{"expected":"string","code":"invalid_type","path":["prompt"],"message":"Invalid input: expected string, received array"}]',
      'invalid type: sequence, expected a string',
      '1 validation error\nprompt\n  Input should be a valid string [type=string_type]',
      'prompt is not a string',
    ];
    const others = [
      'Invalid params: prompt must not be empty',
      'Invalid params: prompt[0].text must be a string',
      'Invalid params\n[{"expected":"string","path":["prompt",0,"text"],"message":"Required"}]',
      'sessionId must be a string',
      'Unsupported content',
    ];
    assert.deepEqual(
      said.map((detail) => refused(detail)),
      said.map(() => true),
    );
    assert.deepEqual(
      others.map((detail) => refused(detail)),
      others.map(() => false),
    );
    assert.equal(refused(said[0]!, -32603), false, 'the prompt may have been taken');
    assert.equal(
      promptText([
        { type: 'text', text: 'a' },
        { type: 'resource_link', uri: 'file:///b', name: 'b' },
      ]),
      'a\n[b](file:///b)',
    );
    assert.equal(promptText([{ type: 'image', data: '', mimeType: 'image/png' }]), undefined);
  });
});

describe('a message of the early dialect', () => {
  it('keeps what has no form in version 1', () => {
    const call = (fields: object) => standardToolCall({ toolName: 'run', ...fields });
    const error = { message: 'no', code: 5 };
    assert.deepEqual(call({ output: { a: 1 }, error }).error, error);
    assert.deepEqual(call({ output: 'a', error }).error, error);
    assert.deepEqual(call({ error: 5 }).error, 5);
    assert.deepEqual([call({ error }).rawOutput, call({ error }).error], [error, undefined]);
    assert.equal(call({ output: 'a', error: { message: 'no' } }).error, undefined);
    const odd = { optionId: 'p', kind: 'allow_tomorrow' };
    const update = { type: 'permission_request', requestId: 1, toolName: 'run', options: [{ optionId: 'o', kind: 'allow_once' }, odd] };
    const { params } = earlyPermission({ sessionId: 's', update })!;
    assert.deepEqual([params.options, params.unreadOptions], [[{ optionId: 'o', name: 'Allow once', kind: 'allow_once' }], [odd]]);
  });

  it('keeps the outcome that an option names when its id is the word of another one', () => {
    const options = [{ id: 'allow_always', outcome: 'reject_once', name: 'No' }];
    const request = earlyPermission({ sessionId: 's', update: { type: 'permission_request', requestId: 1, options } })!;
    assert.deepEqual(request.params.options, [{ optionId: 'allow_always', name: 'No', kind: 'reject_once' }]);
    assert.deepEqual(request.answer('allow_always'), { outcome: 'reject_once', optionId: 'allow_always' });
  });

  it('keeps an option with the id of another one', () => {
    const [yes, no] = [
      { id: 'a', kind: 'allow_once', name: 'Yes' },
      { id: 'a', kind: 'reject_once', name: 'No' },
    ];
    const { params } = earlyPermission({ sessionId: 's', update: { type: 'permission_request', requestId: 1, options: [yes, no] } })!;
    assert.deepEqual([params.options, params.unreadOptions], [[{ optionId: 'a', name: 'Yes', kind: 'allow_once' }], [no]]);
  });
});
