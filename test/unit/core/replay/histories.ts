/** Random recorded conversations, and random replays of them, through the decoder of a live connection. */
import fc from 'fast-check';
import { V1Updates } from '../../../../src/acp/v1/updates';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { EMPTY_STATE, isAbsent, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { layOver, type LaidOver } from '../../../../src/core/replay/layOver';

/** A prompt of the user, or an action of the agent. */
export type Said =
  | { readonly kind: 'user' | 'agent' | 'thought'; readonly text: string; readonly id?: string }
  | { readonly kind: 'tool'; readonly id: string; readonly title: string; readonly output: string; readonly isFinalOnly?: boolean };

/** The way in which an agent sends its replay. */
export interface Manner {
  /** Message ids: as in the live session, none, or new ones. */
  readonly ids: 'same' | 'none' | 'new';
  /** True when tool calls get new ids too. */
  readonly newToolIds?: boolean;
  /** The number of characters of a chunk. */
  readonly chunk: number;
}

type Fields = Record<string, unknown>;

const decoded = (updates: V1Updates, update: Fields): EventInput[] => updates.decode('s', { sessionId: 's', update });

const chunks = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

function* wire(said: Said, ids: Manner['ids'], size: number): Iterable<Fields> {
  if (said.kind === 'tool') {
    const rest = { toolCallId: said.id, status: 'completed' };
    const content = [
      { type: 'content', content: { type: 'text', text: said.output } },
      { type: 'diff', path: `/w/${said.title}`, oldText: 'a\n', newText: 'b\n' },
    ];
    yield said.isFinalOnly
      ? { sessionUpdate: 'tool_call_update', ...rest }
      : { sessionUpdate: 'tool_call', ...rest, title: said.title, kind: 'edit', content, rawInput: { of: said.title } };
    return;
  }
  const messageId = ids === 'none' ? undefined : ids === 'new' ? `other-${said.id}` : said.id;
  for (const text of chunks(said.text, size)) {
    yield {
      sessionUpdate: said.kind === 'user' ? 'user_message_chunk' : `agent_${said.kind === 'agent' ? 'message' : 'thought'}_chunk`,
      ...(messageId !== undefined && { messageId }),
      content: { type: 'text', text },
    };
  }
}

/** Reduces events, starting at the given time. */
function reduced(events: readonly EventInput[], from: number): { readonly events: readonly SessionEvent[]; readonly state: SessionState } {
  const stamped = events.map((event, index) => ({ ...event, at: from + index }) as SessionEvent);
  return { events: stamped, state: stamped.reduce(reduce, EMPTY_STATE) };
}

/** The recorded state of a live session with these turns. */
export function recordOf(turns: readonly (readonly Said[])[], chunk = 5): SessionState {
  const updates = new V1Updates(undefined, '1.');
  const events = turns.flatMap((turn, number): EventInput[] => {
    updates.nextTurn('s');
    return [
      { type: 'turn_started', turnId: `turn-${number}` },
      ...turn.flatMap((said): EventInput[] =>
        said.kind === 'user'
          ? [{ type: 'message', role: 'user', messageId: `turn-${number}`, content: [{ type: 'text', text: said.text }] }]
          : [...wire(said, 'same', chunk)].flatMap((update) => decoded(updates, update)),
      ),
      ...decoded(updates, { sessionUpdate: 'plan', entries: [{ content: `step ${number}`, priority: 'high', status: 'completed' }] }),
      { type: 'turn_ended', turnId: `turn-${number}`, stopReason: 'end_turn' },
    ];
  });
  return reduced(events, 1000).state;
}

/** Merges a replay into the record. `ms`: the time that the merge took. */
export function replayOver(
  record: SessionState,
  said: readonly Said[],
  manner: Manner,
): LaidOver & { readonly state: SessionState; readonly ms: number } {
  const updates = new V1Updates(undefined, '2.');
  const told = said.map((each, index) => {
    const id = each.kind === 'tool' && manner.newToolIds ? `other-${index}` : each.id;
    return { ...each, ...(id !== undefined && { id }) } as Said;
  });
  const { events, state } = reduced(
    told.flatMap((each) => [...wire(each, manner.ids, manner.chunk)].flatMap((update) => decoded(updates, update))),
    1_000_000,
  );
  const start = performance.now();
  const laid = layOver(record, state, events);
  const ms = performance.now() - start;
  return { ...laid, state: laid.events.reduce(reduce, record), ms };
}

/** The conversation without the ends of turns, one line for each entry. */
export function spoken(state: SessionState): string[] {
  return [...state.entries].flatMap((slot) => {
    if (isAbsent(slot)) {
      return ['absent'];
    }
    switch (slot.kind) {
      case 'message':
        return [`${slot.role} ${slot.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('')}`];
      case 'tool_call':
        return [`tool ${slot.title} ${slot.status} ${slot.content.length}`];
      case 'turn':
        return [];
      default:
        return [slot.kind];
    }
  });
}

/** Many of these texts occur several times, and some are the beginning or the end of others. */
const word = fc.constantFrom(
  'ok',
  'continue',
  'go',
  'a',
  'ab',
  'b',
  'done',
  'ok done',
  'yes, done',
  'answer to turn 1',
  'answer to turn 12',
  'line\nline\n',
  ' spaced ',
);
const text = fc.oneof(
  word,
  word,
  fc.tuple(word, word, word).map((words) => words.join(' ')),
  fc.nat(60).map((number) => `turn ${number} word${number}`),
);

const step = fc.oneof(
  { weight: 3, arbitrary: text.map((words) => ({ kind: 'agent' as const, text: words })) },
  { weight: 1, arbitrary: text.map((words) => ({ kind: 'thought' as const, text: words })) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('tool' as const),
      title: fc.constantFrom('read', 'edit', 'run'),
      output: word,
      ownId: fc.boolean(),
    }),
  },
);

/** Turns with unique ids, except for tool calls that are numbered in each turn. */
export const history: fc.Arbitrary<readonly (readonly Said[])[]> = fc
  .array(fc.tuple(text, fc.array(step, { maxLength: 5 })), { minLength: 1, maxLength: 12 })
  .map((turns) =>
    turns.map(([prompt, steps], turn) => [
      { kind: 'user' as const, text: prompt, id: `u${turn}` },
      ...steps.map((each, index): Said => {
        if (each.kind === 'tool') {
          return { kind: 'tool', title: each.title, output: each.output, id: each.ownId ? `call-${turn}-${index}` : `call-${index}` };
        }
        return { ...each, id: `m${turn}-${index}` };
      }),
    ]),
  );

export const manner: fc.Arbitrary<Manner> = fc.record({
  ids: fc.constantFrom('same', 'none', 'new'),
  chunk: fc.integer({ min: 1, max: 9 }),
});
