import assert from 'node:assert/strict';
import { ANSWER_DELAY_MS, EXPECTED_MS, NEW_KEY_MS, NEW_MS, PermissionPromptQueue } from '../../../../src/session/permission/promptQueue';
import { QUIET_MS } from '../../../../src/session/permission/idleDetector';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { askOf, FakeClock, FakePresenter } from './fakes';

describe('permission service', () => {
  let clock: FakeClock;
  let presenter: FakePresenter;
  let room: PermissionPromptQueue;

  beforeEach(() => {
    clock = new FakeClock();
    presenter = new FakePresenter();
    room = new PermissionPromptQueue(presenter, clock);
  });

  afterEach(() => {
    room.dispose();
    assert.equal(presenter.current, undefined, 'no pick outlives the room');
    assert.equal(presenter.listeners, 0);
    assert.equal(clock.pending, 0);
  });

  /** The waiting requests, as their sessions know them. The first answer ends a request. */
  let waiting: Map<string, (outcome: string) => void>;

  beforeEach(() => {
    waiting = new Map();
  });

  /** Asks, and returns an object that receives the outcome. */
  function ask(permissionId: string, sessionKey = 's1'): { outcome?: string } {
    const result: { outcome?: string } = {};
    const end = (outcome: string): void => {
      result.outcome ??= outcome;
      waiting.delete(permissionId);
      offered.dispose();
    };
    waiting.set(permissionId, end);
    const offered = room.prompt(askOf(permissionId, { sessionKey }), end);
    return result;
  }

  /** The session ends the request in another way: by the card, or without an answer. */
  const end = (permissionId: string, outcome: string): void => waiting.get(permissionId)!(outcome);

  const onScreen = () => presenter.current?.ask.permissionId;

  describe('when a pick opens', () => {
    it('opens after a second of quiet, for the session in use', () => {
      ask('a');
      clock.pass(QUIET_MS - 1);
      assert.equal(onScreen(), undefined);
      clock.pass(1);
      assert.equal(onScreen(), 'a');
    });

    it('waits as long as the user types', () => {
      ask('a');
      for (let key = 0; key < 50; key++) {
        clock.pass(QUIET_MS - 10);
        presenter.type();
        assert.equal(onScreen(), undefined, `key ${key}`);
      }
      clock.pass(QUIET_MS - 1);
      assert.equal(onScreen(), undefined);
      clock.pass(1);
      assert.equal(onScreen(), 'a');
    });

    it('counts quiet from the last possible key when not every key is reported', () => {
      ask('a');
      presenter.type(700);
      clock.pass(QUIET_MS + 699);
      assert.equal(onScreen(), undefined);
      clock.pass(1);
      assert.equal(onScreen(), 'a');
    });

    it("waits with another session's request until the user goes there", () => {
      ask('b', 's2');
      clock.pass(60_000);
      assert.equal(onScreen(), undefined);
      presenter.be({ activeSession: 's2' });
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), 'b');
    });

    it('waits while the window has no focus, or while a quick input of the extension is open', () => {
      presenter.be({ ready: false });
      ask('a');
      clock.pass(60_000);
      assert.equal(onScreen(), undefined);
      presenter.be({ ready: true });
      clock.pass(0);
      assert.equal(onScreen(), 'a');
    });

    it('checks again after the second, because the user may have left meanwhile', () => {
      ask('a');
      clock.pass(QUIET_MS / 2);
      presenter.be({ ready: false });
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), undefined);
      presenter.be({ ready: true, activeSession: 's2' });
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), undefined);
      presenter.be({ activeSession: 's1' });
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), 'a');
    });

    it('is not delayed for long when the clock is set back', () => {
      clock.setBack(3_600_000);
      ask('a');
      clock.pass(2 * QUIET_MS);
      assert.equal(onScreen(), 'a');
    });
  });

  describe('answers', () => {
    it('come from the pick, which closes', () => {
      const a = ask('a');
      clock.pass(QUIET_MS + ANSWER_DELAY_MS);
      presenter.current!.pick('yes');
      assert.deepEqual(a.outcome, 'yes');
      assert.equal(presenter.current, undefined);
      assert.equal(room.waiting, 0);
    });

    it('are ignored in the first half second, and accepted after it', () => {
      const a = ask('a');
      clock.pass(QUIET_MS);
      for (let held = 0; held < ANSWER_DELAY_MS; held += 30) {
        presenter.current!.pick('yes');
        clock.pass(30);
      }
      // 17 × 30 ms: the guard ends only now.
      assert.equal(a.outcome, undefined);
      presenter.current!.pick('no');
      assert.deepEqual(a.outcome, 'no');
    });

    it('are ignored within half a second of text arriving in the pick', () => {
      const a = ask('a');
      clock.pass(QUIET_MS + ANSWER_DELAY_MS);
      presenter.current!.listener.typed();
      clock.pass(ANSWER_DELAY_MS - 1);
      presenter.current!.pick('yes');
      assert.equal(a.outcome, undefined);
      clock.pass(1);
      presenter.current!.pick('yes');
      assert.deepEqual(a.outcome, 'yes');
    });

    it('are ignored within a second of another row becoming active in a new pick', () => {
      const a = ask('a');
      clock.pass(QUIET_MS + ANSWER_DELAY_MS);
      presenter.current!.listener.moved();
      presenter.current!.pick('yes');
      clock.pass(NEW_KEY_MS - 1);
      presenter.current!.pick('yes');
      presenter.current!.listener.moved();
      clock.pass(NEW_KEY_MS - 1);
      presenter.current!.pick('no');
      assert.equal(a.outcome, undefined);
      clock.pass(1);
      presenter.current!.pick('yes');
      assert.deepEqual(a.outcome, 'yes');
    });

    it('are ignored while arrow keys and Enter follow each other from before the pick opened', () => {
      const a = ask('a');
      clock.pass(QUIET_MS + ANSWER_DELAY_MS);
      for (let burst = 0; burst < 10; burst++) {
        for (const ms of [330, 330, 660]) {
          clock.pass(ms);
          presenter.current!.listener.moved();
        }
        clock.pass(660);
        presenter.current!.pick('yes');
      }
      assert.equal(a.outcome, undefined);
    });

    it('count right after another row became active once the user has pressed no key for two seconds', () => {
      const a = ask('a');
      clock.pass(QUIET_MS + NEW_MS - 1);
      presenter.current!.listener.moved();
      presenter.current!.pick('yes');
      assert.equal(a.outcome, undefined);
      clock.pass(NEW_MS);
      presenter.current!.listener.moved();
      presenter.current!.pick('yes');
      assert.equal(a.outcome, 'yes');
    });

    it('count right after another row became active in a pick that the user opened, after its first half second', () => {
      const a = ask('a');
      room.reopen();
      presenter.current!.listener.moved();
      clock.pass(ANSWER_DELAY_MS - 1);
      presenter.current!.pick('yes');
      assert.equal(a.outcome, undefined);
      clock.pass(1);
      presenter.current!.listener.moved();
      presenter.current!.pick('yes');
      assert.equal(a.outcome, 'yes');
    });

    it('are postponed when an arrow key comes as the pick opens by itself', () => {
      const a = ask('a');
      clock.pass(QUIET_MS + ANSWER_DELAY_MS - 1);
      presenter.current!.listener.moved();
      assert.deepEqual([a.outcome, presenter.current], [undefined, undefined]);
    });

    it('are postponed when the user types as the pick opens by itself, and the pick then stays closed', () => {
      const a = ask('a');
      clock.pass(QUIET_MS + ANSWER_DELAY_MS - 1);
      presenter.current!.listener.typed();
      assert.equal(presenter.current, undefined);
      clock.pass(60_000);
      assert.equal(onScreen(), undefined);
      assert.equal(room.waiting, 1);
      room.reopen();
      presenter.current!.listener.typed();
      assert.equal(onScreen(), 'a', 'who asked for it has seen it');
      clock.pass(ANSWER_DELAY_MS);
      presenter.current!.pick('yes');
      assert.deepEqual(a.outcome, 'yes');
    });

    it('open the session’s next pick at once if the user opened the pick', () => {
      presenter.be({ ready: false });
      const [a, b] = [ask('a'), ask('b')];
      ask('x', 's2');
      room.reopen();
      clock.pass(ANSWER_DELAY_MS);
      presenter.current!.pick('yes');
      assert.equal(onScreen(), 'b');
      presenter.current!.pick('yes');
      clock.pass(ANSWER_DELAY_MS - 1);
      presenter.current!.pick('yes');
      assert.deepEqual([a.outcome, b.outcome], ['yes', undefined], 'a double click answers once');
      clock.pass(1);
      presenter.current!.pick('no');
      assert.deepEqual(b.outcome, 'no');
      clock.pass(60_000);
      assert.equal(onScreen(), undefined, 'nobody asked for another session’s');
    });

    it('come from the card before, while and after a pick is shown', () => {
      const before = ask('before');
      end('before', 'yes');
      const during = ask('during');
      clock.pass(QUIET_MS);
      const pick = presenter.current!;
      end('during', 'no');
      assert.equal(pick.open, false);
      clock.pass(ANSWER_DELAY_MS);
      pick.pick('yes');
      const after = ask('after');
      clock.pass(QUIET_MS);
      presenter.current!.hide();
      end('after', 'yes');
      assert.deepEqual([before.outcome, during.outcome, after.outcome], ['yes', 'no', 'yes']);
    });
  });

  describe('after an answer in a pick that the user opened, where the focus is unknown', () => {
    /** Answers `a` in such a pick. */
    beforeEach(() => {
      presenter.be({ ready: false, place: () => undefined });
      ask('a');
      room.reopen();
      clock.pass(ANSWER_DELAY_MS);
      presenter.current!.pick('yes');
    });

    it('asks the session’s next request after a second without activity, and the one after it', () => {
      clock.pass(EXPECTED_MS - 1);
      ask('b');
      clock.pass(0);
      assert.equal(onScreen(), 'b');
      presenter.current!.pick('yes');
      assert.equal(onScreen(), 'b', 'the guard holds');
      clock.pass(ANSWER_DELAY_MS);
      ask('c');
      presenter.current!.pick('yes');
      assert.equal(onScreen(), undefined);
      clock.pass(QUIET_MS - 1);
      assert.equal(onScreen(), undefined);
      clock.pass(1);
      assert.equal(onScreen(), 'c');
    });

    it('waits for the second without activity, and closes at a key in its first half second', () => {
      ask('b');
      clock.pass(QUIET_MS - 1);
      presenter.type();
      clock.pass(QUIET_MS - 1);
      assert.equal(onScreen(), undefined);
      clock.pass(1);
      assert.equal(onScreen(), 'b');
      presenter.current!.listener.typed();
      ask('c');
      clock.pass(60_000);
      assert.equal(onScreen(), undefined, 'the user is busy elsewhere');
    });

    it('asks none of another session, none that comes later, and none over its card', () => {
      ask('x', 's2');
      presenter.be({ place: () => 'card' });
      ask('b');
      clock.pass(EXPECTED_MS);
      assert.equal(onScreen(), undefined);
      presenter.be({ place: () => undefined });
      ask('c');
      clock.pass(60_000);
      assert.equal(onScreen(), undefined);
    });

    it('waits while the window has no focus, for ten seconds at most', () => {
      presenter.be({ isFree: false });
      ask('b');
      clock.pass(EXPECTED_MS - 1);
      presenter.be({ isFree: true });
      clock.pass(0);
      assert.equal(onScreen(), 'b');
      presenter.current!.hide();
      room.reopen();
      clock.pass(ANSWER_DELAY_MS);
      presenter.current!.pick('yes');
      presenter.be({ isFree: false });
      ask('c');
      clock.pass(EXPECTED_MS);
      presenter.be({ isFree: true });
      clock.pass(60_000);
      assert.equal(onScreen(), undefined);
    });
  });

  describe('postponing', () => {
    it('keeps a hidden request waiting and shows it again only on request', () => {
      const a = ask('a');
      clock.pass(QUIET_MS);
      presenter.current!.hide();
      clock.pass(60_000);
      assert.equal(onScreen(), undefined);
      assert.equal(room.waiting, 1);
      assert.equal(room.reopen(), true);
      assert.equal(onScreen(), 'a');
      presenter.current!.pick('yes');
      clock.pass(ANSWER_DELAY_MS);
      presenter.current!.pick('no');
      assert.deepEqual(a.outcome, 'no', 'the guard holds for a reopened pick too');
    });

    it('includes the queue of that session, but not those of others', () => {
      ask('a');
      ask('b');
      ask('c', 's2');
      clock.pass(QUIET_MS);
      presenter.current!.hide();
      clock.pass(60_000);
      assert.equal(onScreen(), undefined);
      presenter.be({ activeSession: 's2' });
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), 'c');
    });

    it('reopens the oldest request of the session in front, or the newest of all, then its others', () => {
      ask('x', 's2');
      ask('y', 's2');
      ask('a');
      assert.equal(room.reopen(), true);
      assert.equal(onScreen(), 'a');
      presenter.be({ activeSession: undefined });
      end('a', 'yes');
      clock.pass(60_000);
      assert.equal(onScreen(), undefined);
      assert.equal(room.reopen(), true);
      assert.equal(onScreen(), 'y');
      clock.pass(ANSWER_DELAY_MS);
      presenter.current!.pick('yes');
      assert.equal(onScreen(), undefined, 'not under the same key');
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), 'x');
    });

    it('reopens the newest of all when the session in front is out of sight', () => {
      ask('a');
      ask('x', 's2');
      presenter.isVisible = false;
      assert.equal(room.reopen(), true);
      assert.equal(onScreen(), 'x');
    });

    it('reopens a named session over the pick of another, which then opens again', () => {
      ask('a');
      ask('x', 's2');
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), 'a');
      assert.equal(room.reopen('s2'), true);
      assert.equal(onScreen(), 'x');
      end('x', 'yes');
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), 'a');
    });

    it('reports when there is nothing to reopen', () => {
      assert.equal(room.reopen(), false);
      ask('a');
      assert.equal(room.reopen('s2'), false);
      assert.equal(onScreen(), undefined);
    });

    it('leaves an open pick alone', () => {
      ask('a');
      clock.pass(QUIET_MS);
      assert.equal(room.reopen(), true);
      assert.equal(presenter.shown.length, 1);
      assert.equal(onScreen(), 'a');
    });
  });

  describe('an end without an answer', () => {
    it('closes the pick of a withdrawn request, which does not postpone the others', () => {
      const a = ask('a');
      ask('b');
      clock.pass(QUIET_MS);
      end('a', 'withdrawn');
      assert.equal(onScreen(), undefined);
      assert.deepEqual(a.outcome, 'withdrawn');
      clock.pass(QUIET_MS);
      assert.equal(onScreen(), 'b');
    });

    it('ends all requests of a session at once, without a pick in between', () => {
      const mine = ['a', 'b', 'c'].map((permissionId) => ask(permissionId));
      const other = ask('x', 's2');
      clock.pass(QUIET_MS);
      ['a', 'b', 'c'].forEach((permissionId) => end(permissionId, 'cancelled'));
      clock.pass(60_000);
      assert.deepEqual(
        mine.map(({ outcome }) => outcome),
        Array(3).fill('cancelled'),
      );
      assert.equal(presenter.shown.length, 1);
      assert.equal(other.outcome, undefined);
    });

    it('shows nothing after the service was disposed', () => {
      const a = ask('a');
      clock.pass(QUIET_MS);
      room.dispose();
      const b = ask('b');
      clock.pass(60_000);
      assert.equal(presenter.shown.length, 1);
      end('a', 'lost');
      end('b', 'lost');
      assert.deepEqual([a.outcome, b.outcome], ['lost', 'lost'], 'the session says what became of them');
    });
  });

  it('survives a pick that is hidden while it opens', () => {
    const show = presenter.show.bind(presenter);
    presenter.show = (...args) => {
      const pick = show(...args);
      presenter.current!.hide();
      return pick;
    };
    ask('a');
    clock.pass(60_000);
    assert.equal(presenter.shown.length, 1);
    assert.equal(room.waiting, 1);
  });

  it('answers ten requests at once correctly, from either place', () => {
    const ids = Array.from({ length: 10 }, (_, n) => `p${n}`);
    const results = ids.map((permissionId) => ask(permissionId));
    const expected: string[] = [];
    const fromPick: string[] = [];
    for (let n = 0; n < ids.length; n++) {
      const optionId = n % 3 === 0 ? 'no' : 'yes';
      if (n === 4) {
        // Postponed in the middle; reopened below.
        clock.pass(QUIET_MS);
        presenter.current!.hide();
        room.reopen();
      }
      if (n % 2 === 0) {
        clock.pass(QUIET_MS + ANSWER_DELAY_MS);
        assert.equal(onScreen(), ids[n], 'in the order they came');
        assert.equal(presenter.current!.waiting, ids.length - n);
        fromPick.push(onScreen()!);
        presenter.current!.pick(optionId);
      } else {
        // Half of the requests with the pick open, half without.
        clock.pass(n % 4 === 1 ? QUIET_MS : 0);
        end(ids[n]!, optionId);
      }
      expected.push(optionId);
      assert.equal(room.waiting, ids.length - n - 1);
    }
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      expected,
    );
    assert.equal(fromPick.length, 5);
  });

  describe('many questions', () => {
    const asked = Array.from({ length: 12 }, (_, index) => {
      const { permissionId, options, title } = askOf(`q${index}`);
      const defaultToNo = index === 11;
      return {
        type: 'permission_requested',
        permissionId,
        options,
        title,
        subject: {},
        ...(defaultToNo && { defaultToNo }),
        at: index,
      } as const;
    });
    const store = { state: asked.reduce<SessionState>(reduce, EMPTY_STATE), onEvents: () => ({ dispose: () => undefined }) };
    /** The outcomes of twelve questions of one session and one of another. */
    const flood = () => {
      const outcomes: string[] = [];
      const offer = (permissionId: string, sessionKey: string) => {
        const offered = room.prompt(askOf(permissionId, { sessionKey, store }), (outcome) => {
          outcomes.push(`${sessionKey} ${permissionId} ${outcome}`);
          offered.dispose();
        });
      };
      asked.forEach(({ permissionId }) => offer(permissionId, 's1'));
      offer('q0', 's2');
      return outcomes;
    };

    it('are answered alike, with each one’s own option', () => {
      const outcomes = flood();
      clock.pass(QUIET_MS + ANSWER_DELAY_MS);
      presenter.current!.pickAlike('allow_once');
      assert.deepEqual(
        outcomes,
        Array.from({ length: 11 }, (_, index) => `s1 q${index} yes`),
      );
      assert.equal(room.waiting, 2, 'the one that the agent advises against, and the one of another session');
    });

    it('are not answered before the user can have read the pick', () => {
      const outcomes = flood();
      clock.pass(QUIET_MS + ANSWER_DELAY_MS - 1);
      presenter.current!.pickAlike('reject_once');
      assert.deepEqual(outcomes, []);
    });
  });
});
