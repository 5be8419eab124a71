// Text of others reaches VS Code's surfaces only as inert text: the types refuse anything else, and the linter the ways round the types. Each case
// plants one violation and sees it refused.
import assert from 'node:assert/strict';
import path from 'node:path';
import { ESLint, Linter } from 'eslint';
import ts from 'typescript';
import { parser } from 'typescript-eslint';

const root = path.resolve(__dirname, '../../../..');

describe('the ways to show a text', () => {
  const configs = new Map<string, Linter.Config>();

  async function lint(code: string, file = 'src/workbench/editor/openHandlers.ts'): Promise<string[]> {
    let config = configs.get(file);
    if (!config) {
      const all = (await new ESLint({ cwd: root }).calculateConfigForFile(path.join(root, file))) as { rules: Linter.RulesRecord };
      const rule = all.rules['no-restricted-syntax'];
      assert.ok(rule, `the rule is on in ${file}`);
      config = { files: ['**/*.ts'], languageOptions: { parser }, rules: { 'no-restricted-syntax': rule } };
      configs.set(file, config);
    }
    return new Linter().verify(code, [config], { filename: 'planted.ts' }).map(({ message }) => message);
  }

  const refused = [
    'void vscode.window.showInformationMessage(agentText);',
    'void vscode.window.showWarningMessage(agentText, { modal: true });',
    'void vscode.window.showErrorMessage(`${agentText}`);',
    'const pick = vscode.window.createQuickPick();',
    'const box = vscode.window.createInputBox();',
    'void vscode.window.showQuickPick([]);',
    'void vscode.window.showInputBox({ prompt: agentText });',
    'void vscode.window.withProgress({ location: 15, title: agentText }, task);',
    'vscode.window.createStatusBarItem();',
    'vscode.window.setStatusBarMessage(agentText, 1);',
    'vscode.window.createTreeView("v", options).message = agentText;',
    'vscode.window.createTerminal({ name: agentText });',
    'vscode.window.createWebviewPanel("v", agentText, 1);',
    'vscode.window.somethingThatIsNew(agentText);',
    'vscode.window["showErrorMessage"](agentText);',
    'vscode["window"].showErrorMessage(agentText);',
    'vscode.window?.showErrorMessage(agentText);',
    'vscode.window!.showErrorMessage(agentText);',
    '(vscode.window as Other).showErrorMessage(agentText);',
    'const { showErrorMessage } = vscode.window;',
    'const { window } = vscode;',
    'const show = vscode.window.showErrorMessage;',
    'const api = vscode;',
    'take(vscode);',
    'take({ vscode });',
    'take({ api: vscode });',
    "import { window } from 'vscode';",
    "import * as api from 'vscode';",
    "const { window } = await import('vscode');",
    "const { window } = require('vscode');",
    "export { window } from 'vscode';",
    'const text = new vscode.MarkdownString(agentText);',
    'const row = new vscode.TreeItem(agentText);',
    'vscode.scm.createSourceControl("id", agentText);',
    'vscode.languages.createLanguageStatusItem("id", selector);',
    'vscode.languages.registerHoverProvider(selector, provider);',
    'void vscode.commands.executeCommand("vscode.diff", a, b, agentText);',
    'void vscode.commands.executeCommand("vscode.changes", agentText, all);',
    'panel.title = agentText;',
    'this.panel.title = agentText;',
    'surface.webviewPanel.title = agentText;',
    'window.showErrorMessage(agentText as InertText);',
    'window.showErrorMessage(agentText as unknown as InertText);',
    'window.showErrorMessage(<InertText>agentText);',
    'window.showErrorMessage(agentText as never);',
    'const rows = [{ label: agentText }] as readonly Item[];',
    'const rows = [{ label: agentText } as { label: InertText }];',
    'const isInert = (text: string): text is InertText => true;',
    'window.showErrorMessage(vscode.l10n.t("{text}", { text: agentText }));',
  ];
  for (const code of refused) {
    it(`refuses ${code}`, async () => {
      assert.notDeepEqual(await lint(code), []);
    });
  }

  it('refuses them in every file of the workbench, and in the extension’s own', async () => {
    for (const file of [
      'src/workbench/newFileOfTomorrow.ts',
      'src/workbench/shared/l10n.ts',
      'src/workbench/shared/escape.ts',
      'src/extension.ts',
    ]) {
      assert.notDeepEqual(await lint('void vscode.window.showErrorMessage(agentText);', file), [], file);
    }
    for (const file of ['src/workbench/newFileOfTomorrow.ts', 'src/workbench/shared/window.ts', 'src/extension.ts']) {
      assert.notDeepEqual(await lint('const x = text as InertText;', file), [], file);
    }
  });

  it('allows what it should', async () => {
    const code = `
      import * as vscode from 'vscode';
      import type { Event } from 'vscode';
      import { window } from './window';
      void window.showWarningMessage(t('{file} has no problems.', { file }), own('x'));
      const { activeTabGroup } = vscode.window.tabGroups;
      const editor: vscode.TextEditor | undefined = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
      store.add(vscode.window.onDidCloseTerminal(() => undefined));
      const icon = new vscode.ThemeIcon('key');
      const facts = { vscode: vscode.version };
      pick.title = t('x');
      pick.items = rows;
      await vscode.commands.executeCommand('vscode.open', uri);
      const range = value as vscode.Range;`;
    assert.deepEqual(await lint(code), []);
  });
});

describe('the types of the ways to show a text', () => {
  const planted: [code: string, isRefused: boolean][] = [
    ['window.showInformationMessage(text);', true],
    ['window.showWarningMessage(`a ${text}`);', true],
    ["window.showErrorMessage('a' + text);", true],
    ["window.showErrorMessage(joined([visible(text)], ', ') + text);", true],
    ['window.showErrorMessage(visible(text).slice(1));', true],
    ["window.showErrorMessage('[x](command:y)');", true],
    ['window.showWarningMessage(visible(text), { modal: true, detail: text });', true],
    ['window.showWarningMessage(visible(text), text);', true],
    ['window.showQuickPick([{ label: text }], {});', true],
    ['window.showQuickPick([{ label: visible(text), description: text }], {});', true],
    ['window.showQuickPick([{ label: visible(text), detail: text }], {});', true],
    ['window.showQuickPick([text], {});', true],
    ['window.showQuickPick([{ label: visible(text) }], { placeHolder: text });', true],
    ['window.showQuickPick([{ label: visible(text) }], { title: text });', true],
    ['window.showQuickPick([{ label: visible(text), buttons: [{ iconPath, tooltip: text }] }], {});', true],
    ['window.createQuickPick().title = text;', true],
    ['window.createQuickPick().placeholder = text;', true],
    ['window.createQuickPick().items = [{ label: text }];', true],
    ['window.createQuickPick().buttons = [{ iconPath, tooltip: text }];', true],
    ['window.createInputBox().prompt = text;', true],
    ['window.createInputBox().title = text;', true],
    ['window.createInputBox().placeholder = text;', true],
    ['window.createInputBox().validationMessage = text;', true],
    ['window.createInputBox().validationMessage = { message: text, severity: 1 };', true],
    ['window.withProgress({ location: 15, title: text }, async () => undefined);', true],
    ['window.withProgress({ location: 15 }, async (progress) => progress.report({ message: text }));', true],
    ["window.createStatusBarItem('x', 1).text = text;", true],
    ["window.createStatusBarItem('x', 1).tooltip = text;", true],
    ["window.createStatusBarItem('x', 1).tooltip = new MarkdownString(text);", true],
    ["window.createStatusBarItem('x', 1).name = text;", true],
    ['window.setStatusBarMessage(text, 1);', true],
    ['window.createTerminal({ name: text });', true],
    ['window.createTerminal({ name: text, pty });', true],
    ['window.createOutputChannel(text, { log: true });', true],
    ["window.createWebviewPanel('x', text, { viewColumn: 1 }, {});", true],
    ['window.showOpenDialog({ title: text });', true],
    ['window.showSaveDialog({ saveLabel: text });', true],
    ['setTitle(panel, text);', true],
    ['separator(text);', true],
    ['openDiff(uri, uri, text, {});', true],
    ['own(text);', true],
    ['own(`a ${text}`);', true],
    ['joined([visible(text)], text);', true],
    ['joined([text], own(","));', true],
    ["withIcon('key', text);", true],
    ['withIcon(text, visible(text));', true],
    ['window.showErrorMessage(visible(text));', false],
    ["window.showErrorMessage(joined([visible(text), inert(text), own('.md'), withIcon('key', visible(text))], ' · '));", false],
    ["window.showErrorMessage(t('{text}', { text }), t('Open'));", false],
    ["window.showWarningMessage(t('x'), { modal: true, detail: visible(text) }, t('Open')).then((button) => button === t('Open'));", false],
    [
      "window.showQuickPick([{ label: visible(text), id: 3 }, { label: visible(text), id: 4 }], { placeHolder: t('x') }).then((row) => row?.id);",
      false,
    ],
    ['window.createInputBox().validationMessage = undefined;', false],
  ];

  it('take inert text and nothing else', function () {
    this.timeout(60_000);
    const before = [
      "import type { ExtensionTerminalOptions, MarkdownString as Markdown, ThemeIcon, Uri, WebviewPanel } from 'vscode';",
      "import { inert, joined, own, visible, withIcon } from './shared/escape';",
      "import type { Translate } from './shared/translate';",
      "import { openDiff, separator, setTitle, window } from './shared/window';",
      'declare const text: string, t: Translate, uri: Uri, panel: WebviewPanel, iconPath: ThemeIcon, pty: ExtensionTerminalOptions["pty"], MarkdownString: typeof Markdown;',
      'export const used = [inert, joined, own, visible, withIcon, openDiff, separator, setTitle, window, text, t, uri, panel, iconPath, pty, MarkdownString];',
    ];
    const file = path.join(root, 'src/workbench/planted.ts');
    const source = [...before, ...planted.map(([code]) => code.replace(/^/, 'void (() => { ') + ' })();')].join('\n');
    const { config } = ts.readConfigFile(path.join(root, 'src/tsconfig.json'), (name) => ts.sys.readFile(name)) as { config: object };
    const { options } = ts.parseJsonConfigFileContent(
      { ...config, references: [], include: [], files: ['planted.ts'] },
      ts.sys,
      path.join(root, 'src'),
      { composite: false, noEmit: true, emitDeclarationOnly: false },
      path.join(root, 'src/tsconfig.json'),
    );
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile } = host;
    host.fileExists = (name) => path.resolve(name) === file || fileExists.call(host, name);
    host.readFile = (name) => (path.resolve(name) === file ? source : readFile.call(host, name));
    const getSourceFile = host.getSourceFile.bind(host);
    host.getSourceFile = (name, ...others) =>
      path.resolve(name) === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true) : getSourceFile(name, ...others);
    const program = ts.createProgram([file], options, host);
    const parsed = program.getSourceFile(file)!;
    const lines = new Set(program.getSemanticDiagnostics(parsed).map(({ start }) => parsed.getLineAndCharacterOfPosition(start!).line));
    assert.deepEqual(
      [...lines].filter((line) => line < before.length),
      [],
      'what is planted in compiles',
    );
    for (const [index, [code, isRefused]] of planted.entries()) {
      assert.equal(lines.has(before.length + index), isRefused, code);
    }
  });
});
