import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { Announcer } from '../../../../webview/announcer/announcer';
import { SpokenText } from '../../../../webview/announcer/spokenText';
import { chunk, permissionRequest, stateOf, toolCall } from '../../../support/events';

describe('announcer', () => {
  let said: string[];
  let state: SessionState;
  let announcer: Announcer;
  let urgent: string[];
  let now: number;
  const happen = (...events: EventInput[]) => {
    state = stateOf(events, state);
    announcer.hear(state);
  };
  const say = (words: string, messageId = '1', role: 'agent' | 'thought' = 'agent') => chunk(words, messageId, role);

  beforeEach(() => {
    said = [];
    state = EMPTY_STATE;
    urgent = [];
    now = 0;
    announcer = new Announcer(
      (words, atOnce) => {
        said.push(words);
        if (atOnce) {
          urgent.push(words);
        }
      },
      () => now,
      () => new SpokenText(),
    );
    happen({ type: 'session_opened', agentName: 'Ada', cwd: '/w' });
    happen({ type: 'session_ready', sessionId: 's' });
    said.length = 0;
  });

  it('announces the ends of sub-agents and their questions, but nothing that they do', () => {
    const update = (subagentId: string, work: string): EventInput => ({
      type: 'subagent_update',
      subagentId,
      patch: { title: subagentId.toUpperCase(), work: { state: work } },
    });
    const many = ['a', 'b', 'c', 'd'];
    happen(update('x', 'running'), ...many.map((id) => update(id, 'running')));
    happen(...asSubagentEvents('x', [say('A sentence. Another one. '), toolCall('t', { status: 'completed' })]));
    happen({ ...permissionRequest('p', 'rm'), askedBy: 'X', subagentId: 'x' });
    assert.deepEqual(said, ['Sub-agent X needs your permission: rm']);
    happen({ type: 'permission_resolved', permissionId: 'p', outcome: 'cancelled' }, update('x', 'idle'));
    happen(...many.map((id) => update(id, 'idle')));
    happen(update('x', 'idle'));
    assert.deepEqual(said.slice(1), ['Sub-agent X, Done', '4 sub-agents finished']);
  });

  it('announces sentences once they are finished, each once', () => {
    happen({ type: 'turn_started', turnId: 't' });
    said.length = 0;
    for (const token of 'The fi|rst is **done**|. The sec|ond| is not! |Is| it? N'.split('|')) {
      happen(say(token));
    }
    assert.deepEqual(said, ['The first is done.', 'The second is not!', 'Is it?']);
    happen(say('o'), { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    assert.deepEqual(said.slice(3).sort(), ['Ada is done', 'No']);
  });

  it('announces files to review after the work, and undone changes, but no edits', () => {
    const pending = (...names: string[]): EventInput => ({
      type: 'pending_changes',
      changes: { files: names.map((name) => ({ path: `/w/${name}`, operation: 'modify' })), added: 1, removed: 0 },
    });
    happen({ type: 'turn_started', turnId: 't' }, say('Look.'));
    said.length = 0;
    happen(pending('a.ts'));
    happen(pending('a.ts', 'b.ts'));
    assert.deepEqual(said, []);
    happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    assert.deepEqual(said.splice(0), ['Look.', 'Ada is done', '2 files changed']);
    happen({ type: 'change_report', files: [{ path: '/w/a.ts', changed: 1 }] });
    happen({
      type: 'change_report',
      files: [
        { path: '/w/a.ts', changed: 1 },
        { path: '/w/c.ts', whole: 'restored' },
      ],
    });
    assert.deepEqual(said, []);
    happen(pending('b.ts'), { type: 'change_report', files: [{ path: '/w/a.ts', whole: 'undone' }] });
    assert.deepEqual(said.splice(0), ['All changes undone in a.ts']);
    happen({ type: 'pending_changes' }, { type: 'change_report', files: [] });
    assert.deepEqual(said, []);
    happen(pending('b.ts'));
    assert.deepEqual(said, ['1 file changed']);
  });

  it('announces a rejected tool call as rejected, and does not count it as a failure', () => {
    const rejected = (id: string): EventInput[] => [
      toolCall(id, { title: `Edit ${id}`, kind: 'edit', status: 'pending' }),
      permissionRequest(id, `Edit ${id}`, { options: [{ optionId: 'n', name: 'No', kind: 'reject_once' }], subject: { toolCallId: id } }),
      { type: 'permission_resolved', permissionId: id, outcome: 'selected', optionId: 'n' },
    ];
    happen(...rejected('a'));
    said.length = 0;
    happen(toolCall('a', { status: 'failed' }));
    assert.deepEqual(said, ['Edit a, Rejected']);
    happen(...['b', 'c', 'd', 'e'].flatMap(rejected));
    said.length = 0;
    happen(...['b', 'c', 'd', 'e'].map((id) => toolCall(id, { status: 'failed' })));
    assert.deepEqual(said, ['4 tool calls finished']);
  });

  it('announces the work between turns: its start, its text and its end', () => {
    happen({ type: 'work_started', workId: 'w' }, say('The build failed. Wh'));
    happen({ type: 'work_ended', workId: 'w' });
    assert.deepEqual(said.sort(), ['Ada is done', 'Ada is working', 'The build failed.', 'Wh']);
    said.length = 0;
    happen({ type: 'work_started', workId: 'x' });
    happen({ type: 'turn_cancelling' });
    happen({ type: 'work_ended', workId: 'x' });
    assert.deepEqual(said, ['Ada is working', 'Stopping', 'Stopped']);
  });

  it('announces at once, and once, that the agent does not stop and can be restarted', () => {
    happen({ type: 'turn_started', turnId: 't' }, { type: 'turn_cancelling' });
    happen({ type: 'stop_unanswered' });
    happen(say('more. '));
    assert.deepEqual(urgent, ["Ada isn't responding to Stop. Restarting the agent also restarts its other sessions. Restart Agent"]);
  });

  it('names code, and ignores thoughts and earlier messages', () => {
    const later = new Announcer(
      (words) => said.push(words),
      () => now,
      () => new SpokenText(),
    );
    happen({ type: 'turn_started', turnId: 't' }, say('History. '));
    said.length = 0;
    later.hear(state);
    assert.deepEqual(said, []);
    happen(say('Let me think. So. ', '2', 'thought'));
    happen(say('Look:\n\n```ts\nlet a. = 1;\n', '3'));
    assert.deepEqual(said, ['Look:']);
    happen(say('```\n\nDone. ', '3'));
    assert.deepEqual(said, ['Look:', 'Code block. Done.']);
  });

  it('is silent about a replayed conversation', () => {
    happen({ type: 'session_opened', agentName: 'Ada', cwd: '/w' });
    happen(say('What was said at another time. '));
    happen({ type: 'session_ready', sessionId: 's' });
    assert.deepEqual(said, ['Ada is ready']);
  });

  it('only mentions a text that arrives in one huge chunk', () => {
    happen({ type: 'turn_started', turnId: 't' });
    said.length = 0;
    happen(say('A sentence. '.repeat(2000)));
    assert.deepEqual(said, ['Long response in the conversation.']);
  });

  it('announces questions, the end of a turn, and errors', () => {
    happen({ type: 'turn_started', turnId: 't' });
    said.length = 0;
    happen(permissionRequest('p', 'Run ls'));
    happen({ type: 'elicitation_requested', requestKey: 'e', message: 'Which one?', body: { mode: 'form', fields: [] } });
    happen({ type: 'turn_cancelling' });
    happen({ type: 'turn_ended', turnId: 't', stopReason: 'cancelled' });
    happen({ type: 'disconnected', failure: { code: 'agent.exited', params: { exitCode: 1 } } });
    assert.deepEqual(said.slice(0, 4), ['Ada needs your permission: Run ls', 'Ada needs your input: Which one?', 'Stopping', 'Stopped']);
    assert.ok(said.length >= 5);
    assert.deepEqual(urgent, ['Ada needs your permission: Run ls', 'Ada needs your input: Which one?']);
  });

  const tool = (toolCallId: string, status: string, title = `Tool ${toolCallId}`) =>
    toolCall(toolCallId, { title, kind: 'execute', status });

  it('announces how tool calls ended, each once, and counts them when there are many', () => {
    happen({ type: 'turn_started', turnId: 't' });
    said.length = 0;
    happen(tool('a', 'in_progress'), tool('b', 'pending'));
    assert.deepEqual(said, []);
    happen(tool('a', 'completed'));
    happen(tool('b', 'failed'));
    happen(tool('b', 'failed'), tool('c', 'completed', ''));
    assert.deepEqual(said, ['Tool a, Done', 'Tool b, Failed', 'Run, Done']);
    said.length = 0;
    happen(...Array.from({ length: 1000 }, (_, index) => tool(`m${index}`, index % 100 === 0 ? 'failed' : 'completed')));
    happen(...Array.from({ length: 1000 }, (_, index) => tool(`n${index}`, 'in_progress')));
    happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    assert.deepEqual(said, ['1000 tool calls finished, 10 failed', '1000 tool calls finished', 'Ada is done']);
  });

  it('reads text in chunks of any size like the whole text, without its syntax', () => {
    const text =
      'First, e.g. this one, by J. R. Smith. Then:\n\n1. One thing.\n2. Another thing!\n\n- [x] Done already\n\n```ts\nconst a = 1. + b. c();\n\n// Not. This.\n```\n\n' +
      '- In a list:\n    ```js\n    no. code.\n    ```\n\n| File | Lines |\n|:--|--:|\n| a.ts | 3 |\n\n$$\nx. y.\n$$\n\n完了しました。次の文です。終わり！\n\nهل انتهى؟ نعم.\n\nThe end.';
    const words =
      'First, e.g. this one, by J. R. Smith. Then: One thing. Another thing! Done already. Code block. In a list: Code block. File, Lines. a.ts, 3. Formula. 完了しました。次の文です。終わり！ هل انتهى؟ نعم. The end.';
    for (const size of [1, 3, 7, 40, text.length]) {
      happen({ type: 'turn_started', turnId: `t${size}` });
      said.length = 0;
      for (let at = 0; at < text.length; at += size) {
        happen(say(text.slice(at, at + size), `m${size}`));
      }
      happen({ type: 'turn_ended', turnId: `t${size}`, stopReason: 'end_turn' });
      assert.equal(said.pop(), 'Ada is done');
      assert.equal(
        said.join(' ').replace(/(?<=\p{Script=Han}|\p{Script=Hiragana}|。) (?=\p{Script=Han})/gu, ''),
        words,
        `in pieces of ${size}`,
      );
      assert.ok(said.length <= 20, `${said.length} lines`);
    }
  });

  it('limits the length of announcements', () => {
    happen({ type: 'turn_started', turnId: 't' });
    said.length = 0;
    for (let at = 0; at < 5000; at++) {
      now += 10;
      happen(say(`Sentence number ${at} is finished. `));
    }
    assert.ok(said.join('').length < 5000, String(said.join('').length));
    assert.ok(said.filter((words) => words === 'See the conversation for more.').length <= 3);
    said.length = 0;
    happen(permissionRequest('p', 'Run ls'));
    assert.deepEqual(said, ['Ada needs your permission: Run ls'], 'what waits for the user is always said');
    now += 600_000;
    said.length = 0;
    happen(say('And another. '));
    assert.deepEqual(said, ['And another.'], 'there is time again');
  });

  it('continues with a whole sentence after an overlong text', () => {
    happen({ type: 'turn_started', turnId: 't' });
    for (let at = 0; at < 200; at++) {
      happen(say(`Sentence number ${at} is finished. `));
    }
    happen(say('Half of '));
    now += 600_000;
    said.length = 0;
    happen(say('one. '));
    assert.deepEqual(said, ['Half of one.']);
  });

  it('catches up with text from before its reader was loaded', () => {
    const readers: SpokenText[] = [];
    const late = new Announcer(
      (words) => said.push(words),
      () => now,
      () => readers[0],
    );
    late.hear(state);
    happen({ type: 'turn_started', turnId: 't' });
    late.hear(state);
    happen(say('The first. The '));
    late.hear(state);
    readers.push(new SpokenText());
    said.length = 0;
    late.hear(state);
    assert.deepEqual(said, ['The first.']);
  });
});
