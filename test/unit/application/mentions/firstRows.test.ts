import assert from 'node:assert/strict';
import { MAX_MENTION_ROWS, type MentionRow } from '../../../../src/core/protocol/channels/mentions';
import { categoryRows, firstRows, type Served } from '../../../../src/application/mentions/firstRows';

const t = (message: string): string => message;
const row = (path: string, kind: MentionRow['kind'] = 'file'): MentionRow => {
  const label = path.slice(path.lastIndexOf('/') + 1);
  const uri = `file:///w/${path}`;
  return { kind, label, detail: '', mention: { type: 'mention', token: `@${label}`, name: label, ref: { kind: 'file', uri } } };
};
const NONE = { front: [], open: [], recent: [], listed: [], problems: [], categories: [] };
const ALL: Served = { symbol: true, git: true, terminal: true, session: true, prompt: true };
const labels = (rows: readonly MentionRow[]): string[] => rows.map(({ label }) => label);

describe('the rows after a single @', () => {
  it('are open editors first, then recent files, files by name, problems and the categories', () => {
    const rows = firstRows({
      front: [row('app.ts', 'selection'), row('app.ts')],
      open: [row('src/open.ts'), row('app.ts')],
      recent: [row('src/open.ts'), row('before.ts')],
      listed: [row('z.ts'), row('before.ts'), row('a.ts'), row('a10.ts'), row('a2.ts')],
      problems: [{ kind: 'problems', label: 'Problems', detail: '' }],
      categories: categoryRows({ ...ALL, git: false, terminal: false, session: false, prompt: false }, t),
    });
    assert.deepEqual(labels(rows), ['app.ts', 'app.ts', 'open.ts', 'before.ts', 'a.ts', 'a2.ts', 'a10.ts', 'z.ts', 'Problems', 'Symbols…']);
    assert.equal(rows[0]?.kind, 'selection');
  });

  it('are files by name when no editor is or was open, without hidden files', () => {
    assert.deepEqual(labels(firstRows({ ...NONE, listed: [row('.gitignore'), row('cart.ts'), row('README.md')] })), [
      'cart.ts',
      'README.md',
    ]);
  });

  it('keep the categories visible with many files', () => {
    const many = (prefix: string): MentionRow[] => Array.from({ length: 60 }, (_, index) => row(`${prefix}${index}.ts`));
    const rows = firstRows({
      ...NONE,
      open: many('open'),
      recent: many('recent'),
      listed: many('listed'),
      categories: categoryRows(ALL, t),
    });
    const files = rows.filter(({ kind }) => kind === 'file');
    assert.equal(files.length, 15);
    assert.ok(rows.length <= MAX_MENTION_ROWS);
    assert.deepEqual(labels(rows.slice(15)), ['Symbols…', 'Changes…', 'Commits…', 'Terminal output…', 'Sessions…', 'Prompt files…']);
  });

  it('omit categories that the window does not support, and prefixes', () => {
    const offered = (served: Partial<Served>): string[] => labels(categoryRows({ ...ALL, ...served }, t));
    assert.ok(!offered({ git: false }).some((label) => /Changes|Commits/.test(label)));
    assert.ok(!offered({ terminal: false }).includes('Terminal output…'));
    assert.ok(!offered({ symbol: false }).includes('Symbols…'));
    assert.ok(!offered({ session: false }).includes('Sessions…'));
    assert.ok(!offered({ prompt: false }).includes('Prompt files…'));
    assert.deepEqual(
      categoryRows(ALL, t).map(({ detail }) => detail),
      ['', '', '', '', '', ''],
    );
  });
});
