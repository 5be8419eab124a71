import assert from 'node:assert/strict';
import type { NoticeShown } from '../../../../src/core/model/event';
import { noticeSpeech } from '../../../../webview/toasts/speech';
import { SHOWN_MS, Toasts } from '../../../../webview/toasts/toasts';

/** A clock that advances only when the test says so. */
class Hours {
  time = 1000;
  private waiting: { at: number; callback: () => void }[] = [];
  readonly now = (): number => this.time;
  readonly after = (ms: number, callback: () => void): (() => void) => {
    const one = { at: this.time + ms, callback };
    this.waiting.push(one);
    return () => (this.waiting = this.waiting.filter((other) => other !== one));
  };

  pass(ms: number): void {
    this.time += ms;
    const due = this.waiting.filter(({ at }) => at <= this.time);
    this.waiting = this.waiting.filter(({ at }) => at > this.time);
    due.forEach(({ callback }) => callback());
  }
}

let serial = 0;

function notice(title: string, severity = 'info', more: Partial<NoticeShown> = {}): NoticeShown {
  return { type: 'notice', at: 1000, noticeId: `n${++serial}`, severity, title, ...more };
}

describe('toasts', () => {
  let hours: Hours;
  let toasts: Toasts;
  const titles = (): string[] => toasts.list.map(({ title }) => title);

  beforeEach(() => {
    hours = new Hours();
    toasts = new Toasts(hours);
  });

  it('close by themselves for notes, and stay for warnings, errors and unknown severities', () => {
    for (const severity of ['info', 'warning', 'error', '_demo/whim']) {
      assert.ok(toasts.hear(notice(severity, severity)));
    }
    hours.pass(SHOWN_MS - 1);
    assert.equal(toasts.list.length, 4);
    hours.pass(1);
    assert.deepEqual(titles(), ['warning', 'error', '_demo/whim']);
    hours.pass(1e9);
    assert.equal(toasts.list.length, 3);
  });

  it('wait while the user uses them, and get their full time again afterwards', () => {
    toasts.hear(notice('a'));
    hours.pass(SHOWN_MS - 1);
    toasts.hold(true);
    toasts.hear(notice('b', 'info', { at: hours.time }));
    hours.pass(SHOWN_MS * 10);
    assert.deepEqual(titles(), ['a', 'b']);
    toasts.hold(false);
    hours.pass(SHOWN_MS - 1);
    assert.deepEqual(titles(), ['a', 'b']);
    hours.pass(1);
    assert.deepEqual(titles(), []);
  });

  it('are not created for replayed notices, nor for failures, which the conversation shows', () => {
    hours.time = 60_000;
    assert.equal(toasts.hear(notice('old')), false);
    assert.equal(toasts.hear(notice('ours', 'error', { at: 60_000, failure: { code: 'internal' } })), false);
    assert.deepEqual(titles(), []);
  });

  it('show a repeated notice once, with its count', () => {
    toasts.hear(notice('same', 'warning'));
    toasts.hear(notice('other', 'warning'));
    toasts.hear(notice('same', 'warning'));
    toasts.hear(notice('same', 'warning', { description: 'different' }));
    assert.deepEqual(
      toasts.list.map(({ title, times }) => [title, times]),
      [
        ['other', 1],
        ['same', 2],
        ['same', 1],
      ],
    );
  });

  it('have the newest text of their notice', () => {
    toasts.hear(notice('Retrying, attempt 1 of 10', 'warning', { noticeId: 'retry' }));
    assert.equal(toasts.hear(notice('Retrying, attempt 2 of 10', 'warning', { noticeId: 'retry' })), false);
    assert.deepEqual(titles(), ['Retrying, attempt 2 of 10']);
  });

  it('are dismissed one by one or together, and are limited in number', () => {
    let changes = 0;
    const off = toasts.subscribe(() => changes++);
    for (let index = 0; index < 80; index++) {
      toasts.hear(notice(`n${index}`, 'error'));
    }
    assert.equal(toasts.list.length, 50);
    toasts.dismiss(toasts.list[0]!.noticeId);
    assert.deepEqual([toasts.list.length, titles()[0]], [49, 'n31']);
    toasts.dismissAll();
    assert.deepEqual([toasts.list.length, changes], [0, 82]);
    off();
    toasts.hear(notice('later'));
    assert.equal(changes, 82);
  });

  it('are announced in one sentence', () => {
    assert.equal(noticeSpeech({ severity: 'error', title: 'Disk\nfull', description: 'Free some.' }), 'Error: Disk full — Free some.');
    assert.equal(noticeSpeech({ severity: '_x', title: ' ', description: 'x'.repeat(1000) }).length, 'Info: '.length + 300);
  });
});
