/** The waits at a limit: a short one is counted down, and the host keeps a long one, over a reload too. Loaded after the first paint. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { TurnEntry } from '../../../src/core/model/state';
import { limitEnd } from '../../../src/core/queue/limits';
import { MAX_COUNTDOWN } from '../../../src/core/queue/retryTime';
import { clockTime } from '../../../src/text/messages/clockTime';
import { t } from '../../base/l10n';
import { duration } from '../../base/strings';
import { causeIn, isAgentSpecific } from '../../../src/text/messages/causes';
import { oneLine } from '../../../src/text/characters/textSafety';
import { useNewest, useNow, useSelect, useView } from '../../state/context';

/** The most accounts that have a button. */
const MAX_ACCOUNTS = 5;

/** @param send sends the prompt of the turn again, once */
export function LimitWait(props: { entry: TurnEntry; send: () => void }) {
  const cause = causeIn(props.entry.failure?.params);
  return (
    <>
      <Wait {...props} />
      {cause && isAgentSpecific(cause) && <Accounts />}
    </>
  );
}

/** A button for each other account of the agent. */
function Accounts() {
  const { post } = useView();
  const known = useNewest('accounts');
  useLayoutEffect(() => post({ type: 'accounts' }), []);
  return (
    <>
      {known?.accounts.slice(0, MAX_ACCOUNTS).map(({ agentId, name }) => (
        <button
          key={agentId}
          type="button"
          class="button button-secondary"
          onClick={() => post({ type: 'continue_with_account', agentId })}
        >
          {t('Continue with {account}', { account: oneLine(name, 60) })}
        </button>
      ))}
    </>
  );
}

function Wait({ entry, send }: { entry: TurnEntry; send: () => void }) {
  const quota = useSelect((state) => state.quota);
  const at = limitEnd(quota, entry);
  if (at === undefined) {
    return null;
  }
  return at - entry.at > MAX_COUNTDOWN ? <ContinueLater turnId={entry.turnId} at={at} /> : <Countdown at={at} send={send} />;
}

function Countdown({ at, send }: { at: number; send: () => void }) {
  const { mirror, draft, say } = useView();
  const [isWaiting, setWaiting] = useState(false);
  const now = useNow(at > mirror.now());
  const left = Math.ceil((at - now) / 1000) * 1000;
  const isEarly = left > 0;
  const time = duration(left);
  const toggle = (): void => {
    setWaiting(!isWaiting);
    say(isWaiting ? t('Stopped waiting') : t('Sends in {time}', { time }));
  };
  useLayoutEffect(() => {
    if (isWaiting && !isEarly) {
      send();
    }
  }, [isWaiting, isEarly]);
  useLayoutEffect(() => {
    if (!isWaiting) {
      return undefined;
    }
    const stop = (): void => {
      setWaiting(false);
      say(t('Stopped waiting'));
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) {
        event.preventDefault();
        stop();
      }
    };
    const { text } = draft;
    const leave = draft.subscribe(() => draft.text !== text && stop());
    window.addEventListener('keydown', onKeyDown);
    return () => {
      leave();
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [isWaiting]);
  return isEarly ? (
    <>
      <button type="button" class="button button-secondary" onClick={toggle}>
        {isWaiting ? t('Stop Waiting') : t('Send When Ready')}
      </button>
      <span class="retry-time" role="timer">
        {isWaiting ? t('Sends in {time}', { time }) : t('Retry in {time}', { time })}
      </span>
    </>
  ) : null;
}

/** Lets the conversation continue by itself when the limit resets. */
function ContinueLater({ turnId, at }: { turnId: string; at: number }) {
  const { mirror, post } = useView();
  const isWaiting = useSelect(({ continuation }) => continuation !== undefined);
  if (at <= mirror.now() && !isWaiting) {
    return null;
  }
  const time = clockTime(at, mirror.now());
  return (
    <>
      <button
        type="button"
        class="button button-secondary"
        onClick={() => post(isWaiting ? { type: 'stop_waiting' } : { type: 'continue_later', turnId })}
      >
        {isWaiting ? t('Stop Waiting') : t('Continue at {time}', { time })}
      </button>
      {isWaiting && (
        <span class="retry-time" role="status">
          {t('Continues by itself at {time}', { time })}
        </span>
      )}
    </>
  );
}
