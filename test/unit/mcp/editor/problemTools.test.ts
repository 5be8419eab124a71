import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { AfterEdits } from '../../../../src/mcp/editor/afterEdits';
import { mayNameProblems, reportingProblems } from '../../../../src/mcp/editor/problemReport';
import { problemTools } from '../../../../src/mcp/editor/tools/problems';
import { systemClock } from '../../../../src/util/clock';
import { FakeLanguage, problem } from './fakeLanguage';

describe('the tools for problems', () => {
  let fake: FakeLanguage;
  let afterEdits: AfterEdits;
  const call = (name: string, input: object, context = fake.context()) =>
    fake.call(problemTools(fake.port, afterEdits), name, input, context);

  beforeEach(() => {
    fake = new FakeLanguage({
      'app/a.ts': 'const a: string = 1;\nconst b = 2;\nconst c = 3;\n',
      'app/sub/b.ts': 'let x;\n',
      'app/.env': 'TOKEN=secret\n',
      'lib/c.ts': 'let y;\n',
      'outside/d.ts': 'let z;\n',
    });
    afterEdits = new AfterEdits(fake.port, systemClock);
  });
  afterEach(() => {
    afterEdits.dispose();
    fake.dispose();
  });

  describe('problems', () => {
    beforeEach(() => {
      fake.report('app/a.ts', problem(1, 'unused', 2), problem(0, 'not a string'), problem(2, 'a hint', 4));
      fake.report('app/sub/b.ts', problem(0, 'bad x'));
      fake.report('lib/c.ts', problem(0, 'bad y'));
      fake.report('outside/d.ts', problem(0, 'bad z'));
    });

    it('lists those of the session’s folders, errors first, each with its line', async () => {
      const { text, data } = await call('problems', {});
      assert.equal(
        text,
        [
          "4 problems in the session's folders: 3 errors, 1 warning.",
          'a.ts:1:3 error ts (2322): not a string\n    const a: string = 1;',
          'sub/b.ts:1:3 error ts (2322): bad x\n    let x;',
          `${fake.at('lib/c.ts')}:1:3 error ts (2322): bad y\n    let y;`,
          'a.ts:2:3 warning ts (2322): unused\n    const b = 2;',
        ].join('\n'),
      );
      assert.equal((data!.items as unknown[]).length, 4);
    });

    it('takes a file, a folder and a severity', async () => {
      assert.match((await call('problems', { path: 'a.ts', severity: 'hint' })).text, /^3 problems in a\.ts: 1 error, 1 warning, 1 hint\./);
      assert.match((await call('problems', { path: 'sub' })).text, /^1 problem in sub: 1 error\./);
      assert.match((await call('problems', { path: 'a.ts', severity: 'error' })).text, /^1 problem in a\.ts/);
      fake.report('app/sub/b.ts');
      assert.match((await call('problems', { path: 'sub' })).text, /^No problems in sub, of severity warning or higher\.$/);
    });

    it('refuses files outside the session’s folders and unknown cursors', async () => {
      for (const path of ['../outside', fake.at('outside/d.ts'), '/etc', 'missing.ts', 'sub/../../outside/d.ts']) {
        const { isError, text } = await call('problems', { path });
        assert.equal(isError, true, path);
        assert.doesNotMatch(text, /bad z/);
      }
      assert.equal((await call('problems', { cursor: '77777' })).isError, true);
      assert.equal((await call('problems', { cursor: '-1' })).isError, true);
      await assert.rejects(call('problems', { severity: 'fatal' }));
    });

    it('shows no line of a protected file, and no message, which may quote the line', async () => {
      fake.hidden.add(fake.at('app/.env'));
      fake.report('app/.env', problem(0, 'unknown word "secret"'));
      const { text, data } = await call('problems', {});
      assert.match(text, /\.env:1:3 error ts \(2322\): The file is protected, so the message is not shown\./);
      assert.doesNotMatch(text + JSON.stringify(data), /secret/);
      const named = await call('problems', { path: '.env' });
      assert.equal(named.isError, true);
      assert.match(named.text, /protected/);
    });

    it('answers 10,000 problems in pages', async function () {
      this.timeout(30_000);
      for (let file = 0; file < 1000; file++) {
        fake.reported.set(
          fake.at(`app/many/${String(file).padStart(4, '0')}.ts`),
          Array.from({ length: 10 }, (_, line) => problem(line, `m${line}`)),
        );
      }
      const first = await call('problems', {});
      assert.match(first.text, /^10004 problems .* Shown: 1 to 50\./);
      assert.equal(first.nextCursor, '50');
      let cursor = '9950';
      const last = await call('problems', { cursor });
      assert.equal(last.nextCursor, (cursor = '10000'));
      const end = await call('problems', { cursor });
      assert.equal(end.nextCursor, undefined);
      assert.match(end.text, /Shown: 10001 to 10004\./);
    });

    it('bounds the text of long messages', async () => {
      fake.report('app/a.ts', ...Array.from({ length: 60 }, (_, line) => problem(line % 3, 'x'.repeat(5000))));
      const { text, nextCursor } = await call('problems', { path: 'a.ts' });
      assert.ok(text.length < 20_000);
      assert.ok(Number(nextCursor) > 0 && Number(nextCursor) < 50);
    });
  });

  describe('edit_result', () => {
    it('says that the edit was applied, then the new problems and those that are gone', async () => {
      fake.opened.add(fake.at('app/a.ts'));
      fake.report('app/a.ts', problem(0, 'not a string'), problem(1, 'unused', 2));
      afterEdits.beforeWrite('s', [fake.at('app/a.ts')]);
      writeFileSync(fake.at('app/a.ts'), '// new\nconst a = 1;\nconst b: string = 2;\n');
      afterEdits.written('s', [fake.at('app/a.ts')]);
      setTimeout(() => fake.report('app/a.ts', problem(2, 'unused', 2), problem(2, 'number is no string')), 20);
      const { text, data, isError } = await call('edit_result', { file: 'a.ts' });
      assert.equal(isError, undefined);
      assert.equal(
        text,
        [
          'The edit of a.ts was applied.',
          'The problems below are findings about the code. The edit did not fail.',
          '',
          'New problems (1):',
          'a.ts:3:3 error ts (2322): number is no string\n    const b: string = 2;',
          '',
          'Gone since the edit (1):',
          'a.ts:1:3 error ts (2322): not a string',
          '',
          '1 problem of the file was there before the edit.',
        ].join('\n'),
      );
      assert.deepEqual([data!.applied, data!.settled, data!.unchanged], [true, true, 1]);
    });

    it('says so when the file was not analysed before', async () => {
      afterEdits.written('s', [fake.at('app/a.ts')]);
      setTimeout(() => fake.report('app/a.ts', problem(0, 'old or new')), 20);
      const { text } = await call('edit_result', { file: 'a.ts' });
      assert.match(text, /not analysed before the edit[\s\S]*Problems now \(1\):\na\.ts:1:3 error/);
      assert.doesNotMatch(text, /New problems/);
    });

    it('names new problems in other files', async () => {
      fake.opened.add(fake.at('app/a.ts')).add(fake.at('app/sub/b.ts'));
      afterEdits.written('s', [fake.at('app/a.ts')]);
      setTimeout(() => {
        fake.report('app/a.ts');
        fake.report('app/sub/b.ts', problem(0, 'broken import'));
        fake.report('lib/c.ts', problem(0, 'only opened since'));
      }, 20);
      const { text } = await call('edit_result', { file: 'a.ts' });
      assert.match(
        text,
        /It caused no new problems in this file\.[\s\S]*New problems in other files \(1\):\nsub\/b\.ts:1:3 error ts \(2322\): broken import/,
      );
      assert.doesNotMatch(text, /only opened since/);
    });

    it('compares with the state before the first of several edits, until it was reported', async () => {
      const file = fake.at('app/a.ts');
      fake.opened.add(file);
      afterEdits.written('s', [file]);
      fake.report('app/a.ts', problem(0, 'first'));
      afterEdits.written('s', [file]);
      assert.match((await call('edit_result', { file: 'a.ts', waitSeconds: 0 })).text, /New problems \(1\)/);
      afterEdits.written('s', [file]);
      assert.match(
        (await call('edit_result', { file: 'a.ts', waitSeconds: 0 })).text,
        /no new problems[\s\S]*1 problem of the file was there before/,
      );
    });

    it('answers with what it has when the language server is slow', async () => {
      fake.opened.add(fake.at('app/a.ts'));
      afterEdits.written('s', [fake.at('app/a.ts')]);
      const { text, data } = await call('edit_result', { file: 'a.ts', waitSeconds: 0.2 });
      assert.match(text, /was applied[\s\S]*may still be checking the file/);
      assert.equal(data!.settled, false);
    });

    it('waits until the editor has read the new text, and says so when it has not', async () => {
      fake.opened.add(fake.at('app/a.ts'));
      fake.behind = true;
      afterEdits.written('s', [fake.at('app/a.ts')]);
      const { text, data } = await call('edit_result', { file: 'a.ts', waitSeconds: 0.2 });
      assert.match(text, /^The edit of a\.ts was applied: .*not read the file again yet/);
      assert.equal(data!.settled, false);
      setTimeout(() => {
        fake.behind = false;
        fake.report('app/a.ts', problem(0, 'new'));
      }, 100);
      assert.match((await call('edit_result', { file: 'a.ts' })).text, /New problems \(1\)/);
    });

    it('refuses files that the agent has not written', async () => {
      const { isError, text } = await call('edit_result', { file: 'a.ts' });
      assert.equal(isError, true);
      assert.match(text, /No edit of a\.ts by you/);
      assert.equal((await call('edit_result', { file: '../outside/d.ts' })).isError, true);
    });
  });

  describe('the remark in other answers', () => {
    const answer = async (isOn = true) => {
      const tool = { ...problemTools(fake.port, afterEdits)[0]!, name: 'other', run: async () => ({ text: 'answer' }) };
      const [reporting] = reportingProblems([tool], afterEdits, () => isOn);
      return (await reporting!.run({}, fake.context())).text;
    };

    it('names each new problem once, without the look of a failure', async () => {
      const file = fake.at('app/a.ts');
      fake.opened.add(file);
      fake.report('app/a.ts', problem(0, 'old'));
      afterEdits.written('s', [file]);
      assert.equal(await answer(), 'answer');
      fake.report('app/a.ts', problem(0, 'old'), problem(1, 'new'), problem(2, 'only a hint', 4));
      assert.equal(await answer(false), 'answer');
      assert.equal(
        await answer(),
        'answer\n\nYour edits were applied. The files that you edited have 1 new problem since then:\na.ts:2 error: new',
      );
      assert.equal(await answer(), 'answer');
    });

    it('leaves out files that were not analysed before', async () => {
      afterEdits.written('s', [fake.at('app/a.ts')]);
      fake.report('app/a.ts', problem(0, 'old or new'));
      assert.equal(await answer(), 'answer');
    });

    it('names a problem again that was gone between two edits', async () => {
      const file = fake.at('app/a.ts');
      fake.opened.add(file);
      afterEdits.written('s', [file]);
      fake.report('app/a.ts', problem(0, 'new'));
      assert.match(await answer(), /a\.ts:1 error: new$/);
      afterEdits.written('s', [file]);
      assert.equal(await answer(), 'answer');
      fake.report('app/a.ts');
      afterEdits.beforeWrite('s', [file]);
      fake.report('app/a.ts', problem(0, 'new'));
      afterEdits.written('s', [file]);
      assert.match(await answer(), /a\.ts:1 error: new$/);
    });

    it('names no problem of a file that the agent may not read, or that is outside of its folders', async () => {
      const files = ['app/a.ts', 'app/.env', 'outside/d.ts'].map((name) => fake.at(name));
      files.forEach((file) => fake.opened.add(file));
      fake.hidden.add(fake.at('app/.env'));
      afterEdits.dispose();
      afterEdits = new AfterEdits(
        fake.port,
        systemClock,
        mayNameProblems(fake.port, () => fake.context().session),
      );
      afterEdits.written('s', files);
      ['app/.env', 'outside/d.ts', 'app/a.ts'].forEach((name) => fake.report(name, problem(0, `quotes ${name}`)));
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.match(await answer(), /have 1 new problem since then:\na\.ts:1 error: quotes app\/a\.ts$/);
      afterEdits.written('ended', [files[0]!]);
      assert.deepEqual(afterEdits.take('ended'), []);
    });

    it('is given back when the agent has not received it', () => {
      const file = fake.at('app/a.ts');
      fake.opened.add(file);
      afterEdits.written('s', [file]);
      fake.report('app/a.ts', problem(0, 'new'));
      const taken = afterEdits.take('s');
      assert.equal(taken.length, 1);
      assert.equal(afterEdits.take('s').length, 0);
      afterEdits.untake('s', taken);
      assert.equal(afterEdits.take('s').length, 1);
    });
  });
});
