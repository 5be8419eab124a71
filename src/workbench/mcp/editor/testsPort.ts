/** VS Code's testing commands for the tools. */
import * as vscode from 'vscode';
import { resultsOf } from '../../../mcp/editor/testResults';
import type { TestScope, TestsPort } from '../../../mcp/editor/tools/tests';

const COMMANDS: Readonly<Record<TestScope, string>> = {
  all: 'testing.runAll',
  // The command of the explorer's menu needs no editor in front.
  file: 'testing.run.uri',
  failed: 'testing.reRunFailTests',
  last: 'testing.reRunLastRun',
};

export const testsPort: TestsPort = {
  scopes: async () => {
    const known = new Set(await vscode.commands.getCommands());
    return new Set((Object.keys(COMMANDS) as TestScope[]).filter((scope) => known.has(COMMANDS[scope])));
  },
  run: async (scope, path) => {
    const args = path === undefined ? [] : [vscode.Uri.file(path)];
    return resultsOf(await vscode.commands.executeCommand(COMMANDS[scope], ...args));
  },
  cancel: () => void vscode.commands.executeCommand('testing.cancelRun'),
  now: () => Date.now(),
};
