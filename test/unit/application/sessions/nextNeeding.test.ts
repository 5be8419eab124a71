/** The session that a command goes to which answers what waits for the user. */
import assert from 'node:assert/strict';
import { SessionStore } from '../../../../src/session/state/store';
import { nextNeeding } from '../../../../src/application/sessions/overview';
import { permissionRequest } from '../../../support/events';
import { FakeClock } from '../../session/permission/fakes';

describe('the next session that needs the user', () => {
  const clock = new FakeClock();
  const session = (key: string) => ({ key, store: new SessionStore(clock) });
  const [a, b, c] = [session('a'), session('b'), session('c')];
  const all = [a, b, c];
  const ask = ({ store }: ReturnType<typeof session>, id: string): void => {
    clock.pass(1000);
    store.append(permissionRequest(id, 'Run it'));
  };

  it('is the one in front, or else the one that asked last', () => {
    assert.equal(nextNeeding(all, 'a'), undefined);
    ask(c, 'p1');
    ask(a, 'p2');
    assert.equal(nextNeeding(all, 'b'), a);
    assert.equal(nextNeeding(all, 'c'), c);
    ask(c, 'p3');
    assert.equal(nextNeeding(all, undefined), c);
    assert.equal(nextNeeding(all, 'b'), c);
  });

  it('counts a sign-in from when it began', () => {
    const [d, e] = [session('d'), session('e')];
    [d, e].forEach(({ store }) => store.append({ type: 'sign_in', status: 'required' }));
    const since = (key: string): number => (key === 'd' ? 2 : 1);
    assert.equal(nextNeeding([d, e], undefined, since), d);
  });
});
