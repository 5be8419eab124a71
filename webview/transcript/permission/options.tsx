/** The agent's own answers to a permission request, as buttons: by pointer, by keyboard, and by a key of their own while the question has the focus. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CardSight } from '../../../src/core/approval/askingSurface';
import { isMisnamed } from '../../../src/core/approval/optionName';
import type { PermissionOption } from '../../../src/core/model/content';
import type { PermissionEntry } from '../../../src/core/model/state';
import type { FromView } from '../../../src/core/protocol/view';
import { useSelect, useView } from '../../state/context';
import { CheckAllIcon, CheckIcon, CrossIcon, ProhibitedIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';
import { returnIfLost, returnToTyping } from '../../typing/focusReturn';
import { Outdated } from './outdated';
import { useCardSight } from './cardSight';
import { useAdviceChunk } from './lazyAdvice';
import { led, type LeadingKey } from './leadingKey';
import type { ShowUnread } from './rest';
import { noteAnswer } from './permissionHeading';
import { questionOf, useQuestionKeys } from './questionKeys';
import { useAnswerGuard } from './useAnswerGuard';

/** ms after which an answer that nothing came of can be given again. */
const ANSWER_TIMEOUT_MS = 5000;

/** Answers shown at first: agents offer a handful, and thousands would push everything else off the screen. */
const FIRST_ANSWERS = 20;

/** Answers that have a key. */
const KEYS = 9;

export function Options({ entry }: { entry: PermissionEntry }) {
  const { post, say } = useView();
  const buttons = useRef<HTMLDivElement>(null);
  const { guarded, takesClick, takesKey } = useAnswerGuard(buttons);
  const [sent, setSent] = useState(false);
  const [all, setAll] = useState(false);
  /** The cause of the hint, such as the key that has led here, and the words for the next press. */
  const [hint, setHint] = useState<{ readonly by: LeadingKey | 'rest'; readonly text: string }>();
  const sight = useRef<CardSight>('hidden');
  const foot = useRef<HTMLDivElement>(null);
  const unread = useRef<ShowUnread>();
  const chunk = useAdviceChunk(entry);
  const { advice } = entry.subject;
  const isFirst = useSelect(({ pendingPermissions }) => pendingPermissions[0] === entry.permissionId);
  const offered = all ? entry.options : entry.options.slice(0, FIRST_ANSWERS);
  const clear = entry.options.filter((option) => !isMisnamed(option));
  const reject = clear.find((option) => option.kind === 'reject_once');
  /** The answer of Ctrl+Enter. An agent that recommends to refuse gets a refusal. */
  const once = clear.find((option) => option.kind === (entry.defaultToNo ? 'reject_once' : 'allow_once'));
  const primary = once ?? (entry.defaultToNo ? undefined : clear.find((option) => option.kind.startsWith('allow')));
  useEffect(() => {
    if (!sent) {
      return undefined;
    }
    const timer = setTimeout(() => setSent(false), ANSWER_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [sent]);
  const answer = ({ optionId }: PermissionOption) => answerBy({ type: 'answer_permission', permissionId: entry.permissionId, optionId });
  const answerBy = (message: FromView) => {
    setSent(true);
    noteAnswer();
    post(message);
    // A user who pressed the button with nothing in focus types next.
    if (document.activeElement === document.body) {
      returnToTyping();
    } else {
      leave(buttons.current!);
    }
  };
  const announce = (by: LeadingKey): void => {
    const text = by === 'Escape' ? escapeText(reject) : once && enterText(once === reject);
    if (text) {
      showHint(by, text);
    }
  };
  const showHint = (by: LeadingKey | 'rest', text: string): void => {
    setHint({ by, text });
    say(text);
  };
  const take = (event: KeyboardEvent): boolean => {
    if (sent || !takesKey(event)) {
      return false;
    }
    const option = event.key === 'Escape' ? reject : optionOf(event, offered, once);
    const text = option && unread.current?.(option);
    if (text) {
      showHint('rest', text);
      return false;
    }
    if (option) {
      answer(option);
    } else if (event.key === 'Escape') {
      post({ type: 'confirm_cancel' });
    }
    return true;
  };
  const wait = useQuestionKeys(buttons, {
    takesAll: () => isFirst && sight.current !== 'hidden',
    take,
    takesEscape: () => hint?.by === 'Escape',
    announceEscape: () => announce('Escape'),
    focused: (isInside) => {
      const isLed = isInside && led.entryId === entry.entryId;
      if (!isInside) {
        setHint(undefined);
      } else if (isLed) {
        led.entryId = undefined;
        announce(led.by);
      }
      return isLed && led.by === 'Escape';
    },
    gone: leave,
  });
  useCardSight(foot, entry.permissionId, sight, wait);
  // The hint makes the card higher than the room that it was scrolled into. In a low page it is above answers that were scrolled.
  useLayoutEffect(() => {
    if (hint) {
      foot.current!.scrollTop = 0;
      foot.current!.scrollIntoView({ block: 'nearest' });
    }
  }, [hint]);
  // A digit may be meant for the request that was the oldest one until now.
  useLayoutEffect(() => (isFirst ? wait() : undefined), [isFirst]);
  // The warning must be read before an answer counts.
  useLayoutEffect(() => (entry.outdated ? wait() : undefined), [entry.outdated]);
  // The user may have seen these parts closed, before the agent asked.
  useLayoutEffect(() => {
    for (const details of questionOf(buttons.current!).querySelectorAll('details')) {
      details.open = true;
    }
  }, []);
  return (
    <>
      {chunk && <chunk.Why request={entry} />}
      <div class="question-foot" ref={foot}>
        {entry.outdated && entry.outdated.length > 0 && <Outdated entryId={entry.entryId} paths={entry.outdated} />}
        <div class="question-notes">
          {chunk && advice && <chunk.Risks risks={advice.risks} />}
          {chunk && <chunk.Rest foot={foot} unread={unread} />}
          {hint && <span class={hint.by === 'rest' ? 'options-hint hint-end' : 'options-hint'}>{hint.text}</span>}
        </div>
        {/* A click takes no focus: who types goes on typing. */}
        <div class="options" ref={buttons} onMouseDown={(event) => event.preventDefault()}>
          {offered.map((option, index) => (
            <button
              key={index}
              type="button"
              class={option === primary ? 'button' : 'button button-secondary'}
              disabled={sent}
              aria-disabled={guarded ? 'true' : undefined}
              aria-keyshortcuts={shortcuts(option === once, index)}
              title={kindText(option.kind)}
              onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && !takesKey(event) && event.preventDefault()}
              onClick={(event) => takesClick(event) && answer(option)}
            >
              <KindIcon kind={option.kind} />
              <span>{isMisnamed(option) ? `${optionText(option)} (${kindText(option.kind)})` : optionText(option)}</span>
              {index < KEYS && <kbd class="key" data-key={index + 1} aria-hidden="true" />}
            </button>
          ))}
          {offered.length < entry.options.length && (
            <button type="button" class="button button-secondary" onClick={() => setAll(true)}>
              {t('{count} more answers…', { count: entry.options.length - offered.length })}
            </button>
          )}
          {chunk && advice && !sent && (
            <chunk.RuleMenu
              permissionId={entry.permissionId}
              suggestions={advice.suggestions ?? []}
              make={(suggestionId) => !guarded && answerBy({ type: 'make_rule', permissionId: entry.permissionId, suggestionId })}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** Nothing is left to answer here: the focus goes back to where the user typed, if it is on what answers, or is lost with what goes. */
function leave(buttons: HTMLElement, group = questionOf(buttons)): void {
  const active = document.activeElement;
  if (active === group || buttons.contains(active)) {
    returnToTyping();
  } else {
    returnIfLost(group);
    // Once what goes is gone.
    queueMicrotask(() => returnIfLost());
  }
}

function escapeText(reject: PermissionOption | undefined): string {
  return reject ? t('Press Escape again to reject.') : t('Press Escape again to stop.');
}

function enterText(rejects: boolean): string {
  if (rejects) {
    return navigator.platform.startsWith('Mac') ? t('Press Cmd+Enter again to reject.') : t('Press Ctrl+Enter again to reject.');
  }
  return navigator.platform.startsWith('Mac') ? t('Press Cmd+Enter again to allow once.') : t('Press Ctrl+Enter again to allow once.');
}

/** The answer that this key of the question means. */
function optionOf(
  { key }: KeyboardEvent,
  offered: readonly PermissionOption[],
  once: PermissionOption | undefined,
): PermissionOption | undefined {
  return key === 'Enter' ? once : offered[Number(key) - 1];
}

function shortcuts(isOnce: boolean, index: number): string | undefined {
  const keys = [...(index < KEYS ? [String(index + 1)] : []), ...(isOnce ? ['Control+Enter', 'Meta+Enter'] : [])];
  return keys.length > 0 ? keys.join(' ') : undefined;
}

/** The effect of an option, whatever its name; undefined for unknown kinds. */
function kindText(kind: string): string | undefined {
  switch (kind) {
    case 'allow_once':
      return t('Allow once');
    case 'allow_always':
      return t('Always allow');
    case 'reject_once':
      return t('Reject once');
    case 'reject_always':
      return t('Always reject');
    default:
      return undefined;
  }
}

function KindIcon({ kind }: { kind: string }) {
  switch (kind) {
    case 'allow_once':
      return <CheckIcon />;
    case 'allow_always':
      return <CheckAllIcon />;
    case 'reject_once':
      return <CrossIcon />;
    case 'reject_always':
      return <ProhibitedIcon />;
    default:
      return null;
  }
}

/** An answer without a name is still an answer. */
export function optionText({ name, optionId }: PermissionOption): string {
  return oneLine(name, 160).trim() || oneLine(optionId, 160);
}
