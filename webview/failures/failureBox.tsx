/** A failure: its description, the verbatim output, and its actions. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Failure } from '../../src/core/model/failure';
import { causeIn } from '../../src/text/messages/causes';
import { wasRun } from '../../src/text/messages/failures';
import { useDisclosure, useSelect, useView } from '../state/context';
import { actionLabel, type ViewAction, withCauseAction } from './failureActions';
import { adviceText, failureText } from './failures';
import { ChevronIcon, WarningIcon } from '../base/icons';
import { t } from '../base/l10n';
import { oneLine, escapeMisleading } from '../../src/text/characters/textSafety';

interface Props {
  readonly failure: Failure;
  /** Unique in the session. */
  readonly name: string;
  readonly actions?: readonly ViewAction[];
  /** The subject, before the description. */
  readonly heading?: string;
  /** The command, when the failure does not contain it. */
  readonly command?: string | undefined;
  /** A button before the others. */
  readonly lead?: ComponentChildren;
  /** True when another button on the page is primary, so that none is primary here. */
  readonly quiet?: boolean | undefined;
}

export function FailureBox({ failure, name, actions = [], heading, command, lead, quiet }: Props) {
  const advice = adviceText(failure);
  const agentName = useSelect((state) => state.agentName);
  const canSignIn = useSelect(({ authMethods }) => authMethods.length > 0);
  const commandLine = failure.params?.['commandLine'] ?? command;
  return (
    <div class="failure">
      <div class="failure-body">
        <div class="failure-words">
          <WarningIcon />
          <div>
            {heading !== undefined && <div class="failure-heading">{heading}</div>}
            {escapeMisleading(failureText(failure, oneLine(agentName, 60)))}
            {advice && <div class="failure-advice">{advice}</div>}
          </div>
        </div>
        {failure.detail !== undefined && failure.detail.trim() !== '' && <Output failure={failure} name={`${name}/output`} />}
        {commandLine !== undefined && (
          <div class="failure-command">
            <span>{wasRun(t)}</span> <code dir="ltr">{oneLine(String(commandLine), 2000)}</code>
          </div>
        )}
      </div>
      <Actions actions={withCauseAction(failure, actions, canSignIn)} lead={lead} quiet={quiet} />
    </div>
  );
}

/** The verbatim output of the agent or the system: folded to its last line when the description already states the cause. */
function Output({ failure, name }: Pick<Props, 'failure' | 'name'>) {
  const [open, setOpen] = useDisclosure(name, causeIn(failure.params) === undefined);
  const detail = useRef<HTMLPreElement>(null);
  const isOutput = failure.code.startsWith('agent.');
  // The reason is usually at the end of an agent's last output.
  useLayoutEffect(() => {
    const output = detail.current;
    if (!output || !isOutput) {
      return undefined;
    }
    const toEnd = (): void => void (output.scrollTop = output.scrollHeight);
    toEnd();
    const sizes = new ResizeObserver(toEnd);
    sizes.observe(output);
    return () => sizes.disconnect();
  }, [failure, open]);
  const text = isOutput ? [t('Show output'), t('Hide output')] : [t('Show details'), t('Hide details')];
  // The recognized cause may be wrong. The agent's own words are usually in the last line that is not npm's.
  const shown = open ? failure.detail?.trimEnd() : isOutput && failure.detail?.match(/^(?!npm ).*\S/gm)?.at(-1);
  return (
    <>
      <button type="button" class="fold-button failure-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronIcon />
        {text[open ? 1 : 0]}
      </button>
      {shown && (
        <pre class="failure-detail" tabIndex={0} role="group" aria-label={t('Details')} ref={detail}>
          {escapeMisleading(shown)}
        </pre>
      )}
    </>
  );
}

/** The log explains a failure and repairs nothing, so its button is never primary. */
const SECONDARY: readonly ViewAction[] = ['cancel_start', 'show_log'];

interface ActionsProps {
  readonly actions: readonly ViewAction[];
  readonly lead?: ComponentChildren;
  readonly quiet?: boolean | undefined;
}

export function Actions({ actions, lead, quiet }: ActionsProps) {
  const { post } = useView();
  if (actions.length === 0 && !lead) {
    return null;
  }
  return (
    <div class="options">
      {lead}
      {actions.map((action, index) => (
        <button
          key={action}
          type="button"
          class={index === 0 && !lead && !quiet && !SECONDARY.includes(action) ? 'button' : 'button button-secondary'}
          onClick={() => post({ type: 'action', action })}
        >
          {actionLabel(action)}
        </button>
      ))}
    </div>
  );
}
