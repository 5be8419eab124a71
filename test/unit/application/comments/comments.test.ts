/** Comments on lines, as the agent receives them, and plans as documents. */
import assert from 'node:assert/strict';
import { commentsIn, withAttachments } from '../../../../src/core/model/attachment';
import type { ContentBlock } from '../../../../src/core/model/content';
import { fitPrompt } from '../../../../src/core/model/promptContent';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { commentsBlock, type LineComment } from '../../../../src/application/comments/commentsBlock';
import { SessionComments } from '../../../../src/application/comments/sessionComments';
import type { PlanBody } from '../../../../src/core/model/content';
import { plansToShow, planText } from '../../../../src/application/comments/planText';

const comment = (id: number, more: Partial<LineComment> = {}): LineComment => ({
  id,
  place: '/w/a.ts',
  first: 3,
  end: 3,
  lines: 'const a = 1;',
  text: 'Call it b',
  ...more,
});

describe('comments on lines', () => {
  it('do not quote the lines of a file that is protected from reading', () => {
    const comments = SessionComments.from(undefined, 'w');
    const thread = { uri: 'file:///w/.env', place: '/w/.env', span: { start: 0, end: 0 }, comments: [] };
    comments.add(thread, 'Rotate this', undefined);
    const again = SessionComments.from(comments.stored, 'w');
    const block = commentsBlock('w', again.waiting);
    assert.match(block.type === 'resource' ? block.text! : '', /\/w\/\.env:1\n\(The lines are not quoted, [^>]*\)\n\nRotate this\n$/);
  });

  it('become a single block of a prompt, with file, lines and text', () => {
    const block = commentsBlock('w', [
      comment(1),
      comment(2, { place: 'Plan.md', first: 1, end: 2, lines: '- [ ] one\r\n- [ ] two', text: ' Both at once\n' }),
    ]);
    assert.equal(
      block.type === 'resource' && block.text,
      [
        'Comments of the user on these lines:',
        '',
        '/w/a.ts:3',
        '> const a = 1;',
        '',
        'Call it b',
        '',
        '---',
        '',
        'Plan.md:1-2',
        '> - [ ] one',
        '> - [ ] two',
        '',
        'Both at once',
        '',
      ].join('\n'),
    );
    assert.deepEqual(commentsIn(block), { collection: 'w', ids: [1, 2] });
    const capabilities = { image: false, audio: false, embeddedContext: false };
    const fitted = fitPrompt([block], capabilities).content[0]!;
    assert.ok(fitted.type === 'text' && fitted.text.includes('Call it b'));
  });

  it('quote a limited number of lines', () => {
    const block = commentsBlock('w', [comment(1, { end: 1000, lines: 'line\n'.repeat(998) })]);
    assert.equal(block.type === 'resource' && block.text!.split('\n').filter((line) => line.startsWith('> ')).length, 21);
  });

  it('become a single attachment in the composer, which the newest one replaces and an empty one removes', () => {
    const file: ContentBlock = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' };
    const other = commentsBlock('earlier window', [comment(1)]);
    const [first, second, none] = [commentsBlock('w', [comment(1)]), commentsBlock('w', [comment(1), comment(2)]), commentsBlock('w', [])];
    assert.deepEqual(withAttachments([other, file], [first]), [other, file, first]);
    assert.deepEqual(withAttachments([other, first, file], [second]), [other, file, second]);
    assert.deepEqual(withAttachments([other, file, second], [none]), [other, file]);
    assert.deepEqual(withAttachments([file], [file]), [file, file]);
  });
});

describe('a plan as a document', () => {
  it('shows each entry on its own line', () => {
    const plan = {
      type: 'items' as const,
      entries: [
        { content: 'Read it', priority: 'medium', status: 'completed' },
        { content: 'Change\n  it', priority: 'high', status: 'in_progress' },
        { content: 'Test it', priority: '', status: 'pending' },
      ],
    };
    assert.equal(
      planText({ one: plan, two: { type: 'markdown', content: '# More' } }),
      '- [x] Read it\n- [ ] Change it (in progress, high)\n- [ ] Test it\n\n# More\n',
    );
    assert.deepEqual(plansToShow({ ...EMPTY_STATE, plans: { one: plan } }), { one: plan });
    assert.equal(planText(plansToShow(EMPTY_STATE)), '');
  });

  const MARKDOWN = '[a](command:x) <command:y> <b>bold</b>\n\n[c]: vscode://z\n\n\u202egnp.exe \u2066x';
  for (const [name, plan] of Object.entries<PlanBody>({
    'the content of an entry': { type: 'items', entries: [{ content: MARKDOWN, priority: 'high', status: 'pending' }] },
    'the priority of an entry': { type: 'items', entries: [{ content: 'a', priority: MARKDOWN, status: 'pending' }] },
    'a Markdown plan': { type: 'markdown', content: MARKDOWN },
    'a file': { type: 'file', uri: `file:///a\n${MARKDOWN}` },
  })) {
    it(`runs nothing and hides nothing: ${name}`, () => {
      const text = planText({ one: plan });
      const prose = text.replace(/(`+)(?!`).*?\1/g, '');
      assert.doesNotMatch(prose, /(?<!\\)\]\(command:|(?<!\\)<command:|(?<!\\)<b>|^\[c\]: vscode:/m);
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]/);
      assert.match(text, /⟨U\+202E⟩/);
    });
  }
});
