import assert from 'node:assert/strict';
import { reportUri } from '../../../../src/core/model/reportAddress';
import { commentsUri } from '../../../../src/core/model/attachment';
import { marked } from 'marked';
import { changeLines } from '../../../../src/core/toolCalls/changeText';
import type { EventInput } from '../../../../src/core/model/event';
import { codeSpan, fenced, proseLine, quoted } from '../../../../src/text/markdown/fence';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { transcriptSections } from '../../../../src/text/transcript/sections';
import { transcriptStrings } from '../../../../src/application/export/transcriptStrings';
import { planText } from '../../../../src/application/comments/planText';
import { english } from '../../application/english';
import { permissionRequest, stateOf } from '../../../support/events';

const fold = (...events: readonly EventInput[]): SessionState => stateOf(events, EMPTY_STATE, 0, 1000);
const partsOf = (state: SessionState) => [...transcriptSections(state, transcriptStrings('Ada', english))];
const textOf = (...events: EventInput[]) =>
  partsOf(fold(...events))
    .map(({ text }) => text)
    .join('\n\n');

describe('transcriptParts', () => {
  it('removes links in titles and plans that editors find in escaped HTML', () => {
    for (const address of ['command:x', 'command&#58;x', 'vscode://x', 'slack:x']) {
      for (const html of [`<a href="${address}">y</a>`, `<video src='${address}'>`, `<IMG SRC = ${address}>`]) {
        const texts = [
          textOf({ type: 'tool_call_update', toolCallId: 'c', patch: { title: html, status: 'completed' } }),
          planText({ p: { type: 'items', entries: [{ content: html, priority: 'medium', status: 'pending' }] } }),
        ];
        for (const text of texts) {
          assert.match(text, /(?:href|SRC|src)/);
          assert.doesNotMatch(text, /=\s*["']?[a-z]+(?::|&#)/, html);
        }
      }
    }
  });

  it('contains no link that two texts of a message form together', () => {
    for (const [first, second] of [
      ['[a](', 'command:x)'],
      ['[a]:', 'vscode://x'],
      ['<a href=', '"command:x">'],
    ] as const) {
      const content = [first, second].map((text) => ({ type: 'text' as const, text }));
      const text = textOf({ type: 'message', role: 'agent', messageId: '1', content });
      assert.doesNotMatch(text, /(?:\]\(|\]:|=)\s*["']?(?:command|vscode):/, first);
    }
  });

  it('names the other client that has sent a message or answered a question', () => {
    const client = '[Pixel](command:x)';
    const text = textOf(
      { type: 'message', role: 'user', messageId: '1', content: [{ type: 'text', text: 'Hi' }] },
      { type: 'entry_origin', entryId: 'user:1', client },
      {
        type: 'permission_requested',
        permissionId: 'p',
        title: 'Run it',
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
        subject: {},
      },
      { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
      { type: 'entry_origin', entryId: 'permission:p', client },
    );
    assert.match(text, /^## You · Sent from \S*Pixel/m);
    assert.match(text, /· Answered from \S*Pixel/);
    assert.doesNotMatch(text, /\]\(command:/);
  });

  it('contains messages, thoughts as quotes, and a heading for each entry', () => {
    const parts = partsOf(
      fold(
        {
          type: 'message',
          role: 'user',
          messageId: '1',
          content: [
            { type: 'text', text: 'Fix *it*' },
            { type: 'resource_link', uri: 'file:///a b.ts', name: 'a b.ts' },
          ],
        },
        { type: 'message_chunk', role: 'thought', messageId: '2', content: { type: 'text', text: 'Hm,\n\n' } },
        { type: 'message_chunk', role: 'thought', messageId: '2', content: { type: 'text', text: 'yes' } },
        { type: 'message_chunk', role: 'agent', messageId: '3', content: { type: 'text', text: 'Done.' } },
      ),
    );
    assert.deepEqual(parts, [
      { entryId: 'user:1', text: '## You\n\nFix *it*\n\n[a b.ts](<file:///a%20b.ts>)' },
      { entryId: 'thought:2', text: '### Thought for 1 s\n\n> Hm,\n>\n> yes' },
      { entryId: 'agent:3', text: '## Ada\n\nDone.' },
    ]);
  });

  it("uses the user's names for sent attachments", () => {
    const text = textOf({
      type: 'message',
      role: 'user',
      messageId: '1',
      content: [
        { type: 'text', text: 'Go on' },
        { type: 'resource', uri: 'file:///w/cart.ts#L10-20', text: 'ten' },
        { type: 'resource', uri: commentsUri('c', [1], 'cart.ts:12'), text: 'Why?' },
        { type: 'resource', uri: reportUri('s', 1, [{ path: '/w/cart.ts', undone: 1 }]), text: 'Undone' },
      ],
    });
    assert.equal(
      text,
      [
        '## You\n\nGo on',
        '[cart.ts:10-20](<file:///w/cart.ts#L10-20>)\n\n```\nten\n```',
        '**1 comment on cart.ts:12**\n\n```\nWhy?\n```',
        '**1 change undone in cart.ts**\n\n```\nUndone\n```',
      ].join('\n\n'),
    );
  });

  it('contains a tool call with its locations, changes and commands', () => {
    const text = textOf(
      {
        type: 'terminal_update',
        terminalId: 't',
        command: 'npm test',
        output: '\u001b[32mok\u001b[0m\r\n```\r\n',
        exitStatus: { exitCode: 1 },
      },
      {
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: {
          title: 'Edit\n# a.ts',
          status: 'completed',
          locations: [{ path: '/w/a.ts', line: 3 }],
          content: [
            {
              type: 'diff',
              changes: [{ operation: 'modify', path: '/w/a.ts', oldText: 'a\nb\nc\nd\ne\nf\n', newText: 'a\nb\nc\nd\nE\nf\n' }],
            },
            { type: 'content', content: { type: 'text', text: 'two ```` ticks' } },
            { type: 'terminal', terminalId: 't' },
          ],
        },
      },
    );
    assert.equal(
      text,
      [
        '### Tool: Edit # a.ts',
        'Done',
        '- `/w/a.ts:3`',
        'Changed: `/w/a.ts`',
        '```diff\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f\n```',
        '`````\ntwo ```` ticks\n`````',
        '```sh\nnpm test\n```',
        '````\nok\n```\n````',
        'Exit code 1',
      ].join('\n\n'),
    );
  });

  it('contains questions with their answers', () => {
    assert.equal(
      textOf(
        permissionRequest('p', 'Run `ls`?', { options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }], subject: { command: 'ls' } }),
        { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
        permissionRequest('q', 'And?'),
        {
          type: 'elicitation_requested',
          requestKey: 'e',
          message: 'Who?',
          body: { mode: 'form', fields: [{ type: 'string', name: 'who', title: 'Name', required: true }] },
        },
        { type: 'elicitation_resolved', requestKey: 'e', outcome: 'accepted', content: { who: 'Ada' } },
      ),
      [
        '### Question: Run \\`ls\\`?',
        '```sh\nls\n```',
        'Allowed by you: Yes',
        '### Question: And?',
        'Waiting for your answer.',
        '### Question: Who?',
        'Accepted',
        '- Name: `Ada`',
      ].join('\n\n'),
    );
  });

  it('shows only the decision for a tool call that was not allowed', () => {
    const end = (outcome: 'selected' | 'cancelled') =>
      textOf(
        { type: 'tool_call_update', toolCallId: 'c', patch: { title: 'make', kind: 'execute', status: 'pending' } },
        permissionRequest('p', 'make', { options: [{ optionId: 'n', name: 'No', kind: 'reject_once' }], subject: { toolCallId: 'c' } }),
        { type: 'permission_resolved', permissionId: 'p', outcome, ...(outcome === 'selected' && { optionId: 'n' }) },
        { type: 'tool_call_update', toolCallId: 'c', patch: { status: 'failed' } },
      );
    assert.equal(end('selected'), '### Tool: make\n\nRejected by you: No');
    assert.equal(end('cancelled'), '### Tool: make\n\nNot answered: the turn was stopped');
  });

  it('shows the rule that answered a request, as text', () => {
    const end = (outcome: 'selected' | 'cancelled', optionId: string, text?: string) =>
      textOf(
        permissionRequest('p', 'make', {
          options: [
            { optionId: 'y', name: 'Yes', kind: 'allow_once' },
            { optionId: 'n', name: 'No', kind: 'reject_once' },
          ],
        }),
        {
          type: 'permission_resolved',
          permissionId: 'p',
          outcome,
          ...(outcome === 'selected' && { optionId }),
          byRule: { id: 'team/1', reason: { code: 'rule', ...(text !== undefined && { params: { text } }) } },
        },
      );
    assert.equal(end('selected', 'n', 'no *pushes*'), '### Question: make\n\nDenied by rule: no \\*pushes\\*');
    assert.equal(end('selected', 'y'), '### Question: make\n\nAllowed by rule: team/1');
    assert.equal(end('selected', 'other'), '### Question: make\n\nAnswered by rule: team/1');
    assert.equal(end('cancelled', ''), '### Question: make\n\nDenied by rule: team/1');
  });

  it('contains notices, ends of turns, unknown messages as JSON, and the plan', () => {
    const text = textOf(
      { type: 'unknown', unknownId: 'u', label: 'new_thing', raw: { a: '```' } },
      { type: 'turn_started', turnId: 't' },
      { type: 'turn_ended', turnId: 't', stopReason: 'max_tokens' },
      {
        type: 'plan_update',
        planId: 'plan',
        plan: {
          type: 'items',
          entries: [
            { content: 'One', priority: 'low', status: 'completed' },
            { content: 'Two', priority: 'low', status: 'pending' },
          ],
        },
      },
    );
    assert.equal(
      text,
      [
        "### The agent sent something this version doesn't support: new\\_thing",
        '````json\n{\n  "a": "```"\n}\n````',
        '---',
        'The turn ended after 1 s: max_tokens',
        '## Plan',
        '- [x] One\n- [ ] Two',
      ].join('\n\n'),
    );
  });

  it('contains the files that a turn changed', () => {
    const files = [
      { path: '/w/a.ts', operation: 'modify', added: 3, removed: 1 },
      { path: '/w/b`.ts', oldPath: '/w/c.ts', operation: 'move' },
    ];
    const text = textOf(
      { type: 'turn_started', turnId: 't' },
      { type: 'message_chunk', role: 'agent', messageId: '1', content: { type: 'text', text: 'Done' } },
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn', changes: { files, more: 4 } },
    );
    assert.equal(
      text,
      '## Ada\n\nDone\n\n---\n\nThe turn took 2 s.\n\n- Changed: `/w/a.ts` +3 −1\n- Moved: ``/w/c.ts → /w/b`.ts``\n- … +4',
    );
  });

  it('separates each message from the next, and shows hidden characters', () => {
    const text = textOf(
      {
        type: 'message',
        role: 'agent',
        messageId: '1',
        content: [
          { type: 'text', text: 'Look:\n```sh\nrm' },
          { type: 'text', text: '<details> [a](command:x) \u202eb\u0007' },
          { type: 'resource_link', uri: 'command:y', name: 'l' },
        ],
      },
      { type: 'message_chunk', role: 'thought', messageId: '2', content: { type: 'text', text: '```\n## You' } },
      { type: 'message', role: 'user', messageId: '3', content: [{ type: 'text', text: 'Hm' }] },
    );
    assert.equal(
      text,
      [
        '## Ada',
        'Look:\n```sh\nrm\n```',
        '\\<details> [a](command%3Ax) ⟨U+202E⟩b⟨U+0007⟩',
        '[l](<command%3Ay>)',
        '### Thought',
        '> ```\n> ## You\n> ```',
        '## You',
        'Hm',
      ].join('\n\n'),
    );
  });

  it('keeps text that an agent may choose on its line', () => {
    const text = textOf(
      { type: 'terminal_update', terminalId: 'x', command: 'c', exitStatus: { signal: 'SIG\n```\n# A' } },
      {
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: { title: 'T', status: 'odd\n```\n# B', content: [{ type: 'terminal', terminalId: 'x' }] },
      },
      { type: 'compaction_update', compactionId: 'k', status: 'odd\n~~~\n# C' } as EventInput,
      { type: 'turn_started', turnId: 't' },
      { type: 'turn_ended', turnId: 't', stopReason: 'why\n```\n# D' },
      { type: 'message', role: 'user', messageId: '3', content: [{ type: 'text', text: 'Hm' }] },
    );
    assert.deepEqual(
      marked.lexer(text).flatMap((token) => (token.type === 'heading' ? [token.raw.trim()] : [])),
      ['### Tool: T', '## You'],
      text,
    );
    assert.deepEqual(
      marked
        .lexer(text)
        .filter(({ type }) => type === 'code')
        .map(({ raw }) => raw),
      ['```sh\nc\n```'],
      text,
    );
    const named = [
      ...transcriptSections(
        fold({ type: 'message', role: 'agent', messageId: '1', content: [{ type: 'text', text: 'Hm' }] }),
        transcriptStrings('Ada\n```', english),
      ),
    ];
    assert.equal(named[0]!.text, '## Ada \\`\\`\\`\n\nHm');
  });

  it('contains the input and output of a tool if nothing else shows them', () => {
    assert.equal(
      textOf({
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: { title: 'T', status: 'completed', rawInput: { pattern: 'x' }, rawOutput: 'two matches' },
      }),
      ['### Tool: T', 'Done', 'Input:', '```json\n{\n  "pattern": "x"\n}\n```', 'Output:', '```\ntwo matches\n```'].join('\n\n'),
    );
    const change = { operation: 'modify', path: '/a', oldText: 'a', newText: 'b' };
    assert.equal(
      textOf({
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: {
          title: 'T',
          status: 'failed',
          rawInput: { old: 'a', new: 'b' },
          content: [{ type: 'diff', changes: [change] }],
          rawOutput: { error: 'no such line' },
        },
      }),
      [
        '### Tool: T',
        'Failed',
        'Output:',
        '```json\n{\n  "error": "no such line"\n}\n```',
        'Changed: `/a`',
        '```diff\n@@ -1,1 +1,1 @@\n-a\n+b\n```',
      ].join('\n\n'),
    );
    const said = { type: 'content', content: { type: 'text', text: 'said' } } as const;
    assert.equal(
      textOf({
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: { title: 'T', status: 'completed', rawInput: {}, content: [said], rawOutput: { text: 'said' } },
      }),
      '### Tool: T\n\nDone\n\n```\nsaid\n```',
    );
  });

  it('cuts huge content, and shows how much', () => {
    const text = textOf({
      type: 'tool_call_update',
      toolCallId: 'c',
      patch: { title: 'x', content: [{ type: 'content', content: { type: 'text', text: 'y'.repeat(1_000_000) } }] },
    });
    assert.ok(text.length < 140_000 && text.endsWith('(868928 characters omitted)'), text.slice(-60));
  });
});

describe('text in Markdown', () => {
  it('cannot break out of its surroundings', () => {
    for (const text of ['```', '````\n## You\n```', '~~~', '```js\nx\n```', '']) {
      const [code, ...others] = marked.lexer(`${fenced(text, 'txt')}\n`);
      assert.deepEqual([code?.type, code && 'text' in code ? code.text : '', others.length], ['code', text, 0], text);
    }
    for (const text of ['## You', '- item', '1. one', '*a* `b` [c](d) <b>', '> q', '---']) {
      const [paragraph, ...others] = marked.lexer(proseLine(text));
      assert.deepEqual([paragraph?.type, others.length], ['paragraph', 0], text);
    }
    for (const text of ['a`b', '`', '``x``', 'a\n\nb', '', ' ']) {
      assert.match(marked.parse(codeSpan(text)) as string, /^<p><code>[^<]*<\/code><\/p>\n$/, text);
    }
    assert.equal(quoted('a\n\n## b'), '> a\n>\n> ## b');
  });
});

describe('changeLines', () => {
  it('is a diff of the changed part', () => {
    assert.deepEqual(changeLines({ operation: 'add', path: 'a', newText: 'x\ny\n' }), { text: '@@ -0,0 +1,2 @@\n+x\n+y', left: 0 });
    assert.deepEqual(changeLines({ operation: 'delete', path: 'a', oldText: 'x\n', newText: '' }), {
      text: '@@ -1,1 +0,0 @@\n-x',
      left: 0,
    });
    assert.deepEqual(changeLines({ operation: 'modify', path: 'a', oldText: 'x', newText: 'x' }), { text: '', left: 0 });
    assert.equal(changeLines({ operation: 'modify', path: 'a' }), undefined);
    assert.equal(changeLines({ operation: 'add', path: 'a', newText: 'x\n'.repeat(5000) })!.left, 3001);
  });
});
