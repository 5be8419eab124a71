/** The messages that wait for the agent, above the composer, in the order of sending. The user can edit, move and remove them. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { attachmentsOf, typedText } from '../../src/core/queue/queuedContent';
import type { QueuedMessage } from '../../src/core/model/queuedMessage';
import { takesPrompts } from '../../src/core/model/select';
import { canResumeQueue, type SendNow, waitsForConfig, waysToSendNow } from '../../src/core/queue/rules';
import { attachmentName } from '../composer/incoming/attachmentLabel';
import { useSelect, useView } from '../state/context';
import { sendNowHint, sendNowLabel } from '../composer/sendNowStrings';
import { MenuButton } from '../components/menu';
import { ArrowDownIcon, ArrowUpIcon, CrossIcon, EditIcon, FileIcon, SendNowIcon } from '../base/icons';
import { t } from '../base/l10n';
import { pausedLabel } from '../../src/text/messages/statusText';
import { oneLine, escapeMisleading } from '../../src/text/characters/textSafety';
import { QueueEditor } from './queueEditor';
import { queueStatusText } from './queueStrings';

/** The longest shown text of a message, in UTF-16 units: two lines are visible. */
const MAX_SHOWN = 1000;

/** @param leave puts the focus into the composer */
export function QueueView({ leave }: { leave: () => void }) {
  const { post } = useView();
  const queue = useSelect((state) => state.queue);
  const status = useSelect((state) => (state.queue.length > 0 ? queueStatusText(state) : ''));
  const canResume = useSelect(canResumeQueue);
  const unset = useSelect((state) => (waitsForConfig(state) ? state.pendingConfig?.options : undefined));
  /** The session then has no banner, because its only button is here. */
  const isDisconnected = useSelect(
    (state) => canResumeQueue(state) && state.status === 'disconnected' && state.failure?.code === 'session.interrupted',
  );
  const root = useRef<HTMLDivElement>(null);
  // Read before the change reaches the document: the focused element may be removed, or lose the focus when it moves.
  const focused = root.current?.contains(document.activeElement) ? document.activeElement : null;
  useLayoutEffect(() => {
    if (!focused || document.activeElement !== document.body) {
      return;
    }
    if (focused instanceof HTMLElement && root.current?.contains(focused)) {
      focused.focus();
    } else {
      leave();
    }
  });
  const list = useRef<HTMLOListElement>(null);
  const last = queue.at(-1)?.queueId;
  // Scrolls to the message that was just queued. `scrollIntoView` would also scroll a low page.
  useLayoutEffect(() => {
    for (const scroller of [list.current, root.current]) {
      scroller?.scrollTo({ top: scroller.scrollHeight });
    }
  }, [last]);
  if (queue.length === 0) {
    return null;
  }
  const isMixed = queue.some(({ paused }) => paused) && queue.some(({ paused }) => !paused);
  return (
    <div class="queue" ref={root}>
      <div class="queue-header">
        <span class="queue-status" id={isDisconnected ? 'resume-hint' : undefined}>
          {isDisconnected && <span>{`${t('Disconnected')} · `}</span>}
          <span>{status}</span>
        </span>
        {unset && (
          <>
            <button
              type="button"
              class="button button-secondary queue-resume"
              onClick={() => unset.forEach(({ configId, value }) => post({ type: 'set_config', configId, value }))}
            >
              {t('Retry')}
            </button>
            <button type="button" class="button button-secondary queue-resume" onClick={() => post({ type: 'resume_queue' })}>
              {t('Send Anyway')}
            </button>
          </>
        )}
        {canResume && !unset && (
          <button
            type="button"
            class={isDisconnected ? 'button queue-resume' : 'button button-secondary queue-resume'}
            onClick={() => post({ type: 'resume_queue' })}
          >
            {t('Resume Queue')}
          </button>
        )}
      </div>
      <ol class="queue-list" ref={list} aria-label={t('Queued messages')}>
        {queue.map((message, index) => (
          <li key={message.queueId} class={message.editing ? 'queue-item queue-item-editing' : 'queue-item'}>
            {message.editing ? (
              <QueueEditor message={message} number={index + 1} />
            ) : (
              <QueueItem message={message} index={index} count={queue.length} showsPaused={isMixed} />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface ItemProps {
  readonly message: QueuedMessage;
  readonly index: number;
  readonly count: number;
  /** True when only some messages are paused. */
  readonly showsPaused: boolean;
}

function QueueItem({ message, index, count, showsPaused }: ItemProps) {
  const { post, say, queueEdits } = useView();
  const { queueId, content, paused, steering } = message;
  const textId = `queued-${queueId}`;
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (queueEdits.takeReturn(message) && document.activeElement === document.body) {
      row.current?.querySelector<HTMLElement>('.queue-edit-button')?.focus();
    }
  }, []);
  const move = (by: -1 | 1): void => {
    const to = index + by;
    if (to >= 0 && to < count) {
      post({ type: 'move_queued', queueId, index: to });
      say(t('Moved to {position} of {count}', { position: to + 1, count }));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey && !event.ctrlKey && !event.metaKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      move(event.key === 'ArrowUp' ? -1 : 1);
    }
  };
  const attachments = attachmentsOf(content);
  const text = typedText(content);
  return (
    <div class="queue-row" onKeyDown={onKeyDown} ref={row}>
      <div class="queue-message" id={textId}>
        {showsPaused && paused && <span class="queue-paused">{pausedLabel(t)}</span>}
        {text !== '' && (
          <span class="queue-text" dir="auto">
            {escapeMisleading(text.slice(0, MAX_SHOWN))}
          </span>
        )}
        {attachments.length > 0 && (
          <span class="queue-attachments">
            <FileIcon />
            {attachments.map(({ block }) => oneLine(attachmentName(block), 60)).join(', ')}
          </span>
        )}
      </div>
      {!steering && (
        <div class="queue-actions">
          <SendNowAction message={message} describedBy={textId} />
          <Action name={t('Edit')} class="queue-edit-button" describedBy={textId} act={() => queueEdits.begin(message)}>
            <EditIcon />
          </Action>
          {count > 1 && (
            <>
              <Action name={t('Move up')} keys="Alt+ArrowUp" describedBy={textId} disabled={index === 0} act={() => move(-1)}>
                <ArrowUpIcon />
              </Action>
              <Action name={t('Move down')} keys="Alt+ArrowDown" describedBy={textId} disabled={index === count - 1} act={() => move(1)}>
                <ArrowDownIcon />
              </Action>
            </>
          )}
          <Action name={t('Remove')} describedBy={textId} act={() => post({ type: 'remove_queued', queueId })}>
            <CrossIcon />
          </Action>
        </div>
      )}
    </div>
  );
}

/** The button that sends a message into the running turn or instead of it. With both ways available it opens a menu. */
function SendNowAction({ message: { queueId, paused }, describedBy }: { message: QueuedMessage; describedBy: string }) {
  const { post } = useView();
  const ways = useSelect(waysToSendNow);
  const isIdle = useSelect(takesPrompts);
  const send = (now: SendNow) => post({ type: 'send_queued', queueId, now });
  const [way, other] = ways;
  if (way === undefined) {
    return isIdle && paused ? (
      <Action name={t('Send Now')} describedBy={describedBy} act={() => send('interrupt')}>
        <SendNowIcon />
      </Action>
    ) : null;
  }
  if (other === undefined) {
    return (
      <Action name={sendNowLabel(way)} title={`${sendNowLabel(way)}\n${sendNowHint(way)}`} describedBy={describedBy} act={() => send(way)}>
        <SendNowIcon />
      </Action>
    );
  }
  return (
    <MenuButton
      id={`send-now-${queueId}`}
      label={t('Send Now')}
      title={t('Send Now')}
      describedBy={describedBy}
      floating
      items={ways.map((each) => ({ label: sendNowLabel(each), hint: sendNowHint(each), choose: () => send(each) }))}
    >
      <SendNowIcon />
    </MenuButton>
  );
}

interface ActionProps {
  readonly name: string;
  readonly class?: string;
  readonly title?: string;
  readonly describedBy: string;
  readonly act: () => void;
  readonly children: preact.ComponentChildren;
  readonly keys?: string;
  readonly disabled?: boolean;
}

function Action({ name, class: own = '', title = name, describedBy, act, children, keys, disabled = false }: ActionProps) {
  return (
    <button
      type="button"
      class={`icon-button ${own}`}
      aria-label={name}
      title={title}
      aria-describedby={describedBy}
      aria-keyshortcuts={keys}
      // Not `disabled`, because the button would lose the focus at the end of the list.
      aria-disabled={disabled}
      // The second click of a double click would hit the next message, which has moved here.
      onClick={(event) => !disabled && event.detail < 2 && act()}
    >
      {children}
    </button>
  );
}
