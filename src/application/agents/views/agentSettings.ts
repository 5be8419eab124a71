/** The account and the settings of one agent, as sections of its page. Pure. */
import type { PageFact, PageSection } from '../../../core/agents/agentsPage';
import type { ProviderChoice } from '../../../core/account/provider';
import type { AuthMethod } from '../../../core/model/content';
import type { SessionState } from '../../../core/model/state';
import { oneLine } from '../../../text/characters/textSafety';
import type { TranslateVerbatim } from '../../shared/translate';

const MAX_VALUE = 200;
const MAX_ROWS = 50;

export interface AgentSettingsFacts {
  /** The states of the agent's sessions in this window. */
  readonly sessions: readonly Pick<SessionState, 'status' | 'signIn' | 'authMethods' | 'capabilities'>[];
  /** The sign-in methods of the last handshake; undefined before the first one. */
  readonly methods?: readonly AuthMethod[];
  /** The sign-in's state at the last test; undefined where that opened no session. */
  readonly tested?: 'required' | 'works' | undefined;
  readonly hasSavedValues: boolean;
  readonly endpoints: readonly ProviderChoice[];
  readonly isDefault: boolean;
  /** The options that new sessions begin with, by their id. */
  readonly options: Readonly<Record<string, string | boolean>>;
  /** The MCP servers of the newest session; undefined while there is none. */
  readonly servers: { readonly passed: readonly string[]; readonly leftOut: readonly string[] } | undefined;
  /** The user's rules for requests of this agent, in words. */
  readonly rules: readonly string[];
}

export function settingSections(facts: AgentSettingsFacts, t: TranslateVerbatim): readonly PageSection[] {
  const { isDefault, options, endpoints, servers, rules } = facts;
  const provider = (choice: ProviderChoice): PageFact => ({
    label: oneLine(choice.providerId, MAX_VALUE),
    value: 'isOff' in choice ? t('Off') : oneLine(addressOf(choice.baseUrl), MAX_VALUE),
  });
  return [
    signInSection(facts, t),
    {
      title: t('Providers'),
      facts: endpoints.slice(0, MAX_ROWS).map(provider),
      ...(endpoints.length === 0 && { note: t("The agent's own endpoints are used.") }),
      actions: ['endpoints'],
    },
    {
      title: t('Defaults'),
      facts: [
        { label: t('Default agent'), value: isDefault ? t('Yes') : t('No') },
        ...Object.entries(options)
          .slice(0, MAX_ROWS)
          .map(([name, value]) => ({
            label: oneLine(name, MAX_VALUE),
            value: typeof value === 'string' ? oneLine(value, MAX_VALUE) : value ? t('On') : t('Off'),
          })),
      ],
      note: t('A new session begins with the options that you chose last.'),
      actions: ['default_agent', 'settings'],
    },
    {
      title: t('MCP servers passed'),
      facts: servers
        ? [
            ...servers.passed
              .slice(0, MAX_ROWS)
              .map((name): PageFact => ({ label: oneLine(name, MAX_VALUE), value: t('Passed'), mark: 'yes' })),
            ...servers.leftOut
              .slice(0, MAX_ROWS)
              .map((name): PageFact => ({ label: oneLine(name, MAX_VALUE), value: t('Not passed'), mark: 'no' })),
          ]
        : [],
      ...(servers === undefined
        ? { note: t('The servers are known once a session has started.') }
        : servers.passed.length + servers.leftOut.length === 0
          ? { note: t('No servers.') }
          : {}),
      actions: ['mcp_servers'],
    },
    {
      title: t('Permission rules'),
      facts: rules
        .slice(0, MAX_ROWS)
        .map((text, index) => ({ label: t('Rule {number}', { number: index + 1 }), value: oneLine(text, MAX_VALUE) })),
      ...(rules.length === 0 && { note: t('No rule applies to this agent.') }),
      actions: ['rules'],
    },
  ];
}

function signInSection({ sessions, methods, tested, hasSavedValues }: AgentSettingsFacts, t: TranslateVerbatim): PageSection {
  const last = sessions.findLast(({ status }) => status === 'ready' || status === 'starting');
  const names = (methods ?? last?.authMethods ?? []).map(({ name, methodId }) => oneLine(name || methodId, MAX_VALUE));
  const status = last?.signIn?.status;
  // A session that runs knows more than an earlier test.
  const isReady = last?.status === 'ready' || (!last && tested === 'works');
  const state =
    status === 'required' || status === 'failed' || (!last && tested === 'required')
      ? t('Sign-in required')
      : status === 'running'
        ? t('Signing in…')
        : isReady
          ? t('Works without another sign-in')
          : t('Known once a session has started');
  const canSignOut = last?.status === 'ready' && last.capabilities.logout;
  return {
    title: t('Sign-in'),
    facts: [
      { label: t('State'), value: state },
      ...(names.length > 0 ? [{ label: t('Methods'), value: names.join(', ') }] : []),
      { label: t('Saved credentials'), value: hasSavedValues ? t('Yes, in VS Code') : t('None in VS Code') },
    ],
    actions: [
      ...(names.length > 0 ? (['sign_in'] as const) : []),
      ...(canSignOut ? (['sign_out'] as const) : []),
      ...(hasSavedValues ? (['clear_credentials'] as const) : []),
    ],
  };
}

/** An address without its user, password and query, which may be secrets. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) {
    return '';
  }
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
