/** The language tools for agents, with the TypeScript extension and a project of two folders. */
import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import type { ToolAnswer, ToolContext } from '../../src/mcp/editor/tool';
import type { Session } from '../../src/session/session';
import { Sessions } from '../../src/session/sessions';
import { systemClock } from '../../src/util/clock';
import { Changes } from '../../src/workbench/changes/changes';
import { CleanTexts } from '../../src/workbench/editor/cleanTexts';
import { languageTools, type LanguageTools } from '../../src/workbench/mcp/editor/languageTools';
import { serviceDependencies } from '../../src/workbench/serviceDependencies';
import { fakeDependencies, type FakeAgent, launch, quiet } from '../unit/session/fakes';
import { until } from './reviewFixture';

const TOTAL = [
  'export function total(prices: number[]): number {',
  '  return prices.reduce((sum, price) => sum + price, 0);',
  '}',
  '',
].join('\n');
const SHAPE = [
  'export interface Shape {',
  '  area(): number;',
  '}',
  'export class Square implements Shape {',
  '  area(): number {',
  '    return 1;',
  '  }',
  '}',
  '',
].join('\n');
const TILL = [
  "import { total } from '../lib/total';",
  '',
  'export function pay(): string {',
  '  return `${total([1, 2])} + ${total([3])}`;',
  '}',
  '',
].join('\r\n');
const MESSY = [
  "import { b } from './messy2';",
  "import { a } from './messy2';",
  'export   const c = a+b;',
  'export const wrong = messi2;',
  'const messy2 = 1;',
  '',
].join('\n');

describe('the language tools', function () {
  this.timeout(120_000);
  // Each test continues with the files of the one before.
  this.retries(0);
  let base: string;
  let tools: LanguageTools;
  let sessions: Sessions;
  let session: Session;
  let agent: FakeAgent;
  let changes: Changes;
  let cleanTexts: CleanTexts;
  let fakes: ReturnType<typeof fakeDependencies>;
  const written: string[] = [];
  const at = (name: string): string => path.join(base, name);
  const stored = (name: string): string => readFileSync(at(name), 'utf8');
  /** Reports the agent's own edit of a file. */
  const report = (toolCallId: string, status: 'pending' | 'completed', name = 'app/till.ts'): void => {
    const patch = { title: 'Edit', kind: 'edit', status, locations: [{ path: at(name) }] };
    agent.client.onUpdate('S', [{ type: 'tool_call_update', toolCallId, patch }]);
  };

  function call(name: string, input: object): Promise<ToolAnswer> {
    const tool = tools.tools.find((each) => each.name === name)!;
    const { key, agentId, agentName, roots } = session;
    const context: ToolContext = {
      session: { key, agentId, agentName, roots },
      signal: new AbortController().signal,
      timedOut: false,
      progress: () => undefined,
    };
    return tool.run(z.strictObject(tool.input.shape).parse(input), context);
  }
  /** Repeats a call until the TypeScript server has loaded the project. */
  const textOf = (name: string, input: object, wanted: RegExp) =>
    until(
      name,
      async () => (await call(name, input)).text,
      (text) => wanted.test(text),
      25,
    );
  const protect = (paths: object | undefined) =>
    vscode.workspace.getConfiguration().update('acpHost.protectedPaths', paths, vscode.ConfigurationTarget.Global);
  async function turn(work: () => Promise<void>): Promise<void> {
    assert.equal(session.prompt([{ type: 'text', text: 'go' }]), undefined);
    await changes.get(session.key)?.ready();
    // The copies of the files before the turn are made beside it.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    try {
      await work();
    } finally {
      agent.prompts.at(-1)!({ ok: true, value: { stopReason: 'end_turn', events: [] } });
    }
    await changes.get(session.key)!.settled();
  }

  before(async () => {
    base = realpathSync(vscode.workspace.workspaceFolders![0]!.uri.fsPath);
    base = path.join(base, 'language-project');
    const files = { 'lib/total.ts': TOTAL, 'lib/shape.ts': SHAPE, 'app/till.ts': TILL, 'app/messy.ts': MESSY };
    mkdirSync(base);
    // VS Code's watcher misses the contents of a folder that are made before it has seen the folder.
    for (const folder of ['app', 'lib', 'elsewhere', 'stored']) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      mkdirSync(at(folder));
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    Object.entries(files).forEach(([name, text]) => writeFileSync(at(name), text));
    writeFileSync(at('app/messy2.ts'), 'export const a = 1;\nexport const b = 2;\n');
    writeFileSync(at('app/guarded.ts'), "import { Square } from '../lib/shape';\nnew Square();\n");
    writeFileSync(at('elsewhere/secret.ts'), 'export const secret = 1;\n');
    writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, target: 'es2022' }, include: ['app', 'lib'] }));

    cleanTexts = new CleanTexts();
    changes = new Changes({ clock: systemClock, cleanTexts, log: quiet, folderOf: async (key) => path.join(at('stored'), key) });
    const rules = { sources: () => [], observe: () => ({}) };
    const unused = async (): Promise<never> => assert.fail('not used');
    fakes = fakeDependencies();
    const services = serviceDependencies(cleanTexts, systemClock, quiet, () => changes, unused, rules, unused, unused);
    sessions = new Sessions({ ...fakes.deps, ...services, sandboxModeOf: () => 'off', clock: systemClock });
    session = sessions.create(launch(), { cwd: at('app'), additionalDirectories: [at('lib')], mcpServers: [] } as never);
    agent = fakes.agents[0]!;
    agent.open('S');
    const followed = await changes.follow(session);
    session.store.onEvents((_, events, whole) => {
      followed.onEvents(events, whole);
      written.push(...events.flatMap((event) => (event.type === 'file_written' ? event.file.path : [])));
    });
    tools = languageTools({
      clock: systemClock,
      cleanTexts,
      session: (key) => sessions.get(key),
      writes: (real) => changes.writes(real),
    });
    tools.follow(session);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.fsPath.startsWith(base))) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    tools.dispose();
    sessions.dispose();
    changes.dispose();
    cleanTexts.dispose();
    rmSync(base, { recursive: true, force: true });
  });

  it('find references and definitions in both folders', async () => {
    const symbol = { file: at('lib/total.ts'), symbol: 'total', lineText: 'export function total(prices: number[]): number {' };
    const references = await textOf('references', symbol, /^4 references of total in 2 files\./);
    assert.match(references, /\ntill\.ts:1:10 {2}import \{ total \} from '\.\.\/lib\/total';\n/);
    assert.match(references, /\ntill\.ts:4:13 {2}return/);
    assert.equal(
      await textOf('definition', { file: 'till.ts', line: 4, column: 13 }, /^1 definition/),
      `1 definition of the symbol in 1 file.\n${at('lib/total.ts')}:1:17  export function total(prices: number[]): number {`,
    );
  });

  it('describe a symbol', async () => {
    const symbol = { file: 'till.ts', symbol: 'total', lineText: '  return `${total([1, 2])} + ${total([3])}`;' };
    assert.match(await textOf('hover', symbol, /total\(/), /total\(prices: number\[\]\): number/);
    assert.match(await textOf('signature_help', symbol, /total\(/), /total\(prices: number\[\]\): number\n {2}→ prices: number\[\]/);
  });

  it('list the symbols of a file and of the workspace', async () => {
    const outline = await textOf('document_symbols', { file: at('lib/shape.ts') }, /^4 symbols/);
    assert.match(
      outline,
      /\ninterface Shape {2}.*:1:18 {2}export interface Shape \{\n {2}method area {2}.*:2:3 {2}area\(\): number;\nclass Square/,
    );
    assert.match(await textOf('workspace_symbols', { query: 'Square' }, /class Square/), /^1 symbol like Square\./);
  });

  it('follow calls, implementations and types', async () => {
    const total = { file: at('lib/total.ts'), symbol: 'total', lineText: 'export function total(prices: number[]): number {' };
    assert.match(await textOf('call_hierarchy', total, /^1 caller/), /function pay \(till\.ts:3\) {2}till\.ts:4:13/);
    const shape = { file: at('lib/shape.ts'), symbol: 'Shape', lineText: 'export interface Shape {' };
    assert.match(await textOf('implementations', shape, /^1 implementation/), /shape\.ts:4:14 {2}export class Square/);
    const literal = { file: 'till.ts', symbol: 'total', line: 1 };
    assert.match(await textOf('declaration', literal, /declaration/), /total/);
    assert.match((await call('type_definition', literal)).text, /total/);
    assert.match((await call('type_hierarchy', shape)).text, /type hierarchy|subtype/);
  });

  it('rename a symbol in both folders by one edit, saved and recorded as the agent’s', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(at('app/till.ts')), { preview: false });
    const symbol = { file: 'till.ts', symbol: 'total', lineText: "import { total } from '../lib/total';", newName: 'sumUp' };
    await turn(async () => {
      const { text, isError } = await call('rename_symbol', symbol);
      assert.equal(isError, undefined, text);
      assert.match(text, /^Applied "Rename total to sumUp": 4 edits in 2 files\./);
    });
    assert.equal(stored('app/till.ts'), TILL.replaceAll('total(', 'sumUp(').replace('{ total }', '{ sumUp }'));
    assert.equal(stored('lib/total.ts'), TOTAL.replace('total(', 'sumUp('));
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ fileName }) => fileName),
      [],
    );
    const review = changes.get(session.key)!.review!;
    const pending = review.files.map(({ path: file, hunks, before }) => [path.relative(base, file), hunks?.hunks.length ?? 0, before.kind]);
    assert.deepEqual(pending.sort(), [
      ['app/till.ts', 2, 'file'],
      ['lib/total.ts', 1, 'file'],
    ]);
    assert.deepEqual(written.sort(), [at('app/till.ts'), at('lib/total.ts')]);
  });

  it('are undone by one undo across the files', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(at('app/till.ts')), { preview: false });
    const lib = await vscode.workspace.openTextDocument(at('lib/total.ts'));
    await vscode.commands.executeCommand('undo');
    await until(
      'undone',
      () => lib.getText(),
      (text) => text === TOTAL,
    );
    assert.equal(vscode.window.activeTextEditor!.document.getText(), TILL);
    await vscode.workspace.saveAll();
    // The file without an editor stays unsaved.
    await lib.save();
  });

  it('rename a symbol whose definition is in no open document', async () => {
    writeFileSync(at('lib/unopened.ts'), 'export const far = 1;\n');
    writeFileSync(at('app/near.ts'), "import { far } from '../lib/unopened';\nexport const near = far;\n");
    await turn(async () => {
      const { text, isError } = await call('rename_symbol', { file: 'near.ts', symbol: 'far', line: 2, newName: 'further' });
      assert.equal(isError, undefined, text);
      assert.match(text, /^Applied "Rename far to further": 3 edits in 2 files\./);
    });
    assert.equal(stored('lib/unopened.ts'), 'export const further = 1;\n');
  });

  it('report the problems before and after an edit, as no failure of the edit', async () => {
    await textOf('problems', { path: 'till.ts' }, /^No problems in till\.ts/);
    await turn(async () => {
      report('edit-1', 'pending');
      writeFileSync(at('app/till.ts'), TILL.replace('total([3])', "total('3')"));
      report('edit-1', 'completed');
      const { text, isError } = await call('edit_result', { file: 'till.ts', waitSeconds: 20 });
      assert.equal(isError, undefined);
      assert.match(
        text,
        /^The edit of till\.ts was applied\.\nThe problems below are findings about the code\. The edit did not fail\.\n\nNew problems \(1\):\ntill\.ts:4:\d+ error ts \(2345\): /,
      );
    });
    assert.match((await call('problems', { path: 'till.ts' })).text, /^1 problem in till\.ts: 1 error\./);
    await turn(async () => {
      report('edit-2', 'pending');
      writeFileSync(at('app/till.ts'), TILL);
      report('edit-2', 'completed');
      const { text } = await call('edit_result', { file: 'till.ts', waitSeconds: 20 });
      assert.match(text, /It caused no new problems in this file\.\n\nGone since the edit \(1\):\ntill\.ts:4:\d+ error ts \(2345\)/);
    });
  });

  it('organize imports, format, and apply a code action', async () => {
    const { text } = await call('organize_imports', { file: 'messy.ts' });
    assert.match(text, /^Applied "Organize imports"/, text);
    assert.match(stored('app/messy.ts'), /^import \{ a, b \} from '\.\/messy2';\n/);
    assert.match((await call('format', { file: 'messy.ts' })).text, /^Applied "Format"/);
    assert.match(stored('app/messy.ts'), /\nexport const c = a \+ b;\n/);
    const listed = await textOf('code_actions', { file: 'messy.ts', symbol: 'messi2' }, /Change spelling/);
    const [, id, title] = /^(action-\d+) {2}(.*) \(quickfix/m.exec(listed)!;
    const applied = await call('apply_code_action', { id });
    assert.ok(applied.text.startsWith(`Applied "${title}"`), applied.text);
    const { text: moves } = await call('code_actions', { file: 'messy.ts', line: 3, kind: 'refactor.move' });
    assert.match(moves, /Move to a new file \(refactor\.move\.newFile, it creates .*\.ts\)/);
  });

  it('refuse edits that also make, move or delete files, and change nothing', async () => {
    writeFileSync(at('app/module.txt'), 'import module\n');
    const uri = (name: string): vscode.Uri => vscode.Uri.file(at(name));
    const kinds: readonly [string, (edit: vscode.WorkspaceEdit) => void, RegExp][] = [
      ['moved', (edit) => edit.renameFile(uri('app/messy2.ts'), uri('app/moved.ts')), /it moves .*messy2\.ts to .*moved\.ts/],
      ['made', (edit) => edit.createFile(uri('app/made.ts'), { contents: Buffer.from('x') }), /it creates .*made\.ts/],
      ['deleted', (edit) => edit.deleteFile(uri('app/messy2.ts')), /it deletes .*messy2\.ts/],
      [
        'snippet',
        (edit) =>
          edit.set(uri('app/module.txt'), [new vscode.SnippetTextEdit(new vscode.Range(0, 0, 0, 0), new vscode.SnippetString('$0'))]),
        /by a snippet or a cell/,
      ],
    ];
    for (const [newName, add, reason] of kinds) {
      const provider = vscode.languages.registerRenameProvider(
        { language: 'plaintext' },
        {
          provideRenameEdits: () => {
            const edit = new vscode.WorkspaceEdit();
            edit.replace(uri('app/module.txt'), new vscode.Range(0, 7, 0, 13), newName);
            add(edit);
            return edit;
          },
        },
      );
      try {
        const { isError, text } = await call('rename_symbol', { file: 'module.txt', symbol: 'module', newName });
        assert.equal(isError, true);
        assert.match(text, /^Nothing was changed\. /);
        assert.match(text, reason);
      } finally {
        provider.dispose();
      }
      assert.equal(stored('app/module.txt'), 'import module\n');
      assert.equal(stored('app/messy2.ts'), 'export const a = 1;\nexport const b = 2;\n');
      assert.throws(() => stored('app/made.ts'));
    }
  });

  it('list the problems of files that are in no tab, before and after an edit', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    writeFileSync(at('app/hidden.ts'), "const one: number = 'one';\n");
    const { text } = await call('problems', { path: 'hidden.ts' });
    assert.match(text, /^1 problem in hidden\.ts: 1 error\.\nhidden\.ts:1:7 error ts \(2322\): Type 'string' is not assignable/);
    await turn(async () => {
      report('edit-3', 'pending', 'app/hidden.ts');
      writeFileSync(at('app/hidden.ts'), 'const one: number = 1;\nconst two: string = one;\n');
      report('edit-3', 'completed', 'app/hidden.ts');
      const result = (await call('edit_result', { file: 'hidden.ts', waitSeconds: 20 })).text;
      assert.match(result, /New problems \(1\):\nhidden\.ts:2:7 error[\s\S]*Gone since the edit \(1\):\nhidden\.ts:1:7 error/);
    });
  });

  it('refuse files outside the session’s folders', async () => {
    for (const file of [at('elsewhere/secret.ts'), '../elsewhere/secret.ts']) {
      const { isError, text } = await call('hover', { file, symbol: 'secret' });
      assert.equal(isError, true);
      assert.match(text, /^Outside the folders/);
    }
  });

  it('change nothing when the user refuses one protected file of an edit', async () => {
    const rename = { file: at('lib/shape.ts'), symbol: 'Square', newName: 'Box' };
    await protect({ 'guarded.ts': 'write' });
    const done = call('rename_symbol', rename);
    await until(
      'the question',
      () => fakes.asked.length,
      (count) => count === 1,
    );
    fakes.answer(0, 'reject');
    const { isError, text } = await done;
    assert.equal(isError, true);
    assert.match(text, /^Nothing was changed: The user did not allow you to write .*guarded\.ts/);
    assert.equal(stored('lib/shape.ts'), SHAPE);
    const again = call('rename_symbol', rename);
    await until(
      'the second question',
      () => fakes.asked.length,
      (count) => count === 2,
    );
    fakes.answer(1, 'allow');
    assert.match((await again).text, /^Applied "Rename Square to Box": 3 edits in 2 files\./);
    assert.equal(stored('lib/shape.ts'), SHAPE.replace('Square', 'Box'));
    assert.match(stored('app/guarded.ts'), /new Box\(\)/);
    await protect(undefined);
  });

  it('leave unsaved text of the user unsaved', async () => {
    const document = await vscode.workspace.openTextDocument(at('lib/total.ts'));
    const typed = new vscode.WorkspaceEdit();
    typed.insert(document.uri, new vscode.Position(0, 0), '// typed\n');
    await vscode.workspace.applyEdit(typed);
    const found = (await call('definition', { file: 'till.ts', symbol: 'total', line: 1 })).text;
    const { text } = await call('rename_symbol', { file: 'till.ts', symbol: 'total', line: 1, newName: 'sumUp' });
    assert.match(found, /^1 definition.*\n.*total\.ts:2:17 {2}export function total/);
    assert.match(text, /not saved, because the user has unsaved changes there: .*total\.ts\.$/);
    assert.equal(document.getText(), `// typed\n${TOTAL.replace('total(', 'sumUp(')}`);
    assert.equal(stored('lib/total.ts'), TOTAL);
  });
});
