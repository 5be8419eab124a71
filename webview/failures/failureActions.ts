/** The actions for a session without a running agent, and their labels. */
import type { Failure } from '../../src/core/model/failure';
import { canResume, isPaused } from '../../src/core/model/select';
import type { SessionState } from '../../src/core/model/state';
import type { MenuAction, ViewAction as AnyAction } from '../../src/core/protocol/view';
import { type CauseAction, causeAction, causeIn, isAgentSpecific } from '../../src/text/messages/causes';
import { t } from '../base/l10n';

/** An action that appears as a button. The labels of other actions are part of their menu. */
export type ViewAction = Exclude<AnyAction, MenuAction>;

/** The facts about a session without a running agent. */
export type Disconnection = Pick<SessionState, 'status' | 'failure' | 'sessionId' | 'capabilities'>;

/** True when the agent runs but could not open the earlier session. */
export function isNotOpened({ failure, sessionId }: Pick<SessionState, 'failure' | 'sessionId'>): boolean {
  return sessionId !== undefined && failure !== undefined && !/^(?:agent|sandbox)\./.test(failure.code);
}

function needsTrust(failure: Failure | undefined): boolean {
  return failure?.code === 'session.folder_untrusted' || failure?.code === 'session.restricted_mode';
}

/** The actions for a session that failed to start. */
export function startActions(state: Pick<SessionState, 'failure' | 'sessionId'>): ViewAction[] {
  if (needsTrust(state.failure)) {
    return ['trust_folder'];
  }
  if (state.failure?.code === 'session.only_shared') {
    return ['browse_agent_history', 'show_log'];
  }
  if (!isNotOpened(state)) {
    return ['retry', correctionOf(state.failure), 'show_log'];
  }
  if (state.failure?.code.startsWith('remote.')) {
    return ['retry', 'continue_with', 'show_log']; // A new session would meet the same server.
  }
  return state.failure?.code === 'session.not_loaded' ? ['continue_in_new'] : ['retry', 'continue_in_new', 'show_log'];
}

/** The place where the user can change how the agent starts. */
function correctionOf(failure: Failure | undefined): ViewAction {
  if (failure?.code === 'agent.endpoint_refused') {
    return 'configure_endpoints';
  }
  return failure?.params?.['isInstalled'] === 'yes' ? 'show_agent' : 'open_settings';
}

/**
 * The actions for a session whose agent has stopped, or that the user has ended. A session of an earlier window is resumed; a replayed session has no
 * actions.
 */
export function disconnectedActions(state: Disconnection): ViewAction[] {
  const { failure, status } = state;
  if (failure?.code === 'session.replayed' || failure?.code === 'session.newer_version') {
    return [];
  }
  if (needsTrust(failure)) {
    return ['trust_folder'];
  }
  if (failure?.code === 'session.live_elsewhere') {
    return ['continue_here'];
  }
  if (failure?.code === 'remote.disconnected') {
    return canResume(state) ? ['reconnect', 'show_log'] : ['continue_in_new', 'show_log'];
  }
  if (status === 'ended' || isPaused(state) || failure?.code === 'session.interrupted' || failure?.code === 'session.agent_removed') {
    return canResume(state) ? ['resume', 'continue_in_new'] : ['continue_in_new'];
  }
  return ['restart', 'continue_in_new', 'show_log'];
}

/** Actions that try again, wherever the failure is shown. */
const RETRIES: readonly ViewAction[] = ['retry', 'restart', 'resume', 'reconnect'];

/**
 * Returns `actions`, preceded by the one that removes the failure's cause. Where another agent would not fail, that is the choice of another agent.
 *
 * @param canSignIn the agent offers a way to sign in
 */
export function withCauseAction(failure: Failure | undefined, actions: readonly ViewAction[], canSignIn: boolean): ViewAction[] {
  const first = firstAction(failure, actions, canSignIn);
  const cause = causeIn(failure?.params);
  const elsewhere: readonly ViewAction[] =
    cause && isAgentSpecific(cause) ? ['continue_with', ...(canSignIn && cause !== 'overloaded' ? (['switch_account'] as const) : [])] : [];
  return [...(first === undefined ? [] : [first]), ...elsewhere, ...actions.filter((action) => action !== first)];
}

function firstAction(failure: Failure | undefined, actions: readonly ViewAction[], canSignIn: boolean): ViewAction | undefined {
  if (failure?.params?.['earlierVersion'] !== undefined) {
    return 'roll_back';
  }
  const cause = causeIn(failure?.params);
  const action: CauseAction | undefined = cause ? causeAction(cause) : failure?.code === 'auth.required' ? 'sign_in' : undefined;
  if (action === 'retry') {
    return actions.find((each) => RETRIES.includes(each));
  }
  return action === 'sign_in' && !canSignIn ? undefined : action;
}

export function actionLabel(action: ViewAction): string {
  switch (action) {
    case 'retry':
      return t('Retry');
    case 'restart':
      return t('Restart');
    case 'cancel_start':
      return t('Cancel');
    case 'show_log':
      return t('Show Log');
    case 'open_settings':
      return t('Open Settings');
    case 'configure_endpoints':
      return t('Model Endpoints…');
    case 'show_agent':
      return t('About This Agent');
    case 'add_agent':
      return t('Add Agent…');
    case 'new_session':
      return t('New Session');
    case 'session_history':
      return t('Session History');
    case 'browse_agent_history':
      return t('Browse Agent History…');
    case 'change_folders':
      return t('Change Session Folders…');
    case 'copy_conversation':
      return t('Copy Conversation');
    case 'export_conversation':
      return t('Export Conversation…');
    case 'show_protocol_log':
      return t('Show Protocol Log');
    case 'share_session':
      return t('Share Session…');
    case 'end_session':
      return t('End Session');
    case 'continue_in_new':
      return t('Continue in New Session');
    case 'continue_with':
      return t('Continue with Another Agent…');
    case 'fork':
      return t('Fork Session');
    case 'follow_agent':
      return t('Toggle Follow Agent');
    case 'review_session':
      return t('Review Changes of This Session');
    case 'restart_agent':
      return t('Restart Agent');
    case 'trust_folder':
      return t('Trust Folder…');
    case 'continue_here':
      return t('Continue Here');
    case 'resume':
      return t('Resume');
    case 'reconnect':
      return t('Reconnect');
    case 'try_demo':
      return t('Try the Demo Agent');
    case 'install_node':
      return t('Install Node.js');
    case 'roll_back':
      return t('Roll Back');
    case 'sign_in':
      return t('Sign In…');
    case 'switch_account':
      return t('Switch Account…');
    case 'sign_out':
      return t('Sign Out');
    case 'forget_sign_in':
      return t('Clear Saved Credentials');
  }
}
