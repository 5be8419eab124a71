/** Parts that several views of agents have: icon, badges, buttons, progress, failures, facts. */
import { useContext } from 'preact/hooks';
import { createContext } from 'preact';
import type {
  AgentAction,
  AgentProblem,
  AgentProgress,
  AgentState,
  FromAgentsPage,
  PageFact,
  PageSection,
} from '../../src/core/agents/agentsPage';
import { AgentIcon, CheckIcon, CrossIcon, Spinner, WarningIcon } from '../base/icons';
import { t } from '../base/l10n';
import { actionLabel } from './labels';

export interface AgentsHost {
  post(message: FromAgentsPage): void;
}

export const HostContext = createContext<AgentsHost>({ post: () => undefined });

export function usePost(): AgentsHost['post'] {
  return useContext(HostContext).post;
}

/** The agent's icon in the colour of the text. An SVG in a mask runs no script and loads nothing. */
export function Logo({ icon }: { icon: string | undefined }) {
  if (icon === undefined) {
    return (
      <span class="agent-logo" aria-hidden="true">
        <AgentIcon />
      </span>
    );
  }
  const maskImage = `url("data:image/svg+xml,${encodeURIComponent(icon)}")`;
  return (
    <span class="agent-logo agent-logo-mask" ref={(element) => element?.style.setProperty('mask-image', maskImage)} aria-hidden="true" />
  );
}

export function States({ states }: { states: readonly AgentState[] }) {
  return (
    <>
      {states.map(({ kind, text }) => (
        <span key={kind} class={`agent-state agent-state-${kind}`}>
          {text}
        </span>
      ))}
    </>
  );
}

/** The actions that look like the main button when they come first. A list of agents must not be full of main buttons. */
const MAIN: ReadonlySet<AgentAction> = new Set(['install', 'update', 'sign_in', 'test', 'install_node']);

interface ActionsProps {
  readonly of: string;
  /** The agent's name, for the description of each button. */
  readonly name: string;
  readonly actions: readonly AgentAction[];
  /** The version of the row that has the buttons. */
  readonly version?: string;
  /** The version that a rollback starts. */
  readonly earlier?: string | undefined;
  /** -1 in a row that is not the current one. */
  readonly tabIndex?: number;
}

export function Actions({ of, name, actions, version, earlier, tabIndex }: ActionsProps) {
  const post = usePost();
  return (
    <>
      {actions.map((action, index) => (
        <button
          key={action}
          type="button"
          class={index === 0 && MAIN.has(action) ? 'button' : 'button button-secondary'}
          aria-label={t('{action}: {agent}', { action: actionLabel(action, version), agent: name })}
          {...(action === 'roll_back' && earlier !== undefined && { title: t('Roll Back to {version}', { version: earlier }) })}
          {...(tabIndex !== undefined && { tabIndex })}
          onClick={(event) => {
            event.stopPropagation();
            post({ type: 'act', key: of, action, ...(version !== undefined && { version }) });
          }}
        >
          {actionLabel(action, version)}
        </button>
      ))}
    </>
  );
}

export function Progress({ progress, name }: { progress: AgentProgress; name: string }) {
  const { text, share } = progress;
  return (
    <div class="agent-progress">
      <div class="agent-progress-text">
        <Spinner /> {text}
      </div>
      {share !== undefined && <progress aria-label={name} max={1} value={share} />}
    </div>
  );
}

/** @param tabIndex -1 in a row that is not the current one */
export function Problem({ problem, quiet = false, tabIndex = 0 }: { problem: AgentProblem; quiet?: boolean; tabIndex?: number }) {
  return (
    <div class={quiet ? 'agent-note' : 'agent-problem'}>
      <WarningIcon />
      <div>
        <div>{problem.text}</div>
        {problem.detail !== undefined && (
          <pre class="agent-output" tabIndex={tabIndex} role="region" aria-label={t('Output')}>
            {problem.detail}
          </pre>
        )}
      </div>
    </div>
  );
}

export function Sections({ sections, of, name }: { sections: readonly PageSection[]; of: string; name: string }) {
  return (
    <>
      {sections.map((section) => (
        <section key={section.title} class="agent-section" aria-label={section.title}>
          <h2>{section.title}</h2>
          {section.facts.length > 0 && (
            <dl class="agent-facts">
              {section.facts.map((fact) => (
                <Fact key={fact.label} fact={fact} />
              ))}
            </dl>
          )}
          {section.note !== undefined && <p class="dim">{section.note}</p>}
          {section.actions && section.actions.length > 0 && (
            <div class="agent-actions">
              <Actions of={of} name={name} actions={section.actions} />
            </div>
          )}
        </section>
      ))}
    </>
  );
}

function Fact({ fact: { label, value, mark } }: { fact: PageFact }) {
  return (
    <div class="agent-fact">
      <dt>
        {mark === 'yes' && <CheckIcon />}
        {mark === 'no' && <CrossIcon />}
        {label}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
