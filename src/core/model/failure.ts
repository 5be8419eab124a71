/**
 * Errors below `workbench/` are a code with parameters; `text/messages/failures.ts` says them in the user's language, for host and view. `detail` is
 * verbatim text of external origin (an agent's message, the end of stderr). It is shown as text, never translated, never trusted.
 */
import type { LeftOutReason } from '../mcp/sessionServers';

export type FailureCode =
  // Starting an agent.
  | 'agent.not_found'
  | 'agent.not_executable'
  | 'agent.spawn_failed'
  | 'agent.exited_at_start'
  | 'agent.start_timeout'
  | 'agent.start_cancelled'
  | 'agent.restarted'
  // The user has ended the agent, and the conversation stays.
  | 'agent.stopped'
  // Closed because no session used it for a while.
  | 'agent.idle'
  // The agent ended so often that only the user starts it again.
  | 'agent.ends_too_often'
  | 'agent.endpoint_refused'
  | 'agent.bad_cwd'
  | 'agent.line_break_in_argument'
  // A live connection.
  | 'agent.exited'
  | 'connection.closed'
  | 'connection.disposed'
  | 'connection.unsupported'
  // A proxy between the client and the agent.
  | 'proxy.not_started'
  | 'proxy.exited_at_start'
  | 'proxy.exited'
  | 'proxy.start_timeout'
  | 'proxy.not_a_proxy'
  | 'proxy.not_reading'
  // An agent at an address.
  | 'remote.unreachable'
  | 'remote.certificate'
  | 'remote.other_user'
  | 'remote.denied'
  | 'remote.not_found'
  | 'remote.conflict'
  | 'remote.busy'
  | 'remote.error'
  | 'remote.redirected'
  | 'remote.not_acp'
  | 'remote.too_large'
  | 'remote.closed'
  | 'remote.disconnected'
  | 'remote.no_secret'
  | 'protocol.version'
  | 'protocol.bad_answer'
  // The program sends the client's own messages back.
  | 'protocol.echo'
  | 'request.failed'
  | 'request.timeout'
  | 'request.cancelled'
  | 'auth.required'
  | 'auth.not_finished'
  | 'auth.program_failed'
  | 'auth.terminal_closed'
  | 'auth.unsafe_variable'
  | 'auth.unknown_method'
  // A turn.
  | 'turn.busy'
  | 'turn.not_taken'
  | 'turn.failed'
  | 'turn.stopped'
  // Messages that wait for the agent.
  | 'queue.full'
  | 'queue.too_large'
  | 'queue.already_sent'
  | 'queue.not_steered'
  | 'queue.steered_late'
  | 'queue.steered_new_turn'
  | 'queue.steering_unclear'
  | 'session.ended'
  | 'session.not_ready'
  | 'option.refused'
  | 'preset.partial'
  | 'session.unknown'
  | 'session.interrupted'
  | 'session.left_out'
  | 'session.agent_removed'
  | 'session.restarted'
  | 'session.continues'
  | 'session.forked_before'
  | 'session.attached_before'
  | 'session.changes_taken'
  | 'session.folder_untrusted'
  | 'session.restricted_mode'
  | 'session.not_loaded'
  | 'session.rewound'
  | 'session.not_replayed'
  | 'session.own_record'
  | 'session.replay_cut'
  | 'session.replay_differs'
  | 'session.reconnected'
  | 'session.open_elsewhere'
  | 'session.live_elsewhere'
  | 'session.newer_version'
  | 'session.disk_full'
  | 'session.not_saved'
  | 'session.not_offered'
  | 'session.only_shared'
  | 'session.read_only'
  | 'session.not_listed'
  | 'session.not_deleted'
  | 'session.not_forked'
  | 'session.not_titled'
  | 'session.folders_untold'
  | 'session.folders_fixed'
  | 'session.root_changed'
  | 'session.replayed'
  | 'session.restored'
  | 'session.undone'
  | 'changes.overwritten'
  | 'changes.maybe_overwritten'
  | 'mode.not_held'
  | 'mode.ended'
  | `mcp.${Exclude<LeftOutReason, 'switched_off' | 'restricted'>}`
  | 'mcp.not_continued'
  | 'mcp.changed'
  | 'mcp.current'
  | 'mcp.decided'
  | 'mcp.settled'
  | 'log.damaged'
  // Services.
  | 'fs.not_found'
  | 'fs.outside_roots'
  | 'fs.not_absolute'
  | 'fs.protected'
  | 'fs.rejected'
  | 'policy.denied'
  | 'rule.invalid'
  | 'fs.led_elsewhere'
  | 'fs.is_directory'
  | 'fs.binary'
  | 'fs.too_large'
  | 'fs.unreadable'
  | 'fs.conflict'
  | 'fs.stale_on_disk'
  | 'fs.save_failed'
  | 'fs.read_only'
  | 'fs.notebook_dirty'
  | 'fs.edit_refused'
  | 'fs.write_failed'
  | 'terminal.unknown'
  | 'terminal.released'
  | 'terminal.not_found'
  | 'terminal.outside_roots'
  | 'terminal.refused'
  | 'tool.refused'
  | 'terminal.spawn_failed'
  | 'terminal.too_many'
  // The sandbox.
  | 'sandbox.unsupported'
  | 'sandbox.not_installed'
  | 'sandbox.no_namespaces'
  | 'sandbox.restricted'
  | 'sandbox.no_proc'
  | 'sandbox.not_a_process'
  | 'sandbox.failed'
  | 'sandbox.refused'
  // Worktrees.
  | 'git.not_found'
  | 'git.failed'
  | 'git.timeout'
  | 'git.too_much'
  | 'worktree.no_repository'
  | 'worktree.bad_branch'
  | 'worktree.branch_exists'
  | 'worktree.no_branch'
  | 'worktree.no_commit'
  | 'worktree.hook_failed'
  | 'worktree.changes_conflicted'
  | 'worktree.changes_in_submodules'
  | 'worktree.changes_of_other_commit'
  | 'worktree.changes_too_large'
  | 'worktree.changes_not_taken'
  | 'worktree.submodule'
  | 'worktree.only_submodules'
  | 'worktree.gone'
  | 'worktree.is_main'
  | 'worktree.no_changes'
  | 'worktree.already_applied'
  | 'worktree.not_applied'
  | 'worktree.nothing_to_merge'
  | 'worktree.conflicts'
  | 'worktree.unsafe_submodule'
  | 'worktree.submodule_commits'
  | 'worktree.in_the_way'
  | 'worktree.file_names'
  | 'worktree.partly_applied'
  | 'worktree.nested_left'
  | 'worktree.no_main_tree'
  | 'worktree.main_busy'
  | 'worktree.locked'
  | 'worktree.changed_meanwhile'
  | 'worktree.not_kept'
  | 'worktree.not_ours'
  // Registries, and the agents that are installed from them. `reason` is a parameter; see `registryReasons.ts`.
  | 'registry.refused'
  | 'registry.unreachable'
  | 'install.failed'
  | 'config.invalid'
  | 'params.invalid'
  | 'internal';

export interface Failure {
  readonly code: FailureCode;
  /** Values for the sentence's placeholders. They never hold an environment value. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** Verbatim text: an agent's error message, the tail of its stderr. */
  readonly detail?: string;
}

/** A {@link Failure} to throw. `rpcCode` is the JSON-RPC error code when the failure answers an agent's request. */
export class Fault extends Error {
  constructor(
    readonly failure: Failure,
    readonly rpcCode = -32603,
    /** Text for the agent (plain English). The user sees a text made from `failure`. */
    message?: string,
  ) {
    super(message ?? describe(failure));
    this.name = 'Fault';
  }
}

/** Makes a {@link Fault} in one line. */
export function fault(
  code: FailureCode,
  params?: Failure['params'],
  options: { detail?: string; rpcCode?: number; message?: string } = {},
): Fault {
  const failure: Failure = { code, ...(params && { params }), ...(options.detail !== undefined && { detail: options.detail }) };
  return new Fault(failure, options.rpcCode, options.message);
}

/** Returns the failure of a thrown value. A value that is not a {@link Fault} becomes `internal` with its message as detail. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Fault) {
    return thrown.failure;
  }
  return { code: 'internal', detail: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** True for an agent's error that reports only that it was stopped. */
export function isAbort({ code, detail = '' }: Failure): boolean {
  return code === 'request.cancelled' || (code === 'request.failed' && /\b(abort|cancel|interrupt)/i.test(detail));
}

function describe(failure: Failure): string {
  const params = failure.params ? ' ' + JSON.stringify(failure.params) : '';
  return failure.code + params + (failure.detail ? ': ' + failure.detail : '');
}
