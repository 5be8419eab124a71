/** Properties of whole conversations: a history equals its own replay, and both versions give the same conversation. */
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { V1Updates } from '../../../../src/acp/v1/updates';
import { V2Updates } from '../../../../src/acp/v2/updates';
import type { SessionEvent } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { Translation } from '../../../agent/scripted/translation';

type Fields = Record<string, unknown>;
type Decoder = Pick<V2Updates, 'decode'>;

const few = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const text = fc.string({ maxLength: 6 });
const block = fc.oneof(
  text.map((value) => ({ type: 'text', text: value })),
  fc.constant({ type: '_chart', x: 1 }),
);
const content = fc.oneof(
  block.map((each) => ({ type: 'content', content: each })),
  few('x', 'y').map((terminalId) => ({ type: 'terminal', terminalId })),
  text.map((name) => ({
    type: 'diff',
    changes: [{ operation: 'modify', path: `/w/${name}` }],
    patch: { format: 'git_patch', text: name },
  })),
  text.map((name) => ({
    type: 'diff',
    changes: [{ operation: 'modify', path: '/w/a' }],
    patch: { format: 'git_patch', text: `--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-${name}\n+${name}x\n` },
  })),
);
/** Omitted, null or a value. */
const patched = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(value, fc.constant(null), fc.constant(undefined));

function update(kind: string, fields: { [K in string]: fc.Arbitrary<unknown> }): fc.Arbitrary<Fields> {
  return fc.record(fields).map((values) => ({
    sessionUpdate: kind,
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
  }));
}

const role = few('user_message', 'agent_message', 'agent_thought');
const message = role.chain((kind) => update(kind, { messageId: few('1', '2', '3'), content: patched(fc.array(block, { maxLength: 3 })) }));
const chunk = role.chain((kind) => update(`${kind}_chunk`, { messageId: few('1', '2', '3'), content: block }));
const status = few('pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled', '_beaming');
const call = update('tool_call_update', {
  toolCallId: few('a', 'b'),
  title: patched(text),
  name: patched(text),
  kind: patched(few('edit', 'read', '_new')),
  status: patched(status),
  content: patched(fc.array(content, { maxLength: 2 })),
  locations: patched(fc.constant([{ path: '/w/a', line: 2 }])),
  rawInput: patched(fc.constant({ q: 1 })),
  capabilities: patched(fc.constant({ cancel: {} })),
});
const callChunk = update('tool_call_content_chunk', { toolCallId: few('a', 'b'), content });
const base64 = text.map((value) => Buffer.from(value).toString('base64'));
const terminal = update('terminal_update', {
  terminalId: few('x', 'y'),
  command: patched(text),
  cwd: patched(few('/w', '/v')),
  output: patched(base64.map((data) => ({ data }))),
  exitStatus: patched(few({}, { exitCode: 1 }, { signal: 'SIGINT' })),
});
const bytes = update('terminal_output_chunk', { terminalId: few('x', 'y'), data: base64 });
const plan = few(
  { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# A' } },
  { sessionUpdate: 'plan_update', plan: { type: '_board', planId: 'p', x: 1 } },
  { sessionUpdate: 'plan_removed', planId: 'p' },
) as fc.Arbitrary<Fields>;

const history = fc.array(fc.oneof(message, chunk, call, callChunk, terminal, bytes, plan), { maxLength: 30 });

/** An agent that stores its conversation by the rules of the protocol, and replays it. */
class StoringAgent {
  private readonly order: string[] = [];
  private readonly messages = new Map<string, { kind: string; messageId: unknown; content: unknown[] }>();
  private readonly calls = new Map<string, Fields>();
  private readonly terminals = new Map<string, { fields: Fields; output: Buffer }>();
  private plans: Fields[] = [];

  take(update: Fields): void {
    const kind = String(update.sessionUpdate);
    const isChunk = kind.endsWith('_chunk');
    if (/^(?:user|agent)_(?:message|thought)/.test(kind)) {
      const role = kind.replace('_chunk', '');
      const stored = this.at(this.messages, `${role} ${String(update.messageId)}`, () => ({
        kind: role,
        messageId: update.messageId,
        content: [],
      }));
      if (isChunk) {
        stored.content.push(update.content);
      } else if (update.content !== undefined) {
        stored.content = [...((update.content as unknown[] | null) ?? [])];
      }
    } else if (kind.startsWith('tool_call')) {
      const stored = this.at(this.calls, `call ${String(update.toolCallId)}`, (): Fields => ({ toolCallId: update.toolCallId }));
      if (isChunk) {
        stored.content = [...((stored.content as unknown[] | null) ?? []), update.content];
      } else {
        Object.assign(stored, update);
      }
    } else if (kind.startsWith('terminal')) {
      const id = String(update.terminalId);
      const stored = this.terminals.get(id) ?? { fields: {}, output: Buffer.alloc(0) };
      this.terminals.set(id, stored);
      const { output, data, ...fields } = update;
      if (isChunk) {
        stored.output = Buffer.concat([stored.output, Buffer.from(String(data), 'base64')]);
      } else {
        Object.assign(stored.fields, fields);
        stored.output = output === undefined ? stored.output : Buffer.from((output as { data: string } | null)?.data ?? '', 'base64');
      }
    } else {
      this.plans = kind === 'plan_removed' ? [] : [update];
    }
  }

  /** @param inChunks the messages are cleared first, and then sent block by block */
  replay(inChunks: boolean): Fields[] {
    const entries = this.order.flatMap((key): Fields[] => {
      const stored = this.messages.get(key);
      if (!stored) {
        return [{ ...UNSET, ...this.calls.get(key), sessionUpdate: 'tool_call_update', _meta: null }];
      }
      const { kind, messageId, content: blocks } = stored;
      return inChunks
        ? [
            { sessionUpdate: kind, messageId, content: [], _meta: null },
            ...blocks.map((each) => ({ sessionUpdate: `${kind}_chunk`, messageId, content: each })),
          ]
        : [{ sessionUpdate: kind, messageId, content: blocks }];
    });
    const terminals = [...this.terminals].map(([terminalId, { fields, output }]) => ({
      ...{ command: null, cwd: null, exitStatus: null },
      ...fields,
      sessionUpdate: 'terminal_update',
      terminalId,
      output: { data: output.toString('base64') },
    }));
    return [...entries, ...terminals, ...(this.plans.length > 0 ? this.plans : [{ sessionUpdate: 'plan_removed', planId: 'p' }])];
  }

  private at<T>(map: Map<string, T>, key: string, create: () => T): T {
    let stored = map.get(key);
    if (!stored) {
      stored = create();
      map.set(key, stored);
      this.order.push(key);
    }
    return stored;
  }
}

const UNSET: Fields = {
  ...{ title: null, name: null, kind: null, status: null, content: null },
  ...{ locations: null, rawInput: null, rawOutput: null, capabilities: null },
};

function conversation(updates: readonly Fields[], decoder: Decoder = new V2Updates(), from: SessionState = EMPTY_STATE): SessionState {
  return updates
    .flatMap((each) => decoder.decode('s', { sessionId: 's', update: each }))
    .reduce((state, event) => reduce(state, { ...event, at: 1 } as SessionEvent), from);
}

/** The parts of a conversation that its updates determine. Texts are joined, because a replay may split them elsewhere. */
function seen({ entries, terminals, plans, openToolCalls }: SessionState): unknown {
  const joined = [...entries].map((entry) => {
    const { at: _at, updatedAt: _updatedAt, ...rest } = entry as unknown as Fields;
    return entry.kind === 'message' && 'content' in entry ? { ...rest, content: texts(entry.content) } : rest;
  });
  return { joined, terminals, plans, open: [...openToolCalls].sort() };
}

function texts(blocks: readonly { readonly type: string; readonly text?: string }[]): unknown[] {
  const joined: unknown[] = [];
  for (const each of blocks) {
    const last = joined.at(-1);
    if (each.type === 'text' && typeof last === 'string') {
      joined[joined.length - 1] = last + each.text;
    } else {
      joined.push(each.type === 'text' ? each.text : each);
    }
  }
  return joined;
}

describe('a history of version 2', () => {
  it('equals its own replay, also over the conversation itself', () => {
    fc.assert(
      fc.property(history, fc.boolean(), (updates, inChunks) => {
        const agent = new StoringAgent();
        updates.forEach((each) => agent.take(each));
        const live = conversation(updates);
        const replay = agent.replay(inChunks);
        assert.deepEqual(seen(conversation(replay)), seen(live));
        assert.deepEqual(seen(conversation(replay, new V2Updates(), live)), seen(live));
      }),
    );
  });
});

const words = fc.string({ minLength: 1, maxLength: 6 }).filter((value) => value.trim() !== '');
/** Updates that both versions have, in the form of version 1. */
const shared = fc.oneof(
  few('agent_message_chunk', 'agent_thought_chunk').chain((kind) =>
    update(kind, { content: words.map((value) => ({ type: 'text', text: value })) }),
  ),
  few('a', 'b', 'c').chain((toolCallId) =>
    update('tool_call_update', {
      toolCallId: fc.constant(toolCallId),
      title: fc.option(words, { nil: undefined }),
      kind: fc.option(few('edit', 'read'), { nil: undefined }),
      status: fc.option(few('in_progress', 'completed', 'failed'), { nil: undefined }),
      content: fc.option(
        fc.array(
          fc.oneof(
            words.map((value) => ({ type: 'content', content: { type: 'text', text: value } })),
            fc.tuple(fc.option(fc.string({ maxLength: 3 })), few('', 'line\n'), words, few('', '\n')).map(([before, start, more, end]) => {
              const oldText = before === null ? null : `${start}${before}`;
              return { type: 'diff', path: '/w/a', oldText, newText: `${oldText ?? ''}${more}${end}` };
            }),
          ),
          { maxLength: 2 },
        ),
        { nil: undefined },
      ),
      rawInput: fc.option(fc.constant({ q: 1 }), { nil: undefined }),
    }),
  ),
  update('plan', {
    entries: fc.array(
      words.map((value) => ({ content: value, priority: 'high', status: 'pending' })),
      { maxLength: 2 },
    ),
  }),
  update('available_commands_update', {
    availableCommands: fc.constant([
      { name: 'c', description: 'd', input: { hint: 'h' } },
      { name: 'e', description: 'f' },
    ]),
  }),
  update('config_option_update', {
    configOptions: few('a', 'b').map((currentValue) => [
      {
        id: 'm',
        name: 'M',
        type: 'select',
        currentValue,
        options: [
          {
            group: 'g',
            name: 'G',
            options: [
              { value: 'a', name: 'A' },
              { value: 'b', name: 'B' },
            ],
          },
        ],
      },
      { id: 'f', name: 'F', type: 'boolean', currentValue: true },
    ]),
  }),
  update('usage_update', {
    used: fc.nat(100),
    size: fc.constant(100),
    cost: fc.option(fc.constant({ amount: 1, currency: 'USD' }), { nil: undefined }),
  }),
  update('session_info_update', { title: patched(words) }),
  update('notice', { severity: few('info', 'warning'), title: words }),
  update('compaction_update', { compactionId: few('k', 'l'), status: few('in_progress', 'completed') }),
);

describe('a conversation', () => {
  it('has the same state in version 1 and in version 2', () => {
    const facts = ({ entries, plans, commands, config, usage, title, openToolCalls }: SessionState): unknown => ({
      entries: [...entries].map((entry) => {
        const { entryId: _entryId, messageId: _messageId, noticeId: _noticeId, ...rest } = entry as unknown as Fields;
        // Only a patch has the line of its text.
        return JSON.parse(JSON.stringify(rest, (key, value: unknown) => (key === 'line' ? undefined : value))) as unknown;
      }),
      ...{ plans, commands, config, usage, title, openToolCalls },
    });
    fc.assert(
      fc.property(fc.array(shared, { maxLength: 30 }), (updates) => {
        const translation = new Translation('m');
        const first = conversation(updates, new V1Updates());
        const second = conversation(updates.map((each) => translation.update(each)));
        assert.deepEqual(facts(second), facts(first));
      }),
    );
  });
});
