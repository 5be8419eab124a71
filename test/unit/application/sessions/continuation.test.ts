/** A session that continues another one. */
import assert from 'node:assert/strict';
import { isNew, isUnused } from '../../../../src/core/model/select';
import { isAbsent } from '../../../../src/core/model/state';
import { SessionStore } from '../../../../src/session/state/store';
import { shortFailure } from '../../../../src/text/messages/failures';
import { sessionTitle } from '../../../../src/text/transcript/sessionTitle';
import { continuationOf } from '../../../../src/application/sessions/continuation';
import { message } from '../../../support/events';
import { FakeClock } from '../../session/permission/fakes';
import { englishVerbatim } from '../english';

describe('a session that continues another one', () => {
  const session = (agentName: string) => {
    const store = new SessionStore(new FakeClock());
    store.append({ type: 'session_opened', agentName, cwd: '/w' }, { type: 'session_ready', sessionId: agentName });
    return store;
  };
  const continued = () => {
    const before = session('OpenCode');
    before.append({ type: 'turn_started', turnId: 't' }, message('Create hello', 't', 'user'));
    const next = session('Codex');
    next.append(...continuationOf(before.state, sessionTitle(before.state)));
    return { before, next };
  };

  it('takes its title, and names its agent and conversation', () => {
    const { next } = continued();
    assert.equal(sessionTitle(next.state), 'Create hello');
    const notice = next.state.entries.at(0);
    assert.ok(notice && !isAbsent(notice) && notice.kind === 'notice' && notice.failure);
    assert.equal(shortFailure(notice.failure, englishVerbatim), 'Continues "Create hello" (OpenCode).');
  });

  it('takes the name that the user gave it', () => {
    const before = session('OpenCode');
    before.append({ type: 'session_renamed', name: 'Mine' }, { type: 'turn_started', turnId: 't' }, message('Hi', 't', 'user'));
    const next = session('Codex');
    next.append(...continuationOf(before.state, sessionTitle(before.state)));
    assert.equal(sessionTitle(next.state), 'Mine');
  });

  it("uses its own agent's title once there is one", () => {
    const { next } = continued();
    next.append({ type: 'session_info', title: 'Hello world' });
    assert.equal(sessionTitle(next.state), 'Hello world');
  });

  it('is a new session until the user sends a message', () => {
    const { next } = continued();
    assert.deepEqual([isNew(next.state), isUnused(next.state)], [true, true]);
  });

  it('adds no notice when there is nothing to continue', () => {
    assert.deepEqual(continuationOf(session('OpenCode').state, 'OpenCode'), []);
  });
});
