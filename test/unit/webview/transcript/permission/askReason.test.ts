import assert from 'node:assert/strict';
import { reasonText } from '../../../../../webview/transcript/permission/askReason';

describe('the reason of a question on its card', () => {
  it('is a setting where a setting asks, and a rule where a rule does', () => {
    const text = (rule: string) => reasonText({ type: 'rule', kind: 'tool', rule });
    assert.equal(text('acpHost.editorTools'), 'ACP Host is asking because of the setting acpHost.editorTools.');
    assert.equal(text('Ask before `touch *`'), 'ACP Host is asking because of the rule Ask before `touch *`.');
  });
});
