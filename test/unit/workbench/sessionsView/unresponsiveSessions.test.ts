import assert from 'node:assert/strict';
import type { SessionState } from '../../../../src/core/model/state';
import type { Session } from '../../../../src/session/session';
import { inert } from '../../../../src/application/shared/escape';
import { restartQuestion } from '../../../../src/application/sessions/restartQuestion';
import { UnresponsiveSessions } from '../../../../src/workbench/sessionsView/unresponsiveSessions';
import { NO_CAPABILITIES } from '../../../support/events';
import { english } from '../../application/english';

type Turn = NonNullable<SessionState['turn']>;
const turn = (more: Partial<Turn> = {}): Pick<SessionState, 'turn'> => ({
  turn: { turnId: '1', startedAt: 0, cancelling: false, ...more },
});

describe('a session whose agent does not stop', () => {
  it('is offered a restart outside the page once per turn, and only while no page shows it', () => {
    const listeners = new Set<() => void>();
    const session = { key: 'a', store: { state: turn({ cancelling: true }) } };
    const sight = { isVisible: true };
    let offers = 0;
    const list = { all: [session as unknown as Session], onChange: (listener: () => void) => (listeners.add(listener), { dispose() {} }) };
    const watch = new UnresponsiveSessions(list, { isVisible: () => sight.isVisible, offer: async () => void offers++ });
    const become = (state: Pick<SessionState, 'turn'>): void => {
      session.store.state = state;
      listeners.forEach((listener) => listener());
    };
    become(turn({ cancelling: true, isUnresponsive: true }));
    assert.equal(offers, 0);
    sight.isVisible = false;
    watch.update();
    watch.update();
    assert.equal(offers, 1);
    become({});
    become(turn({ turnId: '2', cancelling: true, isUnresponsive: true }));
    assert.equal(offers, 2);
  });
});

describe('the question before a restart', () => {
  const capabilities = { ...NO_CAPABILITIES, resume: true };
  const ask = (chosen: object, ...others: object[]) => restartQuestion({ capabilities, ...chosen }, others, inert('Codex'), english);

  it('is not asked when nothing is running that the user has not stopped', () => {
    assert.equal(ask({}), undefined);
    assert.equal(ask(turn({ cancelling: true }), {}, turn({ cancelling: true })), undefined);
  });

  it('names what is interrupted: this session, another one, or several', () => {
    assert.equal(ask(turn())?.message, 'Codex is working. Stop it and restart?');
    assert.equal(ask(turn({ cancelling: true }), turn())?.message, 'Codex is working in another session. Stop it and restart?');
    assert.equal(ask(turn(), turn(), {})?.message, 'Codex is working in 2 sessions. Stop it and restart?');
    assert.equal(ask({ work: { workId: 'w', startedAt: 0, from: 0 } })?.message, 'Codex is working. Stop it and restart?');
  });

  it('warns that the agent forgets, even when the turn is being stopped', () => {
    const question = ask({ ...turn({ cancelling: true }), capabilities: NO_CAPABILITIES });
    assert.equal(question?.message, 'Restart Codex?');
    assert.match(question?.detail ?? '', /won't remember/);
  });
});
