import assert from 'node:assert/strict';
import type { ToView } from '../../../../src/core/protocol/view';
import { Mailbox } from '../../../../src/application/chat/mailbox';

const text = (value: string): ToView => ({ type: 'restore_text', text: value });
const composer: ToView = { type: 'focus', target: 'composer' };
const permission: ToView = { type: 'focus', target: 'permission' };

describe('mailbox of a session’s page', () => {
  it('keeps messages while there is no page, and delivers each once, in order', () => {
    const mailbox = new Mailbox();
    mailbox.post(text('one'));
    const first: ToView[] = [];
    mailbox.open((message) => first.push(message));
    mailbox.post(text('two'));
    mailbox.close();
    mailbox.post(text('three'));
    const second: ToView[] = [];
    mailbox.open((message) => second.push(message));
    assert.deepEqual(first, [text('one'), text('two')]);
    assert.deepEqual(second, [text('three')]);
  });

  it('remembers only the newest target for the focus', () => {
    const mailbox = new Mailbox();
    mailbox.post(composer);
    mailbox.post(text('one'));
    mailbox.post(permission);
    const got: ToView[] = [];
    mailbox.open((message) => got.push(message));
    assert.deepEqual(got, [text('one'), permission]);
  });
});
