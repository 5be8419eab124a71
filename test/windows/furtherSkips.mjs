/** The second half of the list in skips.mjs: what Wine does otherwise than Windows, and what Windows does otherwise than POSIX. */
export const furtherSkips = [
  {
    reason: 'Fixtures with paths, variables or programs of POSIX.',
    tests: {
      'test/unit/application/agents/localPrograms.test.ts': [
        'the agents on this machine take the place of a download when they are the tested package or newer',
        'the agents on this machine are known in the next window without a probe, as long as they exist',
      ],
      'test/unit/application/agents/views/agentTest.test.ts': [
        'the report of a test leaves out secrets of the agent, the user and the home folder',
      ],
      'test/unit/application/registry/agentUv.test.ts': '*',
      'test/unit/application/registry/agentNode.test.ts': [
        'the Node.js of installed agents is the one on the PATH, when it is in the range',
        "the Node.js of installed agents is the one of the user's shell, when VS Code's environment has none",
        'the Node.js of installed agents is not one that hangs, unless there is no other',
        "the Node.js of installed agents is never a project's, although the shell has inherited its folder on the PATH",
      ],
      'test/agent/scenarios/services.test.ts': ['scenarios: services read unsaved'],
      'test/unit/application/changes/text/changeText.test.ts': [
        'the text for a changed file names the old folder of a file that moved without a new name',
      ],
      'test/unit/application/mcp/consentText.test.ts': '*',
      'test/unit/application/mcp/editWatch.test.ts': '*',
      'test/unit/application/mcp/userServers.test.ts': '*',
      'test/unit/application/sessionsView/tree.test.ts': [
        'rows of the sessions view are grouped by folder, first the workspace’s folders and then by the newest in each',
      ],
      'test/unit/mcp/config/resolveServer.test.ts': [
        'a server for an agent has the variables of its file below its own',
        'a server for an agent starts in its own folder, by a shell whose script is constant',
      ],
      'test/unit/mcp/lateLoading.test.ts': ["the code of the MCP server is loaded by the agent's first message"],
      'test/unit/policy/processPaths.test.ts': [
        'paths under which each process has another file begin with /proc or /dev, however they are written, except for shared memory',
      ],
    },
  },
  {
    reason: 'Checks of the source code, which need esbuild or oxlint, and are the same on every system.',
    tests: {
      'test/unit/acp/v2/late.test.ts': '*',
      'test/unit/english.test.ts': '*',
      'test/unit/features.test.ts': '*',
      'test/unit/folders.test.ts': '*',
      'test/unit/layers.test.ts': '*',
      'test/unit/lint.test.ts': '*',
      'test/unit/manifest.test.ts': '*',
      'test/unit/policy/rules/late.test.ts': '*',
      'test/unit/readme.test.ts': '*',
      'test/unit/schedule.test.ts': '*',
      'test/unit/support/folders.test.ts': '*',
      'test/unit/webview/source.test.ts': '*',
      'test/unit/words.test.ts': '*',
      'test/unit/workbench/shared/window.test.ts': [
        'the linter of functions that show a text',
        'the types of the functions that show a text',
      ],
    },
  },
  {
    reason: 'Pseudo terminals: ConPTY gives no output.',
    tests: {
      'test/agent/scenarios/services.test.ts': ['scenarios: services terminal', 'scenarios: services journey'],
      'test/agent/scenarios/toolCalls.test.ts': ['scenarios: toolCalls terminals of the agent'],
      'test/agent/scenarios/cancel.test.ts': [
        'scenarios: cancel everything pending',
        'scenarios: cancel terminal killed',
        'scenarios: cancel terminal wait withdrawn',
        'scenarios: cancel terminal left running',
        'scenarios: cancel terminal finished late',
      ],
      'test/unit/terminal/nodePty.test.ts': ['a terminal with input passes on input and size'],
      'test/unit/terminal/readsInput.test.ts': [
        'a real terminal is read by a shell that asks, and by a program that the shell waits for',
        'a real terminal is not read by a working command',
      ],
      'test/unit/terminal/userInput.test.ts': [
        'a command that the user types into receives the input, and the agent reads its output',
        'a command that the user types into receives Ctrl+C as from a terminal',
        'a command that the user types into has the size of the window in which it is shown, in order with its output',
        'a command that the user types into receives nothing on a pipe',
      ],
    },
  },
  {
    reason: 'HTTP: Wine refuses connections on this machine, and a connection that fails ends another one.',
    tests: {
      'test/unit/application/mcp/serverSignIns.test.ts': '*',
      'test/unit/mcp/oauth/flow.test.ts': '*',
      'test/unit/registry/installer.test.ts': '*',
      'test/unit/registry/registryIndex.test.ts': '*',
      'test/unit/registry/severalWindows.test.ts': '*',
      'test/unit/workbench/registry/windowRegistry.test.ts': [
        'the registries of a window have installed agents in the catalog',
        'the registries of a window offer the version before after two failed starts of an update',
        'the registries of a window offer the version before after the first failed start of an update that has never started',
        'the registries of a window forget a failed start when the next one succeeds',
        'the registries of a window say why an installation failed',
        'the registries of a window ask before an agent is uninstalled, and say when it runs',
        'the registries of a window keep an agent that outlives its window until its keeper has ended',
      ],
      'test/unit/workbench/signIn/signInHelp.test.ts': ['help for a sign-in sends a pasted address to a port of this window alone'],
      'test/agent/mcpServers.test.ts': '*',
      'test/agent/registry.test.ts': ['a registry with hostile entries'],
      'test/unit/mcp/conformance.test.ts': ["The editor's MCP server: http"],
      'test/unit/mcp/transports/access.test.ts': ["The editor's MCP server over HTTP"],
    },
  },
  {
    reason: 'Failures that a test injects leave a file open, and Windows replaces no open file.',
    tests: {
      'test/unit/changes/store/faults.test.ts': ['a store whose disk fails keeps all that it has reported as stored'],
    },
  },
  {
    reason: 'A move over a file that a program has open: Windows refuses it.',
    tests: {
      'test/unit/changes/movedOverEarly.test.ts': [
        'a file that a turn moves over another one before the copies are taken is shared when it comes from outside to a file that is open',
      ],
    },
  },
  {
    reason: 'Rules that allow a command: on Windows the shell of a command is unknown, so each is asked about.',
    tests: {
      'test/agent/scenarios/rules.test.ts': [
        'scenarios: rules allowed by a rule',
        'scenarios: rules commands that write files',
        'scenarios: rules every command of a line counts',
        'scenarios: rules a workspace only denies',
        'scenarios: rules advice',
      ],
    },
  },
  {
    reason: 'A line break in an argument: cmd.exe, which runs a batch file, passes none, so the agent is refused.',
    tests: { 'test/agent/raw/answers.test.ts': ['an odd answer twice', 'an odd answer to somebody else'] },
  },
  {
    reason: 'A program that closes its own stdin or stdout and goes on: the other end is not notified under Wine.',
    tests: {
      'test/agent/raw/ends.test.ts': [
        'an agent that exits by closing its stdout, but stays alive',
        'an agent that exits by closing its stdin, but stays alive and sends: the next prompt detects it',
      ],
    },
  },
  {
    reason: 'A folder in which a program runs: Windows does not rename it.',
    tests: { 'test/agent/scenarios/services.test.ts': ['scenarios: services root changed'] },
  },
  {
    reason: 'Watching: Wine reports a change of a file late, or not at all.',
    tests: {
      'test/unit/workbench/mcp/windowServers.test.ts': [
        "the window's MCP servers are offered once when a file or a setting changes, and not when it changes back",
      ],
    },
  },
];
