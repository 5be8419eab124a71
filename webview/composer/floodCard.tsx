/** The list above the composer of many questions at once, with one answer for all of them. Loaded with the first of these lists. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type AlikeKind, alikeAnswers } from '../../src/core/approval/alikeAnswers';
import { operationOf } from '../../src/core/approval/operation';
import { toolCallIn } from '../../src/core/approval/permissionSubject';
import type { PermissionEntry } from '../../src/core/model/state';
import { oneLine } from '../../src/text/characters/textSafety';
import type { FooterProps } from '../base/feature';
import { t } from '../base/l10n';
import { useView } from '../state/context';
import { focusWaiting } from '../transcript/list/focusPendingRequest';
import { askerText } from '../transcript/permission/askReason';
import { useAnswerGuard } from '../transcript/permission/useAnswerGuard';

/** UTF-16 units. */
const MAX_NAME = 200;

interface Props extends FooterProps {
  /** The questions that wait, oldest first; empty when they are too few. */
  readonly questions: readonly PermissionEntry[];
}

export function FloodCard({ questions, leave }: Props) {
  const root = useRef<HTMLDivElement>(null);
  /** The newest question of a list that the user has put aside. */
  const [aside, setAside] = useState<string>();
  const newest = questions.at(-1)?.permissionId;
  const isShown = questions.length > 0 && !questions.some(({ permissionId }) => permissionId === aside);
  // Read before the list and its focus leave the document.
  const hadFocus = !isShown && root.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (hadFocus) {
      leave();
    }
  }, [hadFocus]);
  return isShown ? <List questions={questions} root={root} putAside={() => setAside(newest)} /> : null;
}

function List({ questions, root, putAside }: Pick<Props, 'questions'> & { root: { current: HTMLDivElement | null }; putAside(): void }) {
  const { mirror, post, disclosures, say } = useView();
  const buttons = useRef<HTMLDivElement>(null);
  const { guarded, takesClick } = useAnswerGuard(buttons);
  const title = t('{count} questions wait', { count: questions.length });
  const allowed = alikeAnswers(questions, 'allow_once', mirror.state).length;
  const rejected = alikeAnswers(questions, 'reject_once', mirror.state).length;
  const left = questions.length - allowed;
  const answer = (kind: AlikeKind) => (event: MouseEvent) => {
    if (takesClick(event)) {
      post({ type: 'answer_alike', permissionIds: questions.map(({ permissionId }) => permissionId), kind });
      say(t('Answered'));
    }
  };
  const oneByOne = (): void => {
    putAside();
    focusWaiting(mirror, disclosures, () => true);
  };
  return (
    <div class="queue flood" role="group" aria-label={title} ref={root}>
      <div class="queue-header">
        <span class="queue-status">{title}</span>
      </div>
      <ol class="queue-list flood-list" tabIndex={0} aria-label={t('Questions')}>
        {questions.map((question) => (
          <li key={question.permissionId} class="queue-item flood-item" dir="auto">
            {nameOf(question)}
          </li>
        ))}
      </ol>
      <div class="flood-answers" ref={buttons}>
        <button type="button" class="button" disabled={allowed === 0} aria-disabled={guarded || undefined} onClick={answer('allow_once')}>
          {t('Allow {count} Once', { count: allowed })}
        </button>
        <button
          type="button"
          class="button button-secondary"
          disabled={rejected === 0}
          aria-disabled={guarded || undefined}
          onClick={answer('reject_once')}
        >
          {t('Reject {count}', { count: rejected })}
        </button>
        <button type="button" class="text-button" onClick={oneByOne}>
          {t('One by One')}
        </button>
      </div>
      {left > 0 && allowed > 0 && (
        <div class="flood-note">
          {t('{count} wait for an answer of their own: they concern protected files, or the agent offers no single permission.', {
            count: left,
          })}
        </div>
      )}
    </div>
  );

  function nameOf(question: PermissionEntry): string {
    const call = toolCallIn(mirror.state, question.subject.toolCallId);
    const { name, command: run, written = '' } = operationOf(question, { cwd: mirror.state.cwd, ...(call && { call }) });
    const command = run ?? written;
    const runs = name.includes(command) ? '' : oneLine(command, MAX_NAME);
    return [askerText(question), oneLine(name, MAX_NAME) || t('Permission'), runs].filter(Boolean).join(': ');
  }
}
