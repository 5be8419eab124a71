import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwappedEntry } from '../../../../src/core/model/entries';
import type { ToolContent } from '../../../../src/core/model/content';
import type { SessionEvent } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState, type Slot, type ToolCallEntry } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { layOver } from '../../../../src/core/replay/layOver';
import { toolDiff, toolText } from '../../../support/events';
import { history, manner, recordOf, replayOver, type Said, spoken } from './histories';

const SEED = 20261125;
const runs = { seed: SEED, numRuns: 200 };

const lineOf = (said: Said): string => (said.kind === 'tool' ? `tool ${said.title} completed 2` : `${said.kind} ${said.text}`);
const all = (turns: readonly (readonly Said[])[]): Said[] => turns.flat();

/** Asserts that the record is unchanged, and that no difference is reported. */
function assertUnchanged(turns: readonly (readonly Said[])[], told: readonly Said[], how: Parameters<typeof replayOver>[2]): void {
  const record = recordOf(turns);
  const { state, differs } = replayOver(record, told, how);
  assert.deepEqual([...state.entries], [...record.entries]);
  assert.deepEqual({ ...state, entries: undefined }, { ...record, entries: undefined }, 'something beside the entries has changed');
  assert.equal(differs, false);
}

describe('a replay without anything new', () => {
  it('leaves the record unchanged when it has everything', () => {
    fc.assert(
      fc.property(history, manner, (turns, how) => assertUnchanged(turns, all(turns), how)),
      runs,
    );
  });

  it('leaves the record unchanged when any entries are left out', () => {
    fc.assert(
      fc.property(history, manner, fc.infiniteStream(fc.boolean()), (turns, how, kept) => {
        assertUnchanged(
          turns,
          all(turns).filter(() => kept.next().value),
          how,
        );
      }),
      runs,
    );
  });

  it('leaves a record unchanged whose old entries cannot be read', () => {
    const turns = Array.from({ length: 20 }, (_, turn): Said[] => [
      { kind: 'user', text: `Question ${turn}`, id: `u${turn}` },
      { kind: 'agent', text: `Answer ${turn}`, id: `a${turn}` },
      { kind: 'tool', title: `Call ${turn}`, output: `Output ${turn}`, id: `t${turn}` },
    ]);
    const record = recordOf(turns);
    const unreadable = { at: (_: number, { entryId, kind }: Pick<Slot, 'entryId' | 'kind'>): Slot => ({ entryId, kind, absent: true }) };
    const entries = record.entries.swapChunk(0, (present) =>
      present.map((slot, index) => (slot.kind === 'turn' ? slot : new SwappedEntry(slot.entryId, slot.kind, unreadable, index))),
    );
    const { events } = replayOver({ ...record, entries }, all(turns), { ids: 'none', chunk: 100 });
    assert.deepEqual(events, []);
  });

  it('leaves the record unchanged when it has texts only', () => {
    fc.assert(
      fc.property(history, manner, (turns, how) =>
        assertUnchanged(
          turns,
          all(turns).filter(({ kind }) => kind === 'user' || kind === 'agent'),
          how,
        ),
      ),
      runs,
    );
  });

  it('leaves the record unchanged when it has only the last status of tool calls', () => {
    fc.assert(
      fc.property(history, manner, fc.boolean(), (turns, how, withTexts) =>
        assertUnchanged(
          turns,
          all(turns).flatMap((said) => (said.kind === 'tool' ? { ...said, isFinalOnly: true } : withTexts ? said : [])),
          how,
        ),
      ),
      runs,
    );
  });

  it('leaves the record unchanged when it is a part of the beginning, the middle or the end', () => {
    fc.assert(
      fc.property(history, manner, fc.nat(60), fc.nat(60), (turns, how, from, length) => {
        const told = all(turns);
        const start = from % told.length;
        assertUnchanged(turns, told.slice(start, start + 1 + (length % told.length)), how);
      }),
      runs,
    );
  });

  it('leaves the record unchanged when its first text starts late and its last one ends early', () => {
    fc.assert(
      fc.property(history, manner, fc.nat(60), fc.nat(8), fc.nat(8), (turns, how, from, late, early) => {
        const told = all(turns);
        const piece = told.slice(from % told.length).map((said, index, { length }): Said => {
          if (said.kind === 'tool') {
            return said;
          }
          const start = index === 0 ? Math.min(late, said.text.trimEnd().length - 1) : 0;
          const cut = index === length - 1 ? said.text.length - early : said.text.length;
          const text = said.text.slice(start, Math.max(cut, start + 1));
          return { ...said, text };
        });
        assertUnchanged(turns, piece, how);
      }),
      runs,
    );
  });

  it('leaves the record unchanged when tool calls have other ids', () => {
    fc.assert(
      fc.property(history, manner, (turns, how) => assertUnchanged(turns, all(turns), { ...how, newToolIds: true })),
      runs,
    );
  });
});

describe('a replay with more than the record', () => {
  const added = (count: number): Said[] => [
    { kind: 'user', text: `[added prompt ${count}]`, id: `added-u${count}` },
    { kind: 'tool', title: `added tool ${count}`, output: 'x', id: `added-t${count}` },
    { kind: 'agent', text: `[added answer ${count}]`, id: `added-a${count}` },
  ];

  it('adds exactly these turns at their positions', () => {
    fc.assert(
      fc.property(history, manner, fc.infiniteStream(fc.nat(3)), (turns, how, kinds) => {
        // Two consecutive prompts without ids would be one message, so each turn gets an answer.
        const answered = turns.map((turn, index): Said[] => [...turn, { kind: 'agent', text: `end ${index}`, id: `end-${index}` }]);
        const told = answered.flatMap((turn, index) => [...(kinds.next().value === 0 ? added(index) : []), ...turn]);
        told.push(...added(turns.length));
        const { state, differs } = replayOver(recordOf(answered), told, how);
        assert.deepEqual(spoken(state), told.map(lineOf));
        assert.equal(differs, false);
      }),
      runs,
    );
  });
  it('adds exactly these entries inside turns', () => {
    fc.assert(
      fc.property(history, manner, fc.infiniteStream(fc.nat(3)), (turns, how, kinds) => {
        let count = 0;
        const more = (): Said[] => {
          const number = ++count;
          const kind = kinds.next().value;
          return kind === 0
            ? [{ kind: 'tool', title: `added tool ${number}`, output: 'x', id: `added-t${number}` }]
            : kind === 1 && how.ids !== 'none'
              ? [{ kind: 'agent', text: `[added ${number}]`, id: `added-a${number}` }]
              : [];
        };
        const told = turns.flatMap((turn) => turn.flatMap((said) => [said, ...more()]));
        const { state, differs } = replayOver(recordOf(turns), told, how);
        assert.deepEqual(spoken(state), told.map(lineOf));
        assert.equal(differs, false);
      }),
      runs,
    );
  });
});

describe('a replay that differs from the record', () => {
  const user = (text: string): Said => ({ kind: 'user', text, id: text });
  const agent = (text: string): Said => ({ kind: 'agent', text, id: text });
  const tool = (id: string): Said => ({ kind: 'tool', id, title: `Run ${id}`, output: 'out' });
  const turns = [
    [user('first question'), agent('first answer')],
    [user('second question'), tool('a'), agent('second answer')],
    [user('third question'), agent('third answer')],
  ];

  it('is added beside the entries that it contradicts, in the same turn', () => {
    const { state, differs } = replayOver(
      recordOf(turns),
      [
        user('first question'),
        agent('first answer'),
        user('second question'),
        agent('something else'),
        user('third question'),
        agent('third answer'),
      ],
      { ids: 'new', chunk: 4 },
    );
    assert.deepEqual(spoken(state), [
      'user first question',
      'agent first answer',
      'user second question',
      'tool Run a completed 2',
      'agent second answer',
      'agent something else',
      'user third question',
      'agent third answer',
    ]);
    assert.equal(differs, true);
  });

  it('is added beside the entries that it contradicts when it has the same ids', () => {
    const { state, differs } = replayOver(
      recordOf([[user('q'), { kind: 'agent', text: 'one', id: 'm' }]]),
      [user('q'), { kind: 'agent', text: 'two', id: 'm' }],
      {
        ids: 'same',
        chunk: 4,
      },
    );
    assert.deepEqual(spoken(state), ['user q', 'agent one', 'agent two']);
    assert.equal(differs, true);
  });

  it('is added after the record when the two have nothing in common', () => {
    const { state, differs } = replayOver(recordOf(turns.slice(0, 1)), [user('who?'), agent('me')], { ids: 'none', chunk: 4 });
    assert.deepEqual(spoken(state), ['user first question', 'agent first answer', 'user who?', 'agent me']);
    assert.equal(differs, true);
  });

  it('is added after the last turn that the agent forgot', () => {
    const { state, differs } = replayOver(recordOf(turns), [...turns[0]!, ...turns[1]!, user('other question'), agent('other answer')], {
      ids: 'none',
      chunk: 4,
    });
    assert.deepEqual(spoken(state).slice(-4), ['user third question', 'agent third answer', 'user other question', 'agent other answer']);
    assert.equal(differs, true);
  });

  it('adds nothing when the order differs', () => {
    const told = [...turns[2]!, ...turns[0]!, ...turns[1]!].map(
      (said): Said => (said.kind === 'tool' ? said : { ...said, text: `${said.text} of this conversation` }),
    );
    const record = recordOf([told.slice(2, 4), told.slice(4), told.slice(0, 2)]);
    assert.deepEqual([...replayOver(record, told, { ids: 'new', chunk: 9 }).state.entries], [...record.entries]);
  });

  it('reports no difference when it starts with the later half', () => {
    const { differs } = replayOver(recordOf(turns), [agent('A summary of the beginning.'), ...turns[2]!], { ids: 'none', chunk: 4 });
    assert.equal(differs, false);
  });
});

describe('a replay of interrupted tool calls', () => {
  it('corrects their status, keeps their content and adds new content', () => {
    const call = (status: string, content: readonly ToolContent[]): SessionEvent => ({
      type: 'tool_call_update',
      at: 1,
      toolCallId: 'c',
      patch: { title: 'Edit', status, content },
    });
    const states = (event: SessionEvent): SessionState => reduce(EMPTY_STATE, event);
    const diff = toolDiff('/w/a', 'a', 'b');
    const record = states(call('cancelled', [diff, toolText('half')]));
    const replayed = call('completed', [toolText('half of it'), toolText('more')]);
    const { events } = layOver(record, states(replayed), [replayed]);
    const entry = [...events.reduce(reduce, record).entries][0] as ToolCallEntry;
    assert.deepEqual([entry.status, entry.content], ['completed', [diff, toolText('half of it'), toolText('more')]]);
    const again = call('failed', []);
    assert.equal(layOver(states(call('failed', [diff])), states(again), [again]).changesEntries, false);
  });
});

describe('a replay with the end of an interrupted message', () => {
  it('continues the message, and keeps its time', () => {
    const record = recordOf([
      [
        { kind: 'user', text: 'q', id: 'q' },
        { kind: 'agent', text: 'It is', id: 'm' },
      ],
    ]);
    const { state, differs } = replayOver(
      record,
      [
        { kind: 'user', text: 'q' },
        { kind: 'agent', text: 'It is  a long\nway.' },
      ],
      { ids: 'none', chunk: 3 },
    );
    assert.deepEqual(spoken(state), ['user q', 'agent It is  a long\nway.']);
    const time = (of: typeof state): unknown => [...of.entries].map((slot) => 'updatedAt' in slot && slot.updatedAt);
    assert.deepEqual(time(state), time(record));
    assert.equal(differs, false);
  });
});

describe('the time to merge a replay into the record', () => {
  it('grows linearly with the conversation', () => {
    const timeOf = (count: number, different: boolean): number => {
      const turns = Array.from({ length: count / 2 }, (_, index): Said[] => [
        { kind: 'user', text: `continue with the work ${index % 3}`, id: `u${index}` },
        { kind: 'agent', text: `answer to turn ${index} with some words of its own`, id: `a${index}` },
      ]);
      const record = recordOf(turns, 100);
      const told = turns.flatMap((turn, index) =>
        index % 2 ? [] : turn.map((said) => (different && said.kind === 'agent' ? { ...said, text: `${said.text} again` } : said)),
      );
      return replayOver(record, told, { ids: 'none', chunk: 100 }).ms;
    };
    for (const different of [false, true]) {
      timeOf(500, different);
      const small = Math.min(...[1, 2, 3].map(() => timeOf(1000, different)));
      const large = Math.min(...[1, 2, 3, 4].map(() => timeOf(8000, different)));
      assert.ok(large < small * 8 * 4, `${different}: ${small} ms for 1,000 entries, ${large} ms for 8,000`);
    }
  });

  it('has a limit for texts that begin with each other, and the record is kept', () => {
    const turns = [Array.from({ length: 300 }, (_, index): Said => ({ kind: 'agent', text: 'a'.repeat(index + 1), id: `a${index}` }))];
    const record = recordOf(turns);
    const { ms, state } = replayOver(record, [{ kind: 'agent', text: `${'a'.repeat(100_000)}b`, id: 'x' }], {
      ids: 'none',
      chunk: 100_000,
    });
    assert.ok(ms < 15_000, `${ms} ms`);
    const idsOf = (of: SessionState): string[] => [...of.entries].map(({ entryId }) => entryId);
    const ids = idsOf(record);
    assert.deepEqual(
      idsOf(state).filter((id) => ids.includes(id)),
      ids,
    );
    assert.match(JSON.stringify([...state.entries]), /ab"/);
  });
});
