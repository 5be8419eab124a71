/**
 * Failures in words, for host and page. The short sentence says what happened. The long one adds advice and the command. A failure's `detail` is in
 * neither: it is external text, shown beside them. Pure; the type makes the table complete.
 */
import type { Failure, FailureCode } from '../../core/model/failure';
import { failureAdvice } from './advice';
import { causeIn, causeSentence } from './causes';
import { optionRefusalSentence } from './optionRefusals';
import type { TranslateVerbatim, Values } from './translate';

/** @param v the failure's parameters, with general words for missing ones @param given the parameters alone */
type Sentence = (t: TranslateVerbatim, v: Values, given: Values) => string;

/** Prepares a parameter, which may be external text, for a sentence. */
export type ShowValue = (value: string) => string;

const asItIs: ShowValue = (value) => value;

const closed: Sentence = (t) => t('The connection to the agent was closed.');
const notFound: Sentence = (t, v) => t('{command} was not found.', v);
const notStarted: Sentence = (t, v) => t("{command} couldn't be started.", v);
const requestFailed: Sentence = (t, v) => {
  switch (v['method']) {
    case 'session/new':
      return t("{agent} couldn't start a session.", v);
    case 'session/load':
      return t("{agent} couldn't load the session.", v);
    case 'session/resume':
      return t("{agent} couldn't resume the session.", v);
    default:
      return t('{agent} returned an error for {method}.', v);
  }
};
const serverLacks: Sentence = (t, v) => t("MCP server {servers}: {subject} is missing or isn't valid.", v);
const interrupted: Sentence = (t) => t('Interrupted: the window was closed or reloaded.');

/** The reasons for which a program of any kind doesn't start. Their sentences don't speak of the agent. */
const PROXY_REASONS: ReadonlySet<string> = new Set(['agent.not_found', 'agent.not_executable', 'sandbox.failed', 'sandbox.not_installed']);

function reasonOf(t: TranslateVerbatim, v: Values, given: Values): string {
  return capital(SHORT[given['reason'] as FailureCode](t, v, given), given);
}

/** The short sentences. Parameters are paths, command lines, names and numbers, never an environment value. */
const SHORT: Record<FailureCode, Sentence> = {
  'agent.not_found': notFound,
  'agent.not_executable': (t, v) => t("{command} isn't executable.", v),
  'agent.spawn_failed': notStarted,
  'agent.exited_at_start': (t) => t('The agent exited before it was ready.'),
  'agent.start_timeout': (t, v) =>
    has(v, 'seconds') ? t("The agent didn't respond within {seconds} seconds.", v) : t("The agent didn't respond in time."),
  'agent.start_cancelled': (t) => t('Start canceled.'),
  'agent.restarted': (t) => t('You restarted the agent.'),
  'agent.stopped': (t) => t('You stopped the agent.'),
  // Such a session shows no failure, because its next message starts the agent.
  'agent.idle': closed,
  'agent.ends_too_often': (t, v) =>
    t('{agent} ended {count} times within {minutes} minutes. Retry to start it again.', { count: 5, minutes: 3, ...v }),
  'agent.endpoint_refused': (t, v) => t("{agent} didn't accept the endpoint {endpoint}.", v),
  'agent.bad_cwd': (t, v) => t("The agent can't start in {cwd}: it doesn't exist or isn't a folder.", v),
  'agent.line_break_in_argument': (t) =>
    t("An argument of the agent's command contains a line break, which can't be passed to this kind of program."),
  'agent.exited': (t) => t("The agent's process exited."),
  'connection.closed': closed,
  'connection.disposed': closed,
  'connection.unsupported': (t, v) =>
    has(v, 'transport')
      ? t("Agents over {transport} aren't supported yet.", v)
      : t("This kind of connection to an agent isn't supported yet."),
  'proxy.not_started': (t, v, given) =>
    together(t("The proxy {proxy} couldn't be started.", v), PROXY_REASONS.has(String(given['reason'])) ? reasonOf(t, v, given) : ''),
  'proxy.exited_at_start': (t, v) => t('The proxy {proxy} ended before it was ready.', v),
  'proxy.exited': (t, v) => t('The proxy {proxy} ended.', v),
  'proxy.start_timeout': (t, v) =>
    has(v, 'seconds')
      ? t("The proxy {proxy} didn't respond within {seconds} seconds.", v)
      : t("The proxy {proxy} didn't respond in time.", v),
  'proxy.not_a_proxy': (t, v) => t("{proxy} isn't a proxy: it doesn't know the method proxy/initialize.", v),
  'proxy.not_reading': (t, v) => t("The proxy {proxy} doesn't read the messages that it gets.", v),
  'remote.unreachable': (t, v) =>
    has(v, 'seconds') ? t("{host} didn't respond within {seconds} seconds.", v) : t("{host} can't be reached.", v),
  'remote.certificate': (t, v) => t("The certificate of {host} isn't trusted.", v),
  'remote.other_user': (t, v) => t('The program at {host} belongs to another user of this computer.', v),
  'remote.denied': (t, v) => t('{host} denied access (HTTP {status}).', v),
  'remote.not_found': (t, v) => t('There is no agent at this address of {host} (HTTP {status}).', v),
  'remote.conflict': (t, v) => t('{host} reports a conflict with another connection (HTTP {status}).', v),
  'remote.busy': (t, v) =>
    has(v, 'seconds')
      ? t('{host} is busy (HTTP {status}) and asks to wait {seconds} seconds.', v)
      : t('{host} is busy (HTTP {status}).', v),
  'remote.error': (t, v) => t('{host} reported an error (HTTP {status}).', v),
  'remote.redirected': (t, v) => t('{host} redirects to {to}.', v),
  'remote.not_acp': (t, v) => t("{host} doesn't respond as an agent.", v),
  'remote.too_large': (t, v) => t('{host} sent a message that is too long.', v),
  'remote.closed': (t, v) => t('{host} closed the connection.', v),
  'remote.disconnected': (t, v) => t('Disconnected by the other side ({host}).', v),
  'remote.no_secret': (t, v) => t('The value of {name} is missing.', v),
  'protocol.version': (t, v) =>
    has(v, 'actual')
      ? t("The agent uses protocol version {actual}, which isn't supported.", v)
      : t('The agent uses an unsupported protocol version.'),
  'protocol.echo': (t, v) => t('{agent} sends our own messages back.', v),
  'protocol.bad_answer': (t, v) => t("{agent} sent a {method} response that isn't valid.", v),
  'request.failed': requestFailed,
  'request.timeout': (t, v) =>
    has(v, 'seconds')
      ? t("The agent didn't respond to {method} within {seconds} seconds.", v)
      : t("The agent didn't respond to {method} in time.", v),
  'request.cancelled': (t) => t('The request was canceled.'),
  'auth.required': (t, v) =>
    has(v, 'methods') ? t('The agent requires you to sign in. Available methods: {methods}.', v) : t('The agent requires you to sign in.'),
  'auth.not_finished': (t) => t("Sign-in wasn't completed."),
  'auth.program_failed': (t) => t("The agent's sign-in program failed."),
  'auth.terminal_closed': (t) => t('The terminal was closed before sign-in was completed.'),
  'auth.unsafe_variable': (t, v) => t("The agent tried to set {name}, which affects other programs. This isn't allowed.", v),
  'auth.unknown_method': (t) => t("The agent doesn't support this sign-in method."),
  'turn.busy': (t) => t('The agent is still working on the last message.'),
  'turn.not_taken': (t, v) =>
    has(v, 'types')
      ? t("This agent doesn't accept attachments of this type: {types}.", v)
      : t("This agent doesn't accept this attachment."),
  'turn.stopped': (t, v) => t('{agent} tried to change files or run commands after you stopped it. This was refused.', v),
  'turn.failed': (t) => t("The agent couldn't finish this turn."),
  'queue.full': (t, v) =>
    has(v, 'count')
      ? t('The queue is full: {count} messages. Remove one or wait until one is sent.', v)
      : t('The queue is full. Remove a message or wait until one is sent.'),
  'queue.too_large': (t, v) =>
    has(v, 'megabytes')
      ? t("Queued messages can't exceed {megabytes} MB in total. Remove an attachment or a message.", v)
      : t('The queued messages are too large. Remove an attachment or a message.'),
  'queue.already_sent': (t) => t('The message was already sent.'),
  'queue.not_steered': (t) => t("The agent didn't take your message into the running turn. It's queued."),
  'queue.steered_late': (t) => t('The turn had already ended. Your message is sent next.'),
  'queue.steered_new_turn': (t) => t('The turn had already ended. The agent answers your message in a new turn that it started itself.'),
  'queue.steering_unclear': (t) => t("It isn't known whether the agent received your message. It's paused in the queue."),
  'option.refused': (t, _v, given) => optionRefusalSentence(given, t),
  'preset.partial': (t, v) => t('The preset {preset} was applied in part. Not available here: {missing}.', v),
  'session.ended': (t) => t('This session has ended.'),
  'session.unknown': (t, v, given) =>
    has(given, 'sessionId')
      ? t("The agent's {method} request was refused: session {sessionId} isn't open.", v)
      : t("The agent's {method} request was refused: it doesn't name a session.", v),
  'session.not_ready': (t) => t("The agent isn't ready yet."),
  'session.interrupted': interrupted,
  'session.left_out': (t, v) =>
    has(v, 'count')
      ? t("{count} events in the middle of this session weren't saved because it exceeds acpHost.journal.maxSize.", v)
      : t("Some events in the middle of this session weren't saved because it exceeds acpHost.journal.maxSize."),
  'session.agent_removed': (t, v, given) => together(interrupted(t, v, given), capital(t('{agent} is no longer configured.', v), given)),
  'session.restarted': (t) => t("The agent was restarted. It doesn't remember the conversation above."),
  'session.continues': (t, v) =>
    has(v, 'title') && has(v, 'agent') ? t('Continues "{title}" ({agent}).', v) : t('Continues an earlier conversation.'),
  'session.forked_before': (t) => t('A copy of the session. The agent remembers nothing after this.'),
  'session.changes_taken': (t, v) => t('Uncommitted changes taken along from {branch}: {files}', v),
  'session.attached_before': (t) => t('A new session, with the conversation before as an attachment.'),
  'session.folder_untrusted': (t, v) => t("The agent wasn't started because {folder} isn't trusted.", v),
  'session.restricted_mode': (t) => t("Agents don't start in Restricted Mode. Trust this folder to use them."),
  'session.rewound': (t) => t('The agent forgot the end of the conversation above.'),
  'session.not_loaded': (t) => t("The agent can't open earlier sessions."),
  'session.not_replayed': (t) => t("Session resumed. The agent didn't send its history."),
  'session.own_record': (t) => t("Session resumed. The agent didn't send its history; the messages above were saved by VS Code."),
  'session.reconnected': (t, v) =>
    v['method'] === 'load'
      ? t('Reconnected to {host} and loaded the conversation again. Live output from that time may be missing.', v)
      : t('Reconnected to {host}. Updates that the agent sent in between may be missing.', v),
  'session.replay_differs': (t) => t("Session resumed. The agent's history differs from the messages saved by VS Code; both are shown."),
  'session.read_only': (t) => t('You have read-only access to this session.'),
  'session.open_elsewhere': (t) => t('This session is already open in another editor.'),
  'session.live_elsewhere': (t) => t('This session is open in another window.'),
  'session.newer_version': (t) => t('This session was saved by a newer version of ACP Host. It can only be read here.'),
  'session.disk_full': (t) =>
    t("The disk is full, so this session isn't being saved. Free up some space; nothing is lost until you close the window."),
  'session.not_saved': (t) => t("This session can't be saved at the moment. Nothing is lost until you close the window."),
  'session.replay_cut': (t) => t('The agent stopped while it sent this conversation. The end is missing.'),
  'session.not_offered': (t, v) => t("{agent} doesn't offer sessions.", v),
  'session.only_shared': (t, v) => t('{agent} has shared sessions and starts no others. Open one of them.', v),
  'session.not_listed': (t, v) => t("{agent} can't list its sessions.", v),
  'session.not_deleted': (t, v) => t("{agent} can't delete its sessions.", v),
  'session.not_forked': (t, v) => t("{agent} can't fork its sessions.", v),
  'session.not_titled': (t, v) => t("{agent} can't rename its sessions.", v),
  'session.folders_untold': (t, v) =>
    has(v, 'folders')
      ? t("The agent doesn't support additional folders. It can still read and write these through VS Code: {folders}", v)
      : t("The agent doesn't support additional folders."),
  'session.folders_fixed': (t) => t("This agent can't change folders during a session."),
  'session.root_changed': (t, v) =>
    t('{folder} was replaced or now points elsewhere, so the agent can no longer use it. Start a new session to work there.', v),
  'session.restored': (t) => t('Checkpoint restored.'),
  'session.undone': (t) => t('Restore undone.'),
  'changes.overwritten': (t, v) => t('{agent} overwrote lines of {path} that were saved while it was working.', v),
  'changes.maybe_overwritten': (t, v) => t('{agent} may have overwritten lines of {path} that were saved while it was working.', v),
  'mode.not_held': (t, v) =>
    has(v, 'path')
      ? t("{agent} changed {path} without asking. Plan only can't refuse that, but a sandbox can.", v)
      : t("{agent} ran a command without asking. Plan only can't refuse that, but a sandbox can.", v),
  'mode.ended': (t) => t('Allow everything ended while the window was away. Requests need your approval again.'),
  'session.replayed': (t) => t('End of the replayed log.'),
  'mcp.unsupported': (t, v) => t("{agent} doesn't support these MCP servers: {servers}", v),
  'mcp.duplicate_name': (t, v) => t('{agent} only gets one MCP server of each name. Not passed: {servers}', v),
  'mcp.not_agreed': (t, v) => t("MCP servers of the workspace that aren't allowed: {servers}", v),
  'mcp.input_missing': serverLacks,
  'mcp.sign_in': (t, v) => t('MCP servers that need you to sign in: {servers}', v),
  'mcp.variable_unknown': serverLacks,
  'mcp.invalid': serverLacks,
  'mcp.not_found': serverLacks,
  'mcp.unreadable': serverLacks,
  'mcp.failed': (t, v) => t('MCP server {servers} failed.', v),
  'mcp.not_continued': (t, v) =>
    t("{agent} can't reach VS Code's own tools since the window was reloaded. Restart it to get them back.", v),
  'mcp.changed': (t) => t('The MCP servers have changed.'),
  'mcp.current': (t) => t('The agent has the changed MCP servers.'),
  'mcp.decided': (t, v) =>
    [
      has(v, 'allowed') ? t('MCP servers that you allowed: {allowed}', v) : '',
      has(v, 'denied') ? t("MCP servers that you didn't allow: {denied}", v) : '',
    ]
      .filter((text) => text !== '')
      .join('. ') || t('MCP servers that are no longer configured: {servers}', v),
  'mcp.settled': (t, v) => t('MCP server {servers} needs nothing more from you.', v),
  'log.damaged': (t, v) =>
    has(v, 'lines') ? t("Couldn't read these lines of the log: {lines}.", v) : t("Couldn't read parts of the log."),
  'fs.not_found': (t, v) => t("{path} doesn't exist.", v),
  'fs.outside_roots': (t, v) => t("{path} is outside this session's folders.", v),
  'fs.not_absolute': (t, v) => t("{path} isn't an absolute path.", v),
  'fs.protected': (t, v) => t("You didn't allow access to {path}, which is protected.", v),
  'policy.denied': (t, v) => (has(v, 'rule') ? t('The rule {rule} denied {subject}.', v) : t('A rule denied {subject}.', v)),
  'rule.invalid': (t, v) => (has(v, 'reason') ? t("The rule isn't valid: {reason}.", v) : t("The rule isn't valid.")),
  'fs.rejected': (t, v) => t('You rejected the change to {path}.', v),
  'fs.led_elsewhere': (t, v) => t('{path} no longer pointed to the same file when you answered. Nothing was done.', v),
  'fs.is_directory': (t, v) => t('{path} is a folder.', v),
  'fs.binary': (t, v) => t("{path} isn't a text file.", v),
  'fs.too_large': (t, v) => t('{path} is too large.', v),
  'fs.unreadable': (t, v) => t("{path} couldn't be read.", v),
  'fs.conflict': (t, v) => {
    if (!has(v, 'lines')) {
      return t("{path} has changed in the same place, so the agent's change wasn't applied.", v);
    }
    return /^\d+$/.test(String(v['lines']))
      ? t("The agent's change to {path} wasn't applied: line {lines} has changed in the meantime.", v)
      : t("The agent's change to {path} wasn't applied: lines {lines} have changed in the meantime.", v);
  },
  'fs.stale_on_disk': (t, v) =>
    t("{path} has changed on disk in the meantime. The agent's change is in the editor, unsaved. Use Undo to revert it.", v),
  'fs.save_failed': (t, v) => t("{path} was changed but couldn't be saved. Use Undo to revert the change.", v),
  'fs.read_only': (t, v) => t('{path} is read-only.', v),
  'fs.notebook_dirty': (t, v) => t('{path} is a notebook with unsaved changes. Save it first.', v),
  'fs.edit_refused': (t, v) => t('The editor rejected the change to {path}.', v),
  'fs.write_failed': (t, v) => t("{path} couldn't be written.", v),
  'terminal.unknown': (t) => t("The agent referred to a terminal that doesn't exist."),
  'terminal.released': (t) => t('The agent referred to a terminal it has released.'),
  'terminal.not_found': notFound,
  'terminal.outside_roots': (t, v) => t("Can't run a command in {place}: it is outside this session's folders.", v),
  'terminal.refused': (t, v) => t("You didn't allow {command} to run.", v),
  'tool.refused': (t, v) => t("You didn't allow the tool {tool} to run.", v),
  'terminal.spawn_failed': notStarted,
  'terminal.too_many': (t) => t('The agent has too many terminals open.'),
  'sandbox.unsupported': (t) => t('Windows has no sandbox for agents.'),
  'sandbox.not_installed': (t) => t('The sandbox needs bubblewrap (bwrap), which is not installed.'),
  'sandbox.no_namespaces': (t) => t("The sandbox can't start: this system doesn't allow user namespaces."),
  'sandbox.restricted': (t) => t("The sandbox can't start: AppArmor doesn't let bubblewrap make user namespaces."),
  'sandbox.no_proc': (t) => t("The sandbox can't start: this container doesn't allow a new /proc."),
  'sandbox.not_a_process': (t, v) => t("{agent} isn't a program that VS Code starts, so it can't run in a sandbox.", v),
  'sandbox.failed': (t) => t("The sandbox couldn't be started."),
  'sandbox.refused': (t, v) =>
    has(v, 'host') ? t('The sandbox refused a connection to {host}.', v) : t('The sandbox refused a connection.'),
  'git.not_found': (t) => t('Git was not found. Install it, then restart VS Code.'),
  'git.failed': (t, v) => (has(v, 'gitCommand') ? t('git {gitCommand} failed.', v) : t('Git failed.')),
  'git.timeout': (t, v) => (has(v, 'seconds') ? t('Git took longer than {seconds} seconds.', v) : t('Git took too long.')),
  'git.too_much': (t) => t('The changes are too large to show.'),
  'worktree.no_repository': (t, v) => t("{folder} isn't in a Git repository.", v),
  'worktree.bad_branch': (t, v) => t("{branch} isn't a valid branch name.", v),
  'worktree.branch_exists': (t, v) => t('A branch named {branch} already exists.', v),
  'worktree.no_branch': (t) => t('No branch is checked out in this worktree.'),
  'worktree.no_commit': (t, v) => t('There is no commit at {ref}.', v),
  'worktree.changes_conflicted': (t, v) => t("Changes can't be taken along with conflicts in {files}.", v),
  'worktree.changes_in_submodules': (t, v) => t("Changes can't be taken along with changed submodules: {files}", v),
  'worktree.changes_of_other_commit': (t) => t("Changes can't be taken along to another commit."),
  'worktree.changes_too_large': (t) => t("Changes over 64 MB or 5000 files can't be taken along."),
  'worktree.changes_not_taken': (t, v) => t("Worktree {path} was created, but changes couldn't be copied.", v),
  'worktree.hook_failed': (t) => t('The worktree was created, but a Git hook failed.'),
  'worktree.submodule': (t, v) => t("The submodule {path} couldn't be checked out in the worktree.", v),
  'worktree.only_submodules': (t, v) => t('Only submodules were changed ({submodules}). Commit and push those changes there.', v),
  'worktree.gone': (t, v) => t('The worktree {path} was deleted outside VS Code.', v),
  'worktree.is_main': (t) => t("The repository's own working tree can't be removed."),
  'worktree.no_changes': (t) => t('Nothing was changed in this worktree.'),
  'worktree.already_applied': (t) => t('The main working tree already has these changes.'),
  'worktree.not_applied': (t) => t("The changes don't fit the main working tree. Nothing was changed."),
  'worktree.nothing_to_merge': (t, v) => t('{branch} has no commits to merge.', v),
  'worktree.conflicts': (t, v) => t('Nothing was changed: both sides changed the same lines in {files}.', v),
  'worktree.unsafe_submodule': (t, v) => t("The submodule {path} was not checked out: its name or path isn't safe to use.", v),
  'worktree.submodule_commits': (t, v) =>
    t("The commits in submodule {path} couldn't be copied to the main working tree, so nothing was done. Push them first.", v),
  'worktree.in_the_way': (t, v) =>
    t("Nothing was changed: files in the main working tree that Git doesn't track, or links, are in the way: {files}", v),
  'worktree.file_names': (t, v) => t("Nothing was changed: these file names aren't valid UTF-8: {files}", v),
  'worktree.partly_applied': (t, v) =>
    t("The changes couldn't be applied. Another program changed these files, so they weren't restored: {files}", v),
  'worktree.nested_left': (t, v) => t('Nothing was changed: these repositories could not be copied: {files}', v),
  'worktree.no_main_tree': (t) => t('This repository has no main working tree.'),
  'worktree.main_busy': (t) => t('A merge, rebase or cherry-pick is in progress in the main working tree. Finish it first.'),
  'worktree.locked': (t, v) => t('The worktree {path} is locked. Run git worktree unlock first.', v),
  'worktree.changed_meanwhile': (t) => t('The worktree has changed in the meantime. Nothing was removed.'),
  'worktree.not_kept': (t, v) => t("{path} couldn't be copied. The worktree was not removed.", v),
  'worktree.not_ours': (t, v) => t("{path} isn't a worktree of this repository.", v),
  'registry.refused': (t) => t("This agent's entry in the registry can't be used."),
  'registry.unreachable': (t) => t("The registry can't be reached."),
  'install.failed': (t, v) => t("{agent} couldn't be installed.", v),
  'config.invalid': (t, v) => t("{key} in your settings isn't valid{expectation}.", v),
  'params.invalid': (t) => t("The agent's request isn't valid."),
  internal: (t) => t('An internal error occurred in ACP Host.'),
};

/** Returns the short sentence, and how the process ended where that is known. For a failure with a known cause, returns the cause and the advice. */
export function shortFailure({ code, params = {} }: Failure, t: TranslateVerbatim, show: ShowValue = asItIs): string {
  const given = givenOf(params, show);
  // The sentence about an option contains the cause itself.
  const cause = code === 'option.refused' ? undefined : causeIn(params);
  if (cause !== undefined) {
    return capital(causeSentence(cause, given, t), given);
  }
  // A journal of another version may have an unknown code, or `constructor`.
  const said = Object.hasOwn(SHORT, code)
    ? capital(SHORT[code](t, { ...standIns(given, t), ...given }, given), given)
    : t('Something went wrong ({code}).', { code: show(code) });
  return together(said, exitText(given, t));
}

/** Returns {@link shortFailure}, the advice and the command line. */
export function longFailure(failure: Failure, t: TranslateVerbatim, show: ShowValue = asItIs): string {
  const line = failure.params?.['commandLine'];
  const ran = line === undefined ? '' : `${wasRun(t)} ${show(String(line))}`;
  return together(shortFailure(failure, t, show), failureAdvice(failure, t), ran);
}

/** Returns the label before the command line. */
export function wasRun(t: TranslateVerbatim): string {
  return t('Command:');
}

function together(...sentences: readonly string[]): string {
  return sentences.filter(Boolean).join(' ');
}

/** Returns the parameters as they are shown, and a time in seconds. */
function givenOf(params: NonNullable<Failure['params']>, show: ShowValue): Values {
  const given: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(params)) {
    if (value !== '') {
      given[name] = typeof value === 'number' ? value : show(value);
    }
  }
  const ms = params['ms'] ?? params['timeoutMs'];
  if (typeof ms === 'number') {
    given['seconds'] = Math.round(ms / 100) / 10;
  }
  return given;
}

/** Returns general words for the parameters that a sentence needs. */
function standIns({ setting, agentName, field, path, cwd, expected }: Values, t: TranslateVerbatim): Values {
  return {
    command: t('the command'),
    tool: t('of the editor'),
    path: t('the file'),
    cwd: t('the folder'),
    place: path ?? cwd ?? t('the folder'),
    folder: t('a folder of this session'),
    method: t('the request'),
    subject: t('the request'),
    name: t('a variable'),
    agent: t('the agent'),
    endpoint: t('of its models'),
    branch: t('the branch'),
    ref: t('the branch'),
    submodules: t('a submodule'),
    files: t('some files'),
    servers: t('some servers'),
    host: t('the server'),
    preset: t('of the session'),
    proxy: t('of the agent'),
    missing: t('some options'),
    to: t('another address'),
    status: '?',
    key: [setting, agentName, field].filter((part) => part !== undefined).join(' › ') || t('an entry'),
    expectation: expectationOf(expected, t),
  };
}

/** Capitalizes a sentence that begins with a general word in place of a parameter. A parameter itself keeps its case. */
function capital(sentence: string, given: Values): string {
  const isOwn = Object.values(given).some((value) => typeof value === 'string' && value !== '' && sentence.startsWith(value));
  return isOwn ? sentence : sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function has(v: Values, name: string): boolean {
  return v[name] !== undefined;
}

/** Returns how the process ended, when the failure has that. */
function exitText({ exitCode, signal }: Values, t: TranslateVerbatim): string {
  if (signal !== undefined) {
    return t('Terminated by {signal}.', { signal });
  }
  return typeof exitCode === 'number' ? t('Exit code: {exitCode}.', { exitCode }) : '';
}

/** Returns the text about what `agent/parseAgents.ts` requires of a field. */
function expectationOf(expected: string | number | undefined, t: TranslateVerbatim): string {
  switch (expected) {
    case 'present':
      return t(': is missing');
    case 'spelling':
      return t(': is misspelled');
    case 'string':
      return t(': must be a string');
    case 'object':
      return t(': must be an object');
    case 'array':
      return t(': must be an array');
    case 'program':
      return t(': must be a program name or an absolute path');
    case 'absolutePath':
      return t(': must be an absolute path');
    case 'positiveNumber':
      return t(': must be a number greater than 0');
    case 'protocol':
      return t(': must be "auto", 1, or 2');
    case 'address':
      return t(': must be an address that starts with wss:// or https://, without a user name');
    case 'tls':
      return t(': must start with wss:// or https://, because others could read the connection. Set allowInsecure to use it anyway');
    case 'fingerprint':
      return t(': must be a SHA-256 fingerprint, and url must start with wss://');
    case 'process':
      return t(": can't be used together with url");
    case 'host':
      return t(': must be a host of your SSH configuration, such as user@build');
    case 'sshFolder':
      return t(': belongs into ssh');
    case 'ports':
      return t(': must be a list of ports from 1024 to 65535');
    case 'boolean':
      return t(': must be true or false');
    case 'commandLine':
      return t(': must be a program and its arguments, without operators of a shell');
    case 'proxy':
      return t(': must be a command line, or an object with command');
    case 'fewProxies':
      return t(': can have 8 entries at most');
    case 'name':
      return t(': name is empty');
    default:
      return '';
  }
}
