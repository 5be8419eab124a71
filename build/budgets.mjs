// The size budgets of the bundles.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { entryFiles, firstLoad } from './firstLoad.mjs';

const KB = 1024;
/** Bytes that a start of VS Code and the first session may load. The demo agent runs in its own process. */
const budgets = {
  /**
   * The code that the first session loads. The changes that wait, the place that asks, unused sessions and Restricted Mode are 9 KB of it, and
   * subagents 12 KB. The inodes of a session's files are 1 KB, and the
   * activity of turns in version 2 is 1 KB. Background tasks and work in a turn of the agent's own are 3 KB. The refusal of
   * work after Stop is 1 KB. Options that a reopened session shows, and the seams for limits and the status of sessions, are 1 KB.
   * The seams of rules, modes, the sandbox and the audit, which decide whether their code is needed, are 11 KB.
   * The seams of MCP servers and of the editor's tools are 6 KB. Those of registries, agents at addresses, presets, accounts, and of idle and running
   * agents are 10 KB. The seams of agents that outlive the window, in the wire, the journal and the turn, are 6 KB. Entries that refer to other
   * agents, the output of a program that is no agent, and restored pages of agents are 2 KB. The reconnect, the entries of hosts and proxies, and the order of
   * frames over several hops are 7 KB. The events of sharing, its command, and what a window shows of access
   * that another one has given are 2 KB. Turns over a reload, sessions at a limit and those without a message are 2 KB.
   * The servers of sessions that outlive their window are 0.3 KB.
   */
  host: { limit: 354.5 * KB, unit: 'minified' },
  /**
   * The whole host, with the code that a single command or the first failure loads. Examples are the protocol log, replays, the causes of failures,
   * the store of sessions, the chat view and mentions. The review of changes, undos, restores and worktrees are 170 KB of it. The trust gate, the
   * replay over the record, work between turns and the search for the files of links are 65 KB. The keeping and undoing in diffs, Add Agent, comments
   * in any file and the rows of sessions are 40 KB. Agents' ids, endpoints and the sign-in program as a file of its own are 11 KB.
   * The replay over the connection, the choice of MCP servers, changes of a running turn and the fit of a request's diff are 18 KB. Subagents are
   * 20 KB. Changes that a restore brings back, and reviews that follow their sessions, are 8 KB. Own files by their
   * inodes, documents that are behind the disk, and diffs of questions are 6 KB. Version 2 of the protocol is 33 KB. Background tasks, git patches
   * and the extension contract of two adapters are 14 KB. The refusal of work after Stop is 4 KB. The warnings of overwritten lines, their comparison
   * and their return are 13 KB. The early dialect is 8 KB. The status of sessions at their agents and rewind are 5 KB. Edits that undo a change from
   * another place are 1 KB. The bounds of version 2 and of what it cannot read are 3 KB. Limits, endpoints, instructions and forks at a message are
   * 40 KB, which only agents load that offer them. The user's permission rules, their import and the advice on questions are 50 KB. A session without
   * rules loads none of them before its first question. Permission modes, answers for always, the list of waiting
   * questions and the audit are 35 KB. The readers of command lines are 25 KB, loaded with the first command that a rule may decide. The sandbox is 34 KB: the places of agents and secrets, the proxy, and the texts of refusals.
   * The list of permission rules, and rules made on a request, are 11 KB. The user's MCP servers, with their consents, values and list, are 27 KB,
   * which only a window loads that has servers. The editor as an MCP server is 570 KB, loaded when an agent uses its tools. The SDK is 215 KB of it, zod
   * 190 KB, the tools and their ports 150 KB, the ways to the server 15 KB. The registries of agents, their installation and offers are 55 KB. The readers of
   * tar, zip and bzip2 are 90 KB, which only the installation of an archive loads. Presets, accounts, found and imported agents are 35 KB, and the ways
   * to sign in from another machine are 15 KB. The start on
   * every machine (Node, the shell's environment, version managers) is 50 KB. WebSocket and HTTP for agents at addresses are 70 KB.
   * Agents that outlive the window are 30 KB, loaded with the first such agent: the start of the keeper, its transport, and the adoption of a session.
   * The pages of agents are 65 KB, which only their commands load: rows and words, installations, the test of an agent and its report.
   * Deletions of checkpoints in two windows at once, and checks before each attempt of a rename, are 4 KB. Rollbacks from the card of a failure, and
   * accounts that refer to their agent, are 5 KB. The inspector with its comparison is 20 KB, and proxies are 15 KB. Agents on hosts are 12 KB.
   * The reconnect and the order of event streams are 10 KB, and their bounds with the histories of servers that send them late 4 KB.
   * The proofs of the keeper, places for sockets and shared questions are 4 KB. Presets, versions and states on the pages of agents are 4 KB.
   * The marks of kept agents, the search for uv and the checks of downloads and caches are 3 KB.
   * Sharing is 285 KB, which only its command loads. The certificate is 170 KB of it, the agent's side of the SDK 60 KB, and the QR code 20 KB.
   * Its continuation after a reload is 10 KB: the record, its checks, and the users of connections.
   * The checks of pages, lines and messages for the editor's tools are 2 KB. The list that manages presets is 2 KB. Uncommitted changes in a new worktree are 8 KB.
   * The stored state before a turn, from which the next window records the turn on, is 10 KB with the agent's reports and the user's actions.
   * The list of a running turn's files and the user of a server on this machine are 2 KB. Pages that outlive their host, and the command that ends
   * sharing, are 1 KB. Changes that are undone only in unsaved text are 1 KB. The address of the editor's tools over a reload is 3 KB.
   */
  'host, late ones too': { limit: 3388 * KB, unit: 'minified' },
  /**
   * The code that a page loads before it draws more than its document does. Half a kilobyte is the style of small pages, folded errors, details and
   * keys: one sheet styles the whole page, so that nothing moves when a late chunk arrives. Another kilobyte is the description of a command and the
   * wait for the first `@`. The events of subagents, which the page reduces like the host, are 3 KB.
   * Half a kilobyte loads the bars above the message box as soon as they have content. The events of background tasks are 1 KB. The grid that
   * keeps the message box visible, warnings of changed files and the events of limits are 1 KB. The mode's mark in the header and its events are 1 KB.
   * The sentences about agents at addresses, registries, presets and downloads of Node.js are 1.5 KB.
   * The reconnect below the header, unsaved files and the names of other clients are 1 KB. Read-only access, answers in other clients and the machine
   * of an agent, and the output of programs that are no agents, are 0.8 KB. The times of limits and low pages are 0.2 KB.
   * Requests in narrow pages and the event of a running turn's files are 0.2 KB. The check of the host by a page that was just shown is 0.1 KB.
   * Warnings of the agent beside such requests are 0.4 KB.
   */
  webview: { limit: 99.2 * KB, unit: 'gzip' },
  /**
   * The same with the code that any conversation needs, which is loaded beside it. Tags and footnotes of answers, verbs of tool rows and the wait
   * before Retry are 1.5 KB. Subagents are 4 KB. Footers of the agent's own turns and outputs of read calls are 1 KB.
   * Marks and reasons of rules are 1 KB, like the parts of the first load that were added last. Half a kilobyte of these is the display of shared sessions.
   * The chips that open attached texts are 0.2 KB.
   * The place of a request's warnings and hints beside its answers is 0.2 KB. The count of the lines below is a late chunk.
   * The sentences about uncommitted changes of a worktree are a fifth of a kilobyte. The check of the host is a tenth of one.
   * Warnings of the agent beside requests are 0.3 KB, in the first load.
   */
  'webview, with a conversation': { limit: 150.7 * KB, unit: 'gzip' },
  /**
   * All code of ours. Grammars, fonts and the sources of workers are loaded one by one. Subagents are 6 KB. The list of background tasks is 3 KB.
   * Meters, waits at a limit and the page of endpoints are 4 KB. The advice on questions, the list of a flood and modes are 4 KB.
   * The display of shared sessions is half a kilobyte, in the first load.
   * The versions of an agent and the results of actions on their pages are 1 KB. The lines of a request below the fold, and the key that shows them
   * first, are 1 KB. The list of a running turn's files is half a KB, and the line of a lost host the same.
   */
  'webview, late ones too': { limit: 334 * KB, unit: 'gzip' },
  /** The program that holds an agent's process while there is no window. The WebSocket library is most of it. */
  keeper: { limit: 90 * KB, unit: 'minified' },
  /**
   * The page of agents, with its copies of Preact and of the shared icons and styles, which the page of a session has too. The versions are half a KB. The
   * check of the host, and the line of a page whose host has exited, are 0.9 KB.
   */
  'agents page': { limit: 21.1 * KB, unit: 'gzip' },
  /** The same with the readme of an agent, whose Markdown lexer is most of it. */
  'agents page, late ones too': { limit: 48.3 * KB, unit: 'gzip' },
  /** The inspector, with its copies of Preact and of the shared styles. The check of the host and its line are 0.9 KB. */
  inspector: { limit: 16.2 * KB, unit: 'gzip' },
};

/**
 * @param {string} root of the project
 * @param {keyof typeof budgets} name
 * @param {string[]} files
 * @param {(bytes: Buffer) => number} measure
 */
async function checkBudget(root, name, files, measure) {
  const sizes = await Promise.all(files.map(async (file) => ({ file, size: measure(await readFile(path.join(root, file))) })));
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  const { limit, unit } = budgets[name];
  console.log(`${name}: ${(total / KB).toFixed(1)} of ${limit / KB} KB ${unit}, ${files.length} file(s)`);
  if (total <= limit) return;
  for (const { file, size } of sizes.sort((a, b) => b.size - a.size)) console.error(`  ${(size / KB).toFixed(1)} KB  ${file}`);
  throw new Error(`The ${name} bundle is ${total - limit} bytes over its budget.`);
}

/**
 * Prints the sizes and throws where one is over its budget. Only sizes of minified bundles are meaningful.
 * @param {string} root of the project
 * @param {import('esbuild').Metafile} hostFiles
 * @param {import('esbuild').Metafile} webviewFiles
 * @param {import('esbuild').Metafile} agentsFiles the page of agents
 * @param {import('esbuild').Metafile} inspectorFiles
 * @param {string[]} importedAtOnce the modules that the page's script imports at once, although by `import()`
 */
export async function checkBudgets(root, hostFiles, webviewFiles, agentsFiles, inspectorFiles, importedAtOnce) {
  const all = Object.keys(hostFiles.outputs);
  const app = all.filter((file) => hostFiles.outputs[file]?.entryPoint === 'src/workbench/app.ts');
  if (app.length !== 1) throw new Error('The composition root is no chunk of its own: what does the first session load?');
  await checkBudget(root, 'host', firstLoad(hostFiles, ['dist/extension.js', ...app]), (bytes) => bytes.length);
  await checkBudget(root, 'host, late ones too', all, (bytes) => bytes.length);
  await checkBudget(root, 'keeper', ['dist/keeper.js'], (bytes) => bytes.length);
  const page = firstLoad(webviewFiles, ['dist/webview/main.js', 'dist/webview/main.css']);
  await checkBudget(root, 'webview', page, (bytes) => gzipSync(bytes).length);
  const beside = firstLoad(webviewFiles, entryFiles(webviewFiles, importedAtOnce)).filter((file) => !page.includes(file));
  await checkBudget(root, 'webview, with a conversation', [...page, ...beside], (bytes) => gzipSync(bytes).length);
  const ours = Object.keys(webviewFiles.outputs).filter((file) => /^(?:webview\/|$)/.test(webviewFiles.outputs[file]?.entryPoint ?? ''));
  await checkBudget(root, 'webview, late ones too', ours, (bytes) => gzipSync(bytes).length);
  const agents = firstLoad(agentsFiles, ['dist/webview/agents/main.js', 'dist/webview/agents/main.css']);
  await checkBudget(root, 'agents page', agents, (bytes) => gzipSync(bytes).length);
  await checkBudget(root, 'inspector', Object.keys(inspectorFiles.outputs), (bytes) => gzipSync(bytes).length);
  await checkBudget(root, 'agents page, late ones too', Object.keys(agentsFiles.outputs), (bytes) => gzipSync(bytes).length);
}
