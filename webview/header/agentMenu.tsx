/** The agent's menu: the state of the sign-in, signing in and out, and other actions for the agent. */
import { isNew, showsSignIn } from '../../src/core/model/select';
import type { SessionState } from '../../src/core/model/state';
import type { FromView } from '../../src/core/protocol/view';
import type { ViewAction } from '../failures/failureActions';
import { useSelect, useView } from '../state/context';
import { AgentIcon } from '../base/icons';
import { t } from '../base/l10n';
import { oneLine } from '../../src/text/characters/textSafety';
import { accountText, methodHow, methodName, MAX_METHODS } from '../signIn/strings';
import { MenuButton, type MenuItem } from '../components/menu';
import { actionItem, grouped } from './menuItems';

export function AgentMenu() {
  const { mirror, post } = useView();
  const agentName = useSelect((state) => state.agentName);
  const version = useSelect((state) => state.agent?.version);
  const protocolVersion = useSelect((state) => state.protocolVersion);
  const signIn = useSelect((state) => state.signIn);
  // Subscribes to the fields that the items depend on.
  useSelect(isNew);
  useSelect((state) => state.authMethods);
  useSelect((state) => state.status);
  useSelect((state) => state.capabilities);
  const name = oneLine(agentName, 60);
  const account = useSelect((state) => state.account);
  const text = accountText(signIn, account);
  const status = [
    version === undefined ? '' : t('Version {version}', { version: oneLine(version, 40) }),
    protocolVersion === undefined ? '' : t('Protocol {version}', { version: protocolVersion }),
    // Version 2 has no requests for files and commands, so VS Code can neither check nor merge them.
    protocolVersion === undefined || protocolVersion < 2 ? '' : t('Files and commands run outside VS Code'),
    text,
  ];
  return (
    <MenuButton
      id="agent-menu"
      title={text ? `${name}: ${text}` : name}
      status={status.filter((each) => each !== '').join(' · ')}
      items={itemsFor(mirror.state, post)}
    >
      <AgentIcon />
      <span class="menu-name">{name || t('Agent')}</span>
    </MenuButton>
  );
}

function itemsFor(state: SessionState, post: (message: FromView) => void): MenuItem[] {
  const act = actionItem(post);
  const isReplayed = state.failure?.code === 'session.replayed';
  return grouped([
    account(state, post, act),
    [
      { label: t('New Session with Another Agent…'), choose: () => post({ type: 'action', action: 'new_session_with' }) },
      ...(state.status === 'ready' ? [{ label: t('Presets…'), choose: () => post({ type: 'action', action: 'use_preset' }) }] : []),
      ...(isNew(state) || isReplayed ? [] : [act('continue_with')]),
    ],
    isReplayed || state.status !== 'ready' ? [] : [{ label: t('MCP Servers…'), choose: () => post({ type: 'servers_choose' }) }],
    [
      ...(state.status === 'failed' ? [act('retry')] : []),
      ...(state.status === 'ready' || state.status === 'starting' ? [act('restart_agent')] : []),
      { label: t('About This Agent'), choose: () => post({ type: 'action', action: 'show_agent' }) },
      act('show_log'),
      act('open_settings'),
    ],
  ]);
}

function account(state: SessionState, post: (message: FromView) => void, act: (action: ViewAction) => MenuItem): MenuItem[] {
  const { authMethods, capabilities, signIn, status } = state;
  if (status === 'ended') {
    return [];
  }
  if (signIn?.status === 'running') {
    return [{ label: t('Cancel Sign-In'), choose: () => post({ type: 'sign_in' }) }];
  }
  return [
    ...authMethods.slice(0, MAX_METHODS).map((method): MenuItem => {
      const { methodId } = method;
      return {
        label: t('Sign In: {method}', { method: methodName(method) }),
        hint: methodHow(method),
        choose: () => post({ type: 'sign_in', methodId }),
      };
    }),
    ...(status === 'ready' && capabilities.logout && !showsSignIn(state) ? [act('sign_out')] : []),
    ...(authMethods.some(({ type }) => type === 'env_var') ? [act('forget_sign_in')] : []),
  ];
}
