import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import type { Session } from '../../../../src/session/session';
import { SessionStore } from '../../../../src/session/state/store';
import { TurnEnds } from '../../../../src/workbench/sessions/turnEnds';
import { inertLine } from '../../../../src/application/shared/escape';
import { turnEndText } from '../../../../src/workbench/sessionsView/turnEndText';
import { english } from '../../application/english';
import { FakeClock } from '../../session/permission/fakes';

describe('ended turns', () => {
  function stage() {
    const listeners = new Set<() => void>();
    const make = (key: string) => ({ key, store: new SessionStore(new FakeClock()) }) as unknown as Session;
    const sessions = [make('a'), make('b')];
    const told: string[] = [];
    const list = {
      all: sessions,
      onChange: (listener: () => void) => (listeners.add(listener), { dispose: () => void listeners.delete(listener) }),
    };
    const happen = (index: number, ...events: EventInput[]) => {
      sessions[index]!.store.append(...events);
      listeners.forEach((listener) => listener());
    };
    return { list, told, happen, watch: () => new TurnEnds(list, ({ key }, { stopReason }) => told.push(`${key} ${stopReason}`)) };
  }
  const begin = (turnId: string): EventInput => ({ type: 'turn_started', turnId });
  const end = (turnId: string, stopReason = 'end_turn'): EventInput => ({ type: 'turn_ended', turnId, stopReason });

  it('are reported once each, with the stop reason', () => {
    const { told, happen, watch } = stage();
    happen(0, begin('1'));
    const ends = watch();
    happen(1, begin('1'));
    assert.deepEqual(told, []);
    happen(0, end('1', 'max_tokens'));
    happen(0, { type: 'usage', usage: { used: 1, size: 2 } });
    happen(0, begin('2'), end('2'), begin('3'));
    happen(1, end('1'));
    assert.deepEqual(told, ['a max_tokens', 'b end_turn']);
    happen(0, end('3'));
    ends.dispose();
    happen(1, begin('9'));
    happen(1, end('9'));
    assert.deepEqual(told, ['a max_tokens', 'b end_turn', 'a end_turn']);
  });

  it('are called finished only when the agent has answered', () => {
    const { list, happen } = stage();
    const texts: string[] = [];
    const words = { agent: inertLine('Codex', 80), title: inertLine('Fix it', 80) };
    const ends = new TurnEnds(list, (_, turnEnd) => texts.push(turnEndText(turnEnd, words, english)));
    const answer: EventInput = { type: 'message', role: 'agent', messageId: 'm', content: [{ type: 'text', text: 'Done' }] };
    const blank: EventInput = { type: 'message', role: 'agent', messageId: 'b', content: [{ type: 'text', text: ' ' }] };
    const thought: EventInput = { type: 'message', role: 'thought', messageId: 't', content: [{ type: 'text', text: 'Hm' }] };
    const prompt: EventInput = { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text: 'Hi' }] };
    for (const [index, said] of [answer, blank, thought, undefined].entries()) {
      happen(0, begin(`${index}`));
      happen(0, { ...prompt, messageId: `${index}` } as EventInput, ...(said ? [said] : []), end(`${index}`));
    }
    happen(0, begin('failed'));
    happen(0, { type: 'turn_ended', turnId: 'failed', stopReason: 'error', failure: { code: 'connection.closed' } });
    ends.dispose();
    assert.deepEqual(texts, [
      'Codex finished: Fix it',
      'Codex ended its turn without an answer: Fix it',
      'Codex ended its turn without an answer: Fix it',
      'Codex ended its turn without an answer: Fix it',
      'Codex could not finish: Fix it',
    ]);
  });

  it('are not reported when the user stopped them', () => {
    const { told, happen, watch } = stage();
    watch();
    happen(0, begin('1'));
    happen(0, { type: 'turn_cancelling' });
    happen(0, end('1', 'cancelled'));
    happen(0, begin('2'));
    happen(0, { type: 'disconnected', failure: { code: 'agent.stopped' } });
    assert.deepEqual(told, []);
  });

  it('include work between turns, unless the user stopped it or a turn continues it', () => {
    const { told, happen, watch } = stage();
    watch();
    const work = (workId: string): EventInput => ({ type: 'work_started', workId });
    const over = (workId: string): EventInput => ({ type: 'work_ended', workId });
    happen(0, work('1'));
    happen(0, over('1'));
    assert.deepEqual(told, ['a end_turn']);
    happen(0, work('2'));
    happen(0, { type: 'turn_cancelling' });
    happen(0, over('2'));
    happen(0, work('3'));
    happen(0, begin('4'));
    happen(0, end('4', 'cancelled'));
    happen(0, work('5'));
    happen(0, { type: 'disconnected', failure: { code: 'agent.exited' } });
    assert.deepEqual(told, ['a end_turn']);
  });
});
