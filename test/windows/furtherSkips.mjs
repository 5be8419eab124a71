/** The second half of the list in skips.mjs: what Wine does otherwise than Windows, and what Windows does otherwise than POSIX. */
export const furtherSkips = [
  {
    reason: 'Times of creation: Wine reports the last change instead, so that no file counts as created by a turn.',
    tests: {
      'test/unit/changes/restoreOthers.test.ts': [
        'a restore names a file that the user wrote between two turns, at its new path as well: made/new.txt, made/newer.txt',
      ],
      'test/unit/changes/model/model.test.ts': [
        "the model of each byte's author a line from outside the folder leaves no trace once the agent made another file of it: run.sh",
      ],
      'test/unit/session/subagentChanges.test.ts': ['changes of subagents are undone by a restore to the message before them'],
      'test/unit/changes/authorship.test.ts': [
        'the author of a change is the user for a restore in another session',
        'the author of a change is both when another session wrote the file before this one named it',
        'the author of a change for a file that the user changed in the Explorer is both when the agent wrote a created file afterwards',
      ],
      'test/unit/changes/commandAuthors.test.ts': [
        "the author of a file that a user's command may have written is both for a file that the agent moved after the command",
      ],
      'test/unit/changes/fileTransaction.test.ts': [
        'a file transaction without a crash leaves the record open for a file that may not be on the disk yet',
        'a file transaction after a crash is finished, except for files that were changed since',
      ],
      'test/unit/changes/fileTransactionFaults.test.ts': ['a restore of files of all kinds'],
      'test/unit/changes/movedOverEarly.test.ts': [
        'a file that a turn moves over another one before the copies are taken is shared when it comes from outside: deep/b.txt',
        'a file that a turn moves over another one before the copies are taken is shared when it comes from outside to a file that is open: a.txt',
        'a file that a turn moves over another one before the copies are taken is shared when it comes from outside to a file that is open: deep/b.txt',
        'a file that a turn moves over another one before the copies are taken is shared when it comes from outside and the agent writes into it before it reports its text',
        'a file that a turn moves over another one before the copies are taken is shared when the agent wrote into the file in place and nothing knows its inode',
      ],
      'test/unit/changes/restoreReview.test.ts': [
        'the review after the undo of a restore counts a created file as shared when another text is there',
        'the review after the undo of a restore skips malformed rows, and never brings back the row of an unknown state',
        'the review after the undo of a restore for a created file, new.txt has its row after the restore was done and undone several times',
        'the review after the undo of a restore for a created file, new.txt has its row with what the user added before the restore',
        'the review after the undo of a restore for a created file, new.txt keeps the lines that the user writes during the undo of the restore',
        'the review after the undo of a restore for a created file, new.txt omits the row of a turn before the one that created the file again',
        'the review after the undo of a restore for a created file, new.txt omits the row when the user created the same file again before another restore',
        'the review after the undo of a restore for a created file, new.txt omits the row after the earlier versions were deleted',
        'the review after the undo of a restore for a created file, new.bin has its row after the restore was done and undone several times',
        'the review after the undo of a restore for a created file, new.bin has its row with what the user added before the restore',
        'the review after the undo of a restore for a created file, new.bin keeps the lines that the user writes during the undo of the restore',
        'the review after the undo of a restore for a created file, new.bin omits the row of a turn before the one that created the file again',
        'the review after the undo of a restore for a created file, new.bin omits the row when the user created the same file again before another restore',
        'the review after the undo of a restore for a created file, new.bin omits the row after the earlier versions were deleted',
      ],
      'test/unit/changes/restoreUndone.test.ts': [
        'the review after a restore of undone changes in a folder shows a created file again',
        'the review after a restore of undone changes in a folder, with the file in an editor shows a created file again',
      ],
      'test/unit/changes/staleDocuments.test.ts': [
        'a document that is behind its file when a turn begins does not count: the earlier state is that of the disk',
      ],
      'test/unit/changes/turnFaults.test.ts': ['a turn in a plain folder whose disk fails is restored exactly when no call fails'],
    },
  },
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
      'test/unit/application/registry/agentNode.test.ts': [
        'the Node.js of installed agents is the one on the PATH, when it is in the range',
        "the Node.js of installed agents is the one of the user's shell, when VS Code's environment has none",
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
      'test/unit/workbench/registry/windowRegistry.test.ts': [
        'the registries of a window have installed agents in the catalog',
        'the registries of a window offer the version before after two failed starts of an update',
        'the registries of a window forget a failed start when the next one succeeds',
        'the registries of a window say why an installation failed',
        'the registries of a window ask before an agent is uninstalled, and say when it runs',
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
