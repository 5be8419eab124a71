/** The conditions for showing a notification. */
import assert from 'node:assert/strict';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import type { PermissionPresent } from '../../../../src/core/approval/askingSurface';
import { isWanted, type NotificationsSetting, questionIsNotified } from '../../../../src/application/sessionsView/notificationRules';

describe('notifications of sessions', () => {
  const table: readonly (readonly [setting: NotificationsSetting | undefined, window: boolean, session: boolean, shown: boolean])[] = [
    ['off', false, false, false],
    ['off', true, true, false],
    ['away', true, true, false],
    ['away', true, false, false],
    ['away', false, true, false],
    ['away', false, false, true],
    ['hidden', true, true, false],
    ['hidden', true, false, true],
    ['hidden', false, true, true],
    ['hidden', false, false, true],
    // A missing or malformed setting means the default.
    [undefined, true, false, false],
    ['other' as NotificationsSetting, false, false, true],
  ];
  for (const [setting, window, session, shown] of table) {
    it(`are ${shown ? '' : 'not '}shown with ${setting} when the window ${window ? 'has' : 'lacks'} the focus and the session ${session ? 'is' : 'is not'} visible`, () =>
      assert.equal(isWanted(setting, { window, session }), shown));
  }

  it('omit permission requests that a card or a quick pick shows', () => {
    const asked = { ...EMPTY_STATE, pendingPermissions: ['p'] };
    const isTold = (present: PermissionPresent, isVisible: boolean, isFocusKnown: boolean) =>
      questionIsNotified(asked, present, isVisible, isFocusKnown);
    assert.equal(isTold('card', false, true), true);
    assert.equal(isTold('card', true, true), false);
    assert.equal(isTold('both', false, false), false);
    assert.equal(isTold('auto', false, true), false, 'a quick pick asks');
    assert.equal(isTold('auto', false, false), true);
    assert.equal(isTold('auto', true, false), false);
    assert.equal(questionIsNotified({ ...EMPTY_STATE, pendingElicitations: ['e'] }, 'card', false, true), false);
  });
});
