import assert from 'node:assert/strict';
import { reasonText } from '../../../../src/application/permission/reasonText';
import { english } from '../english';

describe('the reason of a question in its quick pick', () => {
  it('is a setting where a setting asks, and a rule where a rule does', () => {
    const text = (rule: string) => reasonText({ type: 'rule', kind: 'tool', rule }, (path) => path, english);
    assert.equal(text('acpHost.editorTools'), 'required by the setting acpHost.editorTools');
    assert.equal(text('Ask before `touch *`'), 'required by the rule Ask before `touch *`');
  });
});
