/**
 * The reducer: derives a session's state from its events. Pure, total, and the same in host and view. An event that changes nothing returns the same
 * reference. An event for an entry whose body is absent (only in a view) leaves it absent. Everything outside the entries then still changes exactly
 * as in the host, which the property test of `snapshot.ts` checks.
 */
import { endAllowEverything, withMode } from '../modes/permissionMode';
import { MODE_CONFIG_ID, MODE_CONFIG_NAME, NO_CAPABILITIES } from '../model/wellKnown';
import type { SessionEvent, SessionReady, SignInChanged } from '../model/event';
import { withAnswer } from './answers';
import { reduceBackgroundTask, reduceSuggestions, reduceTaskStopping, withoutTasks } from './backgroundTasks';
import { reduceDiffLocated } from './diffLines';
import { reduceElicitationCompleted, reduceElicitationRequested, reduceElicitationResolved } from './elicitations';
import {
  pauseQueue,
  reduceContinueScheduled,
  reduceMessageQueued,
  reduceQueuedEdited,
  reduceQueuedEditing,
  reduceQueuedFirst,
  reduceQueuedMoved,
  reduceQueuedRemoved,
  reduceQueuedSteering,
  resumeQueue,
  withoutContinuation,
} from './messageQueue';
import { reduceCompaction, reduceEntryOrigin, reduceMessage, reduceMessageChunk, reduceNotice, reduceUnknown } from './messages';
import { reducePermissionAdvised, reducePermissionOutdated, reducePermissionRequested, reducePermissionResolved } from './permissions';
import { reduceEntriesPlaced } from './placing';
import { reducePlanRemoved, reducePlanUpdate } from './plans';
import {
  followSession,
  reduceSessionMessage,
  reduceSessionMessageChunk,
  reduceSubagentCancelling,
  reduceSubagentEvent,
  reduceSubagentUpdate,
} from './subagents';
import { reduceSandboxRefused } from './sandbox';
import { reduceTerminalOutput, reduceTerminalUpdate } from './terminals';
import { breakOpenToolCalls, reduceToolCall, reduceToolCallChunk } from './toolCalls';
import {
  closeTurn,
  reduceChangeReport,
  reduceFileWritten,
  reducePendingChanges,
  reduceRunningChanges,
  reduceStopUnanswered,
  reduceTurnActivity,
  reduceTurnCancelling,
  reduceTurnChanges,
  reduceTurnEnded,
  reduceTurnStarted,
  reduceWorkEnded,
  reduceWorkStarted,
} from './turns';
import { reduceConnected, reduceTurnUsage, reduceUsage } from './usage';
import { applyPatch } from '../model/patch';
import { showsSignIn } from '../model/select';
import type { SessionState } from '../model/state';

/** Returns the state after `event`. Never throws; never reads a clock. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  return withAnswer(followSession(reduceEvent(state, event), event), event);
}

function reduceEvent(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'message_chunk':
      return reduceMessageChunk(state, event);
    case 'subagent_event':
      return reduceSubagentEvent(state, event, reduce);
    case 'tool_call_update':
      return reduceToolCall(state, event);
    case 'terminal_output':
      return reduceTerminalOutput(state, event);
    case 'terminal_update':
      return reduceTerminalUpdate(state, event);
    case 'message':
      return reduceMessage(state, event);
    case 'tool_call_content_chunk':
      return reduceToolCallChunk(state, event);
    case 'session_opened':
      return {
        ...endAllowEverything(state),
        status: 'starting',
        agentName: event.agentName,
        cwd: event.cwd,
        additionalDirectories: event.additionalDirectories ?? [],
        ...(event.sessionId !== undefined && { sessionId: event.sessionId, ...(state.sessionId === undefined && { isFromAgent: true }) }),
        start: undefined,
        failure: undefined,
        signIn: state.signIn?.status === 'signed_in' ? state.signIn : undefined,
      };
    case 'start_progress':
      return {
        ...state,
        start: {
          command: event.command,
          ...(event.line !== undefined && { line: event.line }),
          ...(event.updates !== undefined && { updates: event.updates }),
          at: state.start?.at ?? event.at,
        },
      };
    case 'agent_initialized':
      return {
        ...state,
        protocolVersion: event.protocolVersion,
        promptCapabilities: event.promptCapabilities,
        authMethods: event.authMethods,
        capabilities: event.offers ?? NO_CAPABILITIES,
        ...(event.agent && { agent: event.agent }),
      };
    case 'sign_in':
      return { ...state, signIn: signInOf(event) };
    case 'session_ready':
      return sessionReady(state, event);
    case 'session_failed':
      // A turn can be open: it waited for a sign-in, and the agent was restarted for that.
      return { ...closeTurn(withoutSessionState(state), event, 'error', event.failure), status: 'failed', failure: event.failure };
    case 'disconnected':
      // A session that the user ended stays ended when its process ends later. The end of a replayed log always counts, because no process belongs to
      // it.
      return state.status === 'ended' && event.failure.code !== 'session.replayed'
        ? state
        : { ...closeTurn(withoutSessionState(state), event, 'error', event.failure), status: 'disconnected', failure: event.failure };
    case 'session_ended':
      return state.failure?.code === 'session.replayed'
        ? state
        : {
            ...closeTurn(withoutSessionState(withoutReconnect(withoutContinuation(state))), event, 'cancelled'),
            status: 'ended',
            failure: undefined,
          };
    case 'session_info':
      return applyPatch<SessionState>(state, { title: event.title, updatedAt: event.updatedAt });
    case 'session_renamed':
      return applyPatch<SessionState>(state, { name: event.name });
    case 'session_marked':
      return { ...state, marks: { pinned: event.pinned, archived: event.archived } };
    case 'change_report':
      return reduceChangeReport(state, event);
    case 'pending_changes':
      return reducePendingChanges(state, event);
    case 'running_changes':
      return reduceRunningChanges(state, event);
    case 'turn_started':
      return withoutContinuation(reduceTurnStarted(state, event));
    case 'turn_cancelling':
      return reduceTurnCancelling(state, event);
    case 'stop_unanswered':
      return reduceStopUnanswered(state);
    case 'work_started':
      return reduceWorkStarted(state, event);
    case 'work_ended':
      return reduceWorkEnded(state, event);
    case 'turn_ended':
      return reduceTurnEnded(state, event);
    case 'turn_activity':
      return reduceTurnActivity(state, event);
    case 'background_work':
      return { ...state, background: event.items };
    case 'message_queued':
      return reduceMessageQueued(state, event);
    case 'queued_message_editing':
      return reduceQueuedEditing(state, event);
    case 'queued_message_edited':
      return reduceQueuedEdited(state, event);
    case 'queued_message_moved':
      return reduceQueuedMoved(state, event);
    case 'queued_message_first':
      return reduceQueuedFirst(state, event);
    case 'queued_message_steering':
      return reduceQueuedSteering(state, event);
    case 'queued_message_removed':
      return reduceQueuedRemoved(state, event);
    case 'queue_paused':
      return pauseQueue(state);
    case 'queue_resumed':
      return withoutContinuation(resumeQueue(state));
    case 'reconnect_scheduled':
      // Messages that the user sent meanwhile wait for the user once no attempt follows.
      return event.reconnect ? { ...state, reconnect: event.reconnect } : pauseQueue(withoutReconnect(state));
    case 'continue_scheduled':
      return reduceContinueScheduled(state, event);
    case 'file_written':
      return reduceFileWritten(state, event);
    case 'turn_changes':
      return reduceTurnChanges(state, event);
    case 'diff_located':
      return reduceDiffLocated(state, event);
    case 'plan_update':
      return reducePlanUpdate(state, event.planId, event.plan);
    case 'plan_removed':
      return reducePlanRemoved(state, event.planId);
    case 'permission_requested':
      return reducePermissionRequested(state, event);
    case 'permission_resolved':
      return reducePermissionResolved(state, event);
    case 'permission_advised':
      return reducePermissionAdvised(state, event);
    case 'permission_outdated':
      return reducePermissionOutdated(state, event);
    case 'elicitation_requested':
      return reduceElicitationRequested(state, event);
    case 'elicitation_resolved':
      return reduceElicitationResolved(state, event);
    case 'elicitation_completed':
      return reduceElicitationCompleted(state, event.requestKey);
    case 'sharing':
      return { ...state, sharing: event.clients === undefined ? undefined : { clients: event.clients } };
    case 'entry_origin':
      return reduceEntryOrigin(state, event);
    case 'config_options':
      return { ...state, config: event.options };
    case 'config_pending':
      return {
        ...state,
        pendingConfig: event.options.length > 0 ? { options: event.options, overdue: event.overdue === true } : undefined,
      };
    case 'config_value':
      return reduceConfigValue(state, event.configId, event.value);
    case 'available_commands':
      return { ...state, commands: event.commands };
    case 'usage':
      return reduceUsage(state, event.usage, event.clearsCost);
    case 'account':
    case 'instructions':
    case 'quota':
    case 'sandbox':
    case 'unasked':
      return { ...state, [event.type]: event };
    case 'permission_mode':
      return withMode(state, event);
    case 'sandbox_refused':
      return reduceSandboxRefused(state, event);
    case 'turn_usage':
      return reduceTurnUsage(state, event.usage);
    case 'notice':
      return reduceNotice(state, event);
    case 'compaction_update':
    case 'compaction_chunk':
      return reduceCompaction(state, event);
    case 'entries_placed':
      return reduceEntriesPlaced(state, event);
    case 'subagent_update':
      return reduceSubagentUpdate(state, event);
    case 'subagent_cancelling':
      return reduceSubagentCancelling(state, event);
    case 'session_message':
      return reduceSessionMessage(state, event);
    case 'session_message_chunk':
      return reduceSessionMessageChunk(state, event);
    case 'background_task':
      return reduceBackgroundTask(state, event);
    case 'background_task_stopping':
      return reduceTaskStopping(state, event);
    case 'prompt_suggestions':
      return reduceSuggestions(state, event.suggestions);
    case 'unknown':
      return reduceUnknown(state, event);
    default:
      // A journal of a newer version may have unknown kinds. Only those events are lost.
      return unreachable(event, state);
  }
}

function unreachable(_event: never, state: SessionState): SessionState {
  return state;
}

/** Ends the tool calls that were still open after the agent replayed its conversation: they no longer run. */
function sessionReady(state: SessionState, { sessionId, at }: SessionReady): SessionState {
  const settled = withoutTasks(reduceConnected(withoutReconnect(state.turn ? state : breakOpenToolCalls(state, at))));
  return { ...settled, status: 'ready', sessionId, start: undefined, failure: undefined };
}

function signInOf({ status, methodId, failure }: SignInChanged): SessionState['signIn'] {
  return { status, ...(methodId !== undefined && { methodId }), ...(failure && { failure }) };
}

/** Removes the state that ends with the agent's session: the sign-in request, for which nothing waits any longer, and Allow everything. */
function withoutSessionState(state: SessionState): SessionState {
  return endAllowEverything(showsSignIn(state) ? { ...state, signIn: undefined } : state);
}

function withoutReconnect(state: SessionState): SessionState {
  return state.reconnect ? { ...state, reconnect: undefined } : state;
}

function reduceConfigValue(state: SessionState, configId: string, value: string | boolean): SessionState {
  // Shows the mode of an agent that never listed its modes, too.
  if (configId === MODE_CONFIG_ID && typeof value === 'string' && !state.config.some((option) => option.configId === configId)) {
    const mode = { type: 'select', configId, name: MODE_CONFIG_NAME, category: 'mode', currentValue: value, groups: [] } as const;
    return { ...state, config: [...state.config, mode] };
  }
  let changed = false;
  const config = state.config.map((option) => {
    if (option.configId !== configId) {
      return option;
    }
    if ((option.type === 'select' && typeof value === 'string') || (option.type === 'boolean' && typeof value === 'boolean')) {
      changed ||= option.currentValue !== value;
      return { ...option, currentValue: value } as typeof option;
    }
    return option;
  });
  return changed ? { ...state, config } : state;
}
