/** A failure in words, what others said about it word for word, and what can be done. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Failure } from '../../../src/core/model/failure';
import { wasRun } from '../../../src/text/messages/failures';
import type { ViewAction } from '../../../src/core/protocol/view';
import { useView } from '../../context';
import { actionWord } from '../../failures/failureActions';
import { adviceWords, failureWords } from '../../failures/failures';
import { WarningIcon } from '../../icons';
import { t } from '../../l10n';
import { oneLine, visible } from '../../../src/text/characters/textSafety';

interface Props {
  readonly failure: Failure;
  readonly actions?: readonly ViewAction[];
  /** What it is about, before the words. */
  readonly heading?: string;
  /** What was run, when the failure does not know it. */
  readonly command?: string | undefined;
  /** What happened and no more: the rest stands elsewhere on the screen. */
  readonly brief?: boolean;
}

export function FailureBox({ failure, actions = [], heading, command, brief = false }: Props) {
  const advice = brief ? '' : adviceWords(failure);
  const detail = useRef<HTMLPreElement>(null);
  // Of what an agent wrote before it went, the end says why.
  useLayoutEffect(() => {
    if (detail.current && failure.code.startsWith('agent.')) {
      detail.current.scrollTop = detail.current.scrollHeight;
    }
  }, [failure]);
  const commandLine = brief ? undefined : (failure.params?.['commandLine'] ?? command);
  return (
    <div class="failure">
      <div class="failure-words">
        <WarningIcon />
        <div>
          {heading !== undefined && <div class="failure-heading">{heading}</div>}
          {visible(failureWords(failure))}
          {advice && <div class="failure-advice">{advice}</div>}
        </div>
      </div>
      {commandLine !== undefined && (
        <div class="failure-command">
          <span>{wasRun(t)}</span> <code dir="ltr">{oneLine(String(commandLine), 2000)}</code>
        </div>
      )}
      {failure.detail !== undefined && failure.detail.trim() !== '' && (
        <pre class="failure-detail" tabIndex={0} role="group" aria-label={t('Details')} ref={detail}>
          {visible(failure.detail)}
        </pre>
      )}
      <Actions actions={actions} />
    </div>
  );
}

export function Actions({ actions }: { actions: readonly ViewAction[] }) {
  const { post } = useView();
  if (actions.length === 0) {
    return null;
  }
  return (
    <div class="options">
      {actions.map((action, index) => (
        <button
          key={action}
          type="button"
          class={index === 0 ? 'button' : 'button button-secondary'}
          onClick={() => post({ type: 'action', action })}
        >
          {actionWord(action)}
        </button>
      ))}
    </div>
  );
}
