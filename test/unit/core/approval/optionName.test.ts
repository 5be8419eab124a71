import assert from 'node:assert/strict';
import { isMisnamed, saysKind } from '../../../../src/core/approval/optionName';

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

describe('the name of an option beside its kind', () => {
  const table: [name: string, kind: string, isSaid: boolean][] = [
    ['Allow', 'allow_once', true],
    ['Allow once', 'allow_once', true],
    ['Accept this change', 'allow_once', true],
    ['Allow always', 'allow_once', false],
    ['Allow for this session', 'allow_once', false],
    ['Yes', 'allow_once', false],
    ['Proceed', 'allow_once', false],
    ['Reject', 'allow_once', false],
    ['Always allow', 'allow_always', true],
    ['Allow Always', 'allow_always', true],
    ['Allow', 'allow_always', false],
    ['Allow for this session', 'allow_always', false],
    ['Reject', 'reject_once', true],
    ['Deny', 'reject_once', true],
    ['No', 'reject_once', false],
    ['Reject all', 'reject_once', false],
    ['Always reject', 'reject_always', true],
    ['Never allow', 'reject_always', true],
    ['Never', 'reject_always', false],
    ['Allow', '_custom', false],
  ];
  for (const [name, kind, expected] of table) {
    it(`${name} ${expected ? 'says' : 'does not say'} what ${kind} does`, () =>
      assert.equal(saysKind({ optionId: 'x', name, kind }), expected));
  }
});
