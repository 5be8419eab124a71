/** The steps of the test of an agent, with the advice for each that failed. */
import type { TestState, TestStep } from '../../src/core/agents/agentsPage';
import { oneLine } from '../../src/text/characters/textSafety';
import { statusLabel } from '../../src/text/messages/statusText';
import { CheckIcon, CrossIcon, InfoIcon, Spinner, StatusIcon } from '../base/icons';
import { t } from '../base/l10n';
import { Actions, Sections } from './parts';

export function TestResult({ test, of, name }: { test: TestState; of: string; name: string }) {
  const { isRunning, summary, steps, sections, actions } = test;
  return (
    <div class="agent-test">
      <p role="status" class="agent-test-summary">
        {isRunning ? t('Testing {agent}…', { agent: name }) : summary}
      </p>
      <ol class="agent-steps">
        {steps.map((step) => (
          <li key={step.title} class={`agent-step agent-step-${step.state}`}>
            <StepIcon state={step.state} />
            <div>
              <div>
                <span class="agent-name">{step.title}</span> <span class="agent-hidden">{stateText(step.state)}</span>
                {step.result !== undefined && <span class="dim"> {step.result}</span>}
              </div>
              {step.advice !== undefined && <div>{step.advice}</div>}
              {step.detail !== undefined && (
                <pre class="agent-output" tabIndex={0} role="region" aria-label={t('Output')}>
                  {step.detail}
                </pre>
              )}
            </div>
          </li>
        ))}
      </ol>
      <div class="agent-actions">
        <Actions of={of} name={name} actions={actions} />
      </div>
      <Sections sections={sections} of={of} name={name} />
    </div>
  );
}

function StepIcon({ state }: { state: TestStep['state'] }) {
  switch (state) {
    case 'running':
      return <Spinner />;
    case 'passed':
      return <CheckIcon />;
    case 'failed':
      return <CrossIcon />;
    case 'attention':
      return <InfoIcon />;
    case 'skipped':
      return <StatusIcon status="pending" />;
  }
}

/** The state for screen readers. */
function stateText(state: TestStep['state']): string {
  switch (state) {
    case 'running':
      return statusLabel('in_progress', t, oneLine);
    case 'passed':
      return t('Passed');
    case 'failed':
      return statusLabel('failed', t, oneLine);
    case 'attention':
      return t('Needs attention');
    case 'skipped':
      return t('Not tested');
  }
}
