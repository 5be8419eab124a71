// External text reaches VS Code's user interface only as inert text. The types refuse anything else, and the linter refuses ways around the types.
// Each case plants one violation and expects it to be refused.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { lintPlanted, type Finding } from '../../../support/lint';

const root = path.resolve(__dirname, '../../../..');

describe('the linter of functions that show a text', () => {
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
  const shows = 'void vscode.window.showErrorMessage(agentText);';
  const casts = 'const x = text as InertText;';
  const everywhere: readonly [code: string, ...files: string[]][] = [
    [shows, 'src/workbench/newFileOfTomorrow.ts', 'src/workbench/shared/l10n.ts', 'src/application/shared/escape.ts', 'src/extension.ts'],
    [casts, 'src/workbench/newFileOfTomorrow.ts', 'src/workbench/shared/window.ts', 'src/extension.ts'],
  ];
  const allowed = `
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

  let findings: Finding[];
  const planted = (index: number) => `src/workbench/editor/planted${index}.ts`;
  const found = (file: string, line?: number) =>
    findings.filter((each) => each.rule === 'no-restricted-syntax' && each.file === file && (line === undefined || each.line === line));

  before(async () => {
    const files: Record<string, string> = { 'src/workbench/editor/allowed.ts': allowed };
    refused.forEach((code, index) => (files[planted(index)] = code));
    for (const file of new Set(everywhere.flatMap(([, ...all]) => all))) {
      files[file] = `${shows}\n${casts}`;
    }
    ({ findings } = await lintPlanted(files));
  });

  refused.forEach((code, index) => {
    it(`refuses ${code}`, () => assert.notDeepEqual(found(planted(index)), []));
  });

  it('refuses them in every file of the workbench, and in the extension’s main file', () => {
    for (const [code, ...files] of everywhere) {
      for (const file of files) {
        assert.notDeepEqual(found(file, code === shows ? 1 : 2), [], file);
      }
    }
  });

  it('allows permitted code', () => {
    assert.deepEqual(found('src/workbench/editor/allowed.ts'), []);
  });
});

describe('the types of the functions that show a text', () => {
  const planted: [code: string, isRefused: boolean][] = [
    ['window.showInformationMessage(text);', true],
    ['window.showWarningMessage(`a ${text}`);', true],
    ["window.showErrorMessage('a' + text);", true],
    ["window.showErrorMessage(joined([inertLine(text)], ', ') + text);", true],
    ['window.showErrorMessage(inertLine(text).slice(1));', true],
    ["window.showErrorMessage('[x](command:y)');", true],
    ['window.showWarningMessage(inertLine(text), { modal: true, detail: text });', true],
    ['window.showWarningMessage(inertLine(text), text);', true],
    ['window.showQuickPick([{ label: text }], {});', true],
    ['window.showQuickPick([{ label: inertLine(text), description: text }], {});', true],
    ['window.showQuickPick([{ label: inertLine(text), detail: text }], {});', true],
    ['window.showQuickPick([text], {});', true],
    ['window.showQuickPick([{ label: inertLine(text) }], { placeHolder: text });', true],
    ['window.showQuickPick([{ label: inertLine(text) }], { title: text });', true],
    ['window.showQuickPick([{ label: inertLine(text), buttons: [{ iconPath, tooltip: text }] }], {});', true],
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
    ['joined([inertLine(text)], text);', true],
    ['joined([text], own(","));', true],
    ["withIcon('key', text);", true],
    ['withIcon(text, inertLine(text));', true],
    ['window.showErrorMessage(inertLine(text));', false],
    ["window.showErrorMessage(joined([inertLine(text), inert(text), own('.md'), withIcon('key', inertLine(text))], ' · '));", false],
    ["window.showErrorMessage(t('{text}', { text }), t('Open'));", false],
    [
      "window.showWarningMessage(t('x'), { modal: true, detail: inertLine(text) }, t('Open')).then((button) => button === t('Open'));",
      false,
    ],
    [
      "window.showQuickPick([{ label: inertLine(text), id: 3 }, { label: inertLine(text), id: 4 }], { placeHolder: t('x') }).then((row) => row?.id);",
      false,
    ],
    ['window.createInputBox().validationMessage = undefined;', false],
  ];

  it('accept only inert text', async function () {
    this.timeout(60_000);
    const before = [
      "import type { ExtensionTerminalOptions, MarkdownString as Markdown, ThemeIcon, Uri, WebviewPanel } from 'vscode';",
      "import { inert, joined, own, inertLine, withIcon } from '../application/shared/escape';",
      "import type { Translate } from '../application/shared/translate';",
      "import { openDiff, separator, setTitle, window } from './shared/window';",
      'declare const text: string, t: Translate, uri: Uri, panel: WebviewPanel, iconPath: ThemeIcon, pty: ExtensionTerminalOptions["pty"], MarkdownString: typeof Markdown;',
      'export const used = [inert, joined, own, inertLine, withIcon, openDiff, separator, setTitle, window, text, t, uri, panel, iconPath, pty, MarkdownString];',
    ];
    const source = [...before, ...planted.map(([code]) => code.replace(/^/, 'void (() => { ') + ' })();')].join('\n');
    // The compiler sees the code as if it were in the workbench's folder.
    const top = await mkdtemp(path.join(root, 'out', 'test', 'planted-'));
    const folder = path.join(top, 'workbench');
    await mkdir(folder);
    let output: string;
    try {
      await writeFile(path.join(folder, 'planted.ts'), source);
      const compilerOptions = {
        composite: false,
        noEmit: true,
        emitDeclarationOnly: false,
        rootDirs: [top, path.join(root, 'src')],
      };
      const config = { extends: path.join(root, 'src/tsconfig.json'), compilerOptions, references: [], include: [], files: ['planted.ts'] };
      await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
      const args = [path.join(root, 'node_modules/typescript7/bin/tsc'), '-p', folder, '--pretty', 'false'];
      ({ stdout: output } = (await promisify(execFile)(process.execPath, args).catch((error: unknown) => error)) as { stdout: string });
    } finally {
      await rm(top, { recursive: true, force: true });
    }
    const lines = new Set([...output.matchAll(/planted\.ts\((\d+),/g)].map(([, line]) => Number(line) - 1));
    assert.deepEqual(
      output.split('\n').filter((line) => /^\S/.test(line) && !/planted\.ts\(\d+,/.test(line)),
      [],
      'nothing else is wrong',
    );
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
