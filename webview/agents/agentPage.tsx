/** The page of one agent, laid out like VS Code's page of an extension. */
import { useId, useRef } from 'preact/hooks';
import { AGENT_TABS, type AgentPageState, type AgentTab } from '../../src/core/agents/agentsPage';
import { t } from '../base/l10n';
import { lazy, useLoaded } from '../base/lazy';
import { tabLabel } from './labels';
import { Actions, Logo, Problem, Progress, Sections, States, usePost } from './parts';
import { TestResult } from './testResult';

/** Needed only for an agent with a readme. */
const readmeChunk = lazy(() => import('./readme'));

export function AgentPage({ state, tab, select }: { state: AgentPageState; tab: AgentTab; select(tab: AgentTab): void }) {
  const { agent } = state;
  const post = usePost();
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const shown = AGENT_TABS.filter((each) => each !== 'test' || state.test !== undefined);
  const current = shown.includes(tab) ? tab : 'details';
  const step = (event: KeyboardEvent): void => {
    const index = shown.indexOf(current);
    const moves: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      const to = shown.at(next % shown.length)!;
      select(to);
      tabs.current?.querySelector<HTMLElement>(`[data-tab=${to}]`)?.focus();
    }
  };
  return (
    <main class="agents agent-page">
      <header class="agent-head">
        <Logo icon={agent.icon} />
        <div class="agent-head-text">
          <div class="agent-row-head">
            <h1>{agent.name}</h1>
            <States states={agent.states} />
          </div>
          <div class="agent-meta dim">{[agent.maker, agent.version, agent.license, agent.runs].filter(Boolean).join(' · ')}</div>
          <div class="agent-description">{agent.description}</div>
          <div class="agent-actions">
            <Actions of={agent.key} name={agent.name} actions={agent.actions} earlier={agent.earlier} />
          </div>
          <div role="status">{agent.progress && <Progress progress={agent.progress} name={agent.name} />}</div>
          {agent.problem && (
            <div role="alert">
              <Problem problem={agent.problem} />
            </div>
          )}
        </div>
      </header>
      <div class="agent-tabs" role="tablist" aria-label={t('About {agent}', { agent: agent.name })} ref={tabs} onKeyDown={step}>
        {shown.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            class="agent-tab"
            id={`${id}-${each}`}
            data-tab={each}
            aria-selected={each === current}
            aria-controls={`${id}-panel`}
            tabIndex={each === current ? 0 : -1}
            onClick={() => select(each)}
          >
            {tabLabel(each)}
          </button>
        ))}
      </div>
      <div class="agent-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} tabIndex={0} key={current}>
        {current === 'details' && <Details state={state} />}
        {current === 'log' && <Log state={state} />}
        {current === 'versions' && <Versions state={state} />}
        {current === 'features' && (
          <>
            <Sections sections={state.features} of={agent.key} name={agent.name} />
            {state.features.length === 0 && (
              <>
                <p>{t('The features are known once the agent has started.')}</p>
                <div class="agent-actions">
                  <button type="button" class="button" onClick={() => post({ type: 'act', key: agent.key, action: 'test' })}>
                    {t('Test Agent')}
                  </button>
                </div>
              </>
            )}
          </>
        )}
        {current === 'settings' && <Sections sections={state.settings} of={agent.key} name={agent.name} />}
        {current === 'test' && state.test && <TestResult test={state.test} of={agent.key} name={agent.name} />}
      </div>
    </main>
  );
}

function Details({ state }: { state: AgentPageState }) {
  const post = usePost();
  const loaded = useLoaded(readmeChunk);
  const { agent, readme, links, details } = state;
  return (
    <div class="agent-columns">
      {/* The header has the description. */}
      <div class="agent-readme">
        {readme === undefined ? (
          <p class="dim">{agent.actions.includes('install') ? t('The readme is shown once the agent is installed.') : t('No readme.')}</p>
        ) : (
          loaded && <loaded.Readme text={readme} />
        )}
      </div>
      <aside class="agent-aside" aria-label={t('Facts')}>
        <Sections sections={details} of={agent.key} name={agent.name} />
        {links.length > 0 && (
          <section class="agent-section" aria-label={t('Links')}>
            <h2>{t('Links')}</h2>
            <ul class="agent-links">
              {links.map(({ label, href }) => (
                <li key={href}>
                  <button type="button" class="agent-link" title={href} onClick={() => post({ type: 'link', href })}>
                    {label}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </aside>
    </div>
  );
}

function Log({ state: { log, agent } }: { state: AgentPageState }) {
  return (
    <>
      {log.length === 0 ? (
        <p>{t("The agent hasn't run in this window yet.")}</p>
      ) : (
        <div class="agent-log" role="log" aria-label={t('Log')} aria-live="off" tabIndex={0}>
          {log.map(({ time, text, isNote }, index) => (
            <div key={index} class={isNote === true ? 'agent-log-line dim' : 'agent-log-line'}>
              <span class="agent-log-time dim">{time}</span> {text}
            </div>
          ))}
        </div>
      )}
      <div class="agent-actions">
        <Actions of={agent.key} name={agent.name} actions={['protocol_log', 'show_log']} />
      </div>
    </>
  );
}

function Versions({ state: { versions, agent } }: { state: AgentPageState }) {
  if (versions.length === 0) {
    return <p>{t('No versions are known. The agent was not installed from a registry.')}</p>;
  }
  return (
    <ul class="agent-versions">
      {versions.map(({ version, about, isCurrent, actions }) => (
        <li key={version} aria-current={isCurrent}>
          <div class="agent-version">
            <span class="agent-name">{version}</span>
            {isCurrent && <span class="agent-state agent-state-installed">{t('Current')}</span>}
            <span class="dim">{about}</span>
          </div>
          <div class="agent-actions">
            <Actions
              of={agent.key}
              name={actions.includes('use_version') ? agent.name : `${agent.name} ${version}`}
              actions={actions}
              version={version}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
