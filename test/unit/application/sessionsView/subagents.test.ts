/** Rows of the sessions view for sessions whose sub-agents work or wait. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { SessionStore } from '../../../../src/session/state/store';
import { LiveOutcomes, liveFacts } from '../../../../src/application/sessionsView/sessionFacts';
import { rowStrings } from '../../../../src/application/sessionsView/rowStrings';
import { FakeClock } from '../../session/permission/fakes';
import { permissionRequest } from '../../../support/events';
import { english } from '../english';

describe('a session with sub-agents in the sessions view', () => {
  const words = { now: 0, language: 'en', folderName: () => undefined, namesFolder: () => false };

  it('works while one of them works, and names the one that asks', () => {
    const store = new SessionStore(new FakeClock());
    const session = { key: 'a', agentId: 'Codex', agentName: 'Codex', roots: { cwd: '/w' }, store };
    const outcomes = new LiveOutcomes();
    const row = (...events: EventInput[]) => {
      store.append(...events);
      const facts = liveFacts(session, { seenAt: Infinity }, outcomes.of(session), 0);
      const { description, spoken } = rowStrings({ kind: 'session', id: 'a', facts }, words, english);
      return { status: facts.status, description: String(description), spoken: String(spoken) };
    };
    const update = (subagentId: string, state: string, parentId?: string): EventInput => ({
      type: 'subagent_update',
      subagentId,
      patch: { title: 'Explore\n$(trash)', work: { state } },
      ...(parentId !== undefined && { parentId }),
    });
    row({ type: 'session_ready', sessionId: 'S' }, { type: 'turn_started', turnId: '1' }, update('x', 'running'));
    const ended = row({ type: 'turn_ended', turnId: '1', stopReason: 'end_turn' });
    assert.equal(ended.status, 'working');
    assert.match(ended.spoken, /working, 1 sub-agent works/);
    assert.match(row(update('y', 'running', 'x')).spoken, /2 sub-agents work/);
    const asking = row({ ...permissionRequest('p', 'rm'), askedBy: 'Explore\n$(trash)', subagentId: 'y' });
    assert.equal(asking.status, 'needsYou');
    assert.match(asking.description, /^sub-agent Explore.*trash.* needs your answer/);
    assert.ok(!/\n|\$\(/.test(asking.description), asking.description);
    row({ type: 'permission_resolved', permissionId: 'p', outcome: 'cancelled' });
    assert.equal(row(update('x', 'idle'), update('y', 'idle', 'x')).status, 'resting');
  });
});
