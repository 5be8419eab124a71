/** The names of sent attachments, as the page and the transcript show them. */
import assert from 'node:assert/strict';
import type { ChangeReportSummary } from '../../../../src/core/fileChanges/changeReport';
import { reportUri, sentReport } from '../../../../src/core/model/reportAddress';
import { commentsUri } from '../../../../src/core/model/attachment';
import { ownAttachmentName } from '../../../../src/text/messages/sentAttachments';
import { commentsBlock, type LineComment } from '../../../../src/application/comments/commentsBlock';

const t = (message: string, args: Readonly<Record<string, string | number>> = {}): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
const named = (uri: string) => ownAttachmentName({ type: 'resource', uri, text: 'x' }, t);
const comment = (id: number, more: Partial<LineComment> = {}): LineComment => ({
  id,
  place: '/w/src/cart.ts',
  first: 12,
  end: 12,
  lines: 'x',
  text: 'Why?',
  ...more,
});
const ofComments = (...comments: LineComment[]) => ownAttachmentName(commentsBlock('c', comments), t);

describe('the name of sent comments', () => {
  it('shows the file and the lines of a single comment', () => {
    assert.equal(ofComments(comment(1)), '1 comment on cart.ts:12');
    assert.equal(ofComments(comment(1, { first: 10, end: 20 })), '1 comment on cart.ts:10-20');
    assert.equal(ofComments(comment(1, { place: String.raw`C:\w\a b?.ts`, first: 1, end: 1 })), '1 comment on a b?.ts:1');
  });

  it('shows the file of several comments on it, and their number when they are on several files', () => {
    assert.equal(ofComments(comment(1), comment(2, { first: 1, end: 1 })), '2 comments on cart.ts');
    assert.equal(ofComments(comment(1), comment(2, { place: '/w/other/cart.ts' })), '2 comments');
  });

  it('is their number in a message of an earlier version', () => {
    assert.equal(named('acp-host-comments:c/1'), '1 comment');
    assert.equal(named(commentsUri('c', [1, 2])), '2 comments');
  });
});

describe('the name of a sent report', () => {
  for (const [files, name] of [
    [[{ path: '/w/src/cart.ts', undone: 1 }], '1 change undone in cart.ts'],
    [[{ path: String.raw`C:\w\cart & co.ts`, undone: 2 }], '2 changes undone in cart & co.ts'],
    [[{ path: '/w/cart.ts', changed: 1 }], '1 change edited in cart.ts'],
    [[{ path: '/w/cart.ts', undone: 1, applied: 2 }], '3 changes undone or edited in cart.ts'],
    [[{ path: '/w/cart.ts', whole: 'restored' }], 'cart.ts restored'],
    [[{ path: '/w/cart.ts', whole: 'deleted' }], 'cart.ts deleted'],
    [
      [
        { path: '/w/a.ts', undone: 1 },
        { path: '/w/b.ts', undone: 1 },
      ],
      'Changes undone or edited in 2 files',
    ],
  ] as const satisfies readonly (readonly [ChangeReportSummary, string])[]) {
    it(`is "${name}"`, () => assert.equal(named(reportUri('s-1', 3, files)), name));
  }

  it('omits files in a message of an earlier version, and reads no names from other addresses', () => {
    assert.equal(named('acp-host:/s-1/your-changes-1.md'), 'Your changes');
    assert.equal(named('file:///w/your-changes-1.md'), undefined);
    assert.deepEqual(sentReport('acp-host:/s-1/your-changes-1.md?files=x&undone=1'), {});
  });
});
