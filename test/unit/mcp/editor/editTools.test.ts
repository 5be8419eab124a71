import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { CodeAction, EditPlan } from '../../../../src/mcp/editor/language';
import { applyRangeEdits, changedLines } from '../../../../src/mcp/editor/rangeEdits';
import { editTools } from '../../../../src/mcp/editor/tools/edits';
import type { EditorTool } from '../../../../src/mcp/editor/tool';
import { edit, FakeLanguage } from './fakeLanguage';

const SUM = { file: 'a.ts', symbol: 'sum', lineText: 'function sum() {}' };

describe('the tools that change files', () => {
  let fake: FakeLanguage;
  let tools: readonly EditorTool[];
  const call = (name: string, input: object, context = fake.context()) => fake.call(tools, name, input, context);
  const plan = (...files: EditPlan['files']): EditPlan => ({ files, others: [] });

  beforeEach(() => {
    fake = new FakeLanguage({ 'app/a.ts': 'function sum() {}\n', 'app/b.ts': 'sum();\nsum();\n', 'outside/d.ts': 'sum();\n' });
    tools = editTools(fake.port);
  });
  afterEach(() => fake.dispose());

  describe('rename_symbol', () => {
    beforeEach(() => {
      fake.port.rename = async (_file, _position, name) =>
        plan(
          { path: fake.at('app/a.ts'), edits: [edit(0, 9, 12, name)] },
          { path: fake.at('app/b.ts'), edits: [edit(0, 0, 3, name), edit(1, 0, 3, name)] },
        );
    });

    it('makes one edit over all files, and shows the changed lines', async () => {
      const { text, data } = await call('rename_symbol', { ...SUM, newName: 'plus' });
      assert.equal(
        text,
        'Applied "Rename sum to plus": 3 edits in 2 files. Changed lines:\na.ts:1:1  function plus() {}\nb.ts:1:1  plus();\nb.ts:2:1  plus();',
      );
      assert.deepEqual(data!.files, [
        { file: 'a.ts', edits: 1 },
        { file: 'b.ts', edits: 2 },
      ]);
      assert.equal(fake.applied.length, 1);
    });

    it('begins at the definition when it has the same name in the session’s folders', async () => {
      const at: unknown[] = [];
      fake.port.rename = async (file, position) => {
        at.push([file, position]);
        return plan();
      };
      const use = { file: 'b.ts', symbol: 'sum', line: 1, newName: 'plus' };
      for (const place of [fake.place('app/a.ts', 0, 9), fake.place('app/a.ts', 0, 0), fake.place('outside/d.ts', 0, 0)]) {
        fake.port.places = async () => [place];
        await call('rename_symbol', use);
      }
      const given = [fake.at('app/b.ts'), { line: 0, character: 0 }];
      assert.deepEqual(at, [[fake.at('app/a.ts'), { line: 0, character: 9 }], given, given]);
    });

    it('says which files were not saved', async () => {
      fake.unsaved = [fake.at('app/b.ts')];
      assert.match(
        (await call('rename_symbol', { ...SUM, newName: 'plus' })).text,
        /not saved, because the user has unsaved changes there: b\.ts\.$/,
      );
    });

    it('changes nothing when one file is outside the session’s folders', async () => {
      fake.port.rename = async () =>
        plan({ path: fake.at('app/a.ts'), edits: [edit(0, 9, 12, 'x')] }, { path: fake.at('outside/d.ts'), edits: [edit(0, 0, 3, 'x')] });
      const { isError, text } = await call('rename_symbol', { ...SUM, newName: 'x' });
      assert.equal(isError, true);
      assert.match(text, /^Nothing was changed: .*outside the session's folders: .*d\.ts/);
      assert.equal(fake.applied.length, 0);
      assert.equal(readFileSync(fake.at('app/a.ts'), 'utf8'), 'function sum() {}\n');
    });

    it('changes nothing when the edit moves files, or changes too many', async () => {
      fake.port.rename = async () => ({
        files: [{ path: fake.at('app/a.ts'), edits: [edit(0, 0, 1, 'x')] }],
        others: ['it moves a.ts to b.ts'],
      });
      assert.match((await call('rename_symbol', { ...SUM, newName: 'x' })).text, /^Nothing was changed\. .*it moves a\.ts to b\.ts/);
      fake.port.rename = async () =>
        plan(...Array.from({ length: 501 }, (_, index) => ({ path: fake.at(`app/${index}.ts`), edits: [edit(0, 0, 0, 'x')] })));
      assert.match((await call('rename_symbol', { ...SUM, newName: 'x' })).text, /would change 501 files/);
      assert.equal(fake.applied.length, 0);
    });

    it('passes on why the language server or the user refuses', async () => {
      fake.port.rename = async () => Promise.reject(new Error('You cannot rename this element.'));
      const refused = await call('rename_symbol', { ...SUM, newName: 'x' });
      assert.deepEqual([refused.isError, refused.text], [true, 'The symbol cannot be renamed: You cannot rename this element.']);
      fake.port.rename = async () => plan({ path: fake.at('app/a.ts'), edits: [edit(0, 9, 12, 'x')] });
      fake.port.apply = async () => Promise.reject(new Error('The user did not allow you to write a.ts.'));
      assert.equal(
        (await call('rename_symbol', { ...SUM, newName: 'x' })).text,
        'Nothing was changed: The user did not allow you to write a.ts.',
      );
      fake.port.rename = async () => plan();
      const { isError, text } = await call('rename_symbol', { ...SUM, newName: 'x' });
      assert.match(text, /^Nothing is renamed/);
      assert.equal(isError, true, 'the card must not say that it is done');
    });

    it('takes no empty name, and no file outside', async () => {
      await assert.rejects(call('rename_symbol', { ...SUM, newName: ' ' }));
      assert.equal((await call('rename_symbol', { ...SUM, file: '../outside/d.ts', newName: 'x' })).isError, true);
    });
  });

  describe('code_actions', () => {
    const action = (title: string, more: Partial<CodeAction> = {}): CodeAction => ({
      title,
      kind: 'quickfix',
      isPreferred: false,
      edit: plan({ path: fake.at('app/a.ts'), edits: [edit(0, 0, 0, '// fixed\n')] }),
      ...more,
    });

    it('are listed with ids, by which they are applied', async () => {
      fake.port.actions = async (_file, range, kind) => {
        assert.deepEqual([range, kind], [{ start: { line: 0, character: 9 }, end: { line: 0, character: 12 } }, 'quickfix']);
        return [action('Fix it', { isPreferred: true }), action('Fix all', { edit: undefined }), action('Never', { disabled: 'not here' })];
      };
      const { text, data } = await call('code_actions', { ...SUM, kind: 'quickfix' });
      assert.equal(
        text,
        [
          '3 code actions at a.ts:1:',
          'action-1  Fix it (quickfix, preferred)',
          'action-2  Fix all (quickfix, it runs a command of its extension, which only the user can start)',
          'action-3  Never (quickfix, not here)',
        ].join('\n'),
      );
      assert.equal((data!.items as { id: string }[])[0]!.id, 'action-1');
      assert.match(
        (await call('apply_code_action', { id: 'action-1' })).text,
        /^Applied "Fix it": 1 edit in 1 file\. Changed lines:\na\.ts:1:1 {2}\/\/ fixed$/,
      );
      for (const id of ['action-2', 'action-3']) {
        assert.match((await call('apply_code_action', { id })).text, /cannot be applied: .* Make the change yourself/);
      }
      assert.equal(fake.applied.length, 1);
    });

    it('are asked for again before they are applied', async () => {
      fake.port.actions = async () => [action('Fix it')];
      await call('code_actions', { file: 'a.ts', line: 1 });
      fake.port.actions = async () => [
        action('Fix it', { edit: plan({ path: fake.at('app/a.ts'), edits: [edit(0, 0, 0, '// newer\n')] }) }),
      ];
      assert.match((await call('apply_code_action', { id: 'action-1' })).text, /\/\/ newer/);
      fake.port.actions = async () => [];
      assert.match((await call('apply_code_action', { id: 'action-1' })).text, /no longer offered/);
    });

    it('are not applied to other lines than those that they were listed for', async () => {
      const edits = [edit(1, 0, 0, 'wrong place')];
      fake.port.actions = async () => [action('Extract to constant', { edit: plan({ path: fake.at('app/a.ts'), edits }) })];
      await call('code_actions', { file: 'a.ts', line: 2 });
      const before = `// inserted\n${readFileSync(fake.at('app/a.ts'), 'utf8')}`;
      writeFileSync(fake.at('app/a.ts'), before);
      const { isError, text } = await call('apply_code_action', { id: 'action-1' });
      assert.equal(isError, true);
      assert.match(text, /^a\.ts:2 has another text than when the actions were listed\. List the actions again\.$/);
      assert.equal(readFileSync(fake.at('app/a.ts'), 'utf8'), before);
    });

    it('are not applied when they also create files', async () => {
      fake.port.actions = async () => [action('Move', { edit: { files: [], others: ['it creates b.ts'] } })];
      assert.match((await call('code_actions', { file: 'a.ts', line: 1 })).text, /Move \(quickfix, it creates b\.ts\)$/);
      assert.match((await call('apply_code_action', { id: 'action-1' })).text, /cannot be applied: it creates b\.ts\./);
      assert.equal(fake.applied.length, 0);
    });

    it('belong to their session', async () => {
      fake.port.actions = async () => [action('Fix it')];
      await call('code_actions', { file: 'a.ts', line: 1 });
      const { session } = fake.context();
      const other = fake.context({ session: { ...session, key: 'other' } });
      assert.match((await call('apply_code_action', { id: 'action-1' }, other)).text, /^No code action has the id/);
      assert.equal((await call('apply_code_action', { id: '__proto__' })).isError, true);
    });

    it('take a line, and a range of lines', async () => {
      const ranges: unknown[] = [];
      fake.port.actions = async (_file, { start, end }) => {
        ranges.push([start.line, start.character, end.line, end.character]);
        return [];
      };
      assert.equal((await call('code_actions', { file: 'b.ts', line: 1 })).text, 'No code actions at b.ts:1.');
      await call('code_actions', { file: 'b.ts', line: 1, endLine: 2 });
      assert.deepEqual(ranges, [
        [0, 0, 0, 6],
        [0, 0, 1, 6],
      ]);
      assert.equal((await call('code_actions', { file: 'b.ts', line: 2, endLine: 1 })).isError, true);
      assert.equal((await call('code_actions', { file: 'b.ts', line: 1, endLine: 99 })).isError, true);
      assert.equal((await call('code_actions', { file: 'b.ts' })).isError, true);
      await assert.rejects(call('code_actions', { file: 'b.ts', line: 1, kind: 'a b' }));
    });
  });

  it('organize_imports and format say when there is nothing to do, or no extension for it', async () => {
    assert.match((await call('organize_imports', { file: 'a.ts' })).text, /^No extension organizes the imports of a\.ts/);
    assert.match((await call('format', { file: 'a.ts' })).text, /^The editor has no formatter for a\.ts\./);
    fake.port.organizeImports = async () => plan({ path: fake.at('app/a.ts'), edits: [] });
    fake.port.format = async (_file, range) => plan({ path: fake.at('app/a.ts'), edits: range ? [edit(0, 0, 0, ' ')] : [] });
    assert.equal((await call('organize_imports', { file: 'a.ts' })).text, 'The imports of a.ts are organized already.');
    assert.equal((await call('format', { file: 'a.ts' })).text, 'a.ts is formatted already.');
    assert.match((await call('format', { file: 'a.ts', line: 1, endLine: 1 })).text, /^Applied "Format": 1 edit in 1 file/);
  });

  it('ask the policy, except for the list of actions', () => {
    assert.deepEqual(
      tools.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name),
      ['code_actions'],
    );
  });
});

describe('edits by ranges', () => {
  it('apply in order, also with CRLF and beyond the ends', () => {
    assert.equal(applyRangeEdits('ab\r\ncd\r\n', [edit(1, 1, 2, 'X'), edit(0, 0, 1, 'Y')]), 'Yb\r\ncX\r\n');
    assert.equal(applyRangeEdits('ab\r\ncd', [edit(0, 1, 99, '!'), edit(9, 0, 0, '\nend')]), 'a!\r\ncd\nend');
    assert.equal(applyRangeEdits('a', [edit(0, 0, 0, '1'), edit(0, 0, 0, '2')]), '12a');
    assert.throws(() => applyRangeEdits('abc', [edit(0, 0, 2, ''), edit(0, 1, 3, '')]), /overlap/);
  });

  it('know the lines of the new text', () => {
    assert.deepEqual(
      changedLines([
        edit(5, 0, 0, 'x'),
        edit(0, 0, 0, 'a\nb\n'),
        { range: { start: { line: 2, character: 0 }, end: { line: 4, character: 0 } }, newText: '' },
      ]),
      [0, 4, 5],
    );
  });
});
