import assert from 'node:assert/strict';
import { isMisnamed } from '../../../../src/core/approval/optionName';

describe('the name of an option', () => {
  const table: [name: string, kind: string, isMisnamed: boolean][] = [
    ['Reject', 'allow_once', true],
    ['❌ No, cancel', 'allow_always', true],
    ['Don’t allow', 'allow_once', true],
    ['拒绝', 'allow_once', true],
    ['Allow', 'reject_once', true],
    ['Yes', 'reject_always', true],
    ['许可', 'reject_once', false],
    ['允许', 'reject_once', true],
    ['Allow', 'allow_once', false],
    ['Always Allow', 'allow_always', false],
    ['Yes, and don’t ask again for npm', 'allow_always', false],
    ['No, and tell Codex what to do differently', 'reject_once', false],
    ['Always deny', 'reject_always', false],
    ['Norway', 'allow_once', false],
    ['Run in sandbox', 'allow_once', false],
    ['Reject', '_custom', false],
  ];
  for (const [name, kind, expected] of table) {
    it(`${name} of kind ${kind} says ${expected ? 'another thing than' : 'nothing against'} the kind`, () => {
      assert.equal(isMisnamed({ optionId: 'x', name, kind }), expected);
    });
  }
});
