/** Notices above the composer, over the end of the conversation: the newest ones and the number of the others. They never take the focus. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CrossIcon, InfoIcon, WarningIcon } from '../base/icons';
import { t } from '../base/l10n';
import { oneLine, escapeMisleading } from '../../src/text/characters/textSafety';
import { severityLabel } from '../base/strings';
import { useForceUpdate } from '../base/memo';
import type { Toast, Toasts } from './toasts';

const SHOWN = 3;
/** The most UTF-16 units and lines of a collapsed description. */
const SHORT = 160;
const SHORT_LINES = 3;
const LONGEST = 20_000;

interface Props {
  readonly toasts: Toasts;
  /** Moves the focus when the last focused toast disappears. */
  readonly leave: () => void;
}

export function ToastsView({ toasts, leave }: Props) {
  const forceUpdate = useForceUpdate();
  const [all, setAll] = useState(false);
  const region = useRef<HTMLElement>(null);
  const at = useRef({ pointer: false, focus: false });
  useLayoutEffect(() => toasts.subscribe(forceUpdate), [toasts]);
  const { list } = toasts;
  const more = list.length - SHOWN;
  const isEmpty = list.length === 0;
  useLayoutEffect(() => {
    if (!isEmpty) {
      return;
    }
    at.current = { pointer: false, focus: false };
    toasts.hold(false);
  }, [isEmpty]);
  if (isEmpty) {
    return null;
  }
  const hold = (what: 'pointer' | 'focus', is: boolean) => {
    at.current[what] = is;
    toasts.hold(at.current.pointer || at.current.focus);
  };
  /** The next toast takes the focus. */
  const without = (dismiss: () => void) => {
    const buttons = () => [...(region.current?.querySelectorAll<HTMLElement>('.toast-dismiss') ?? [])];
    const had = region.current?.contains(document.activeElement) ?? false;
    const place = buttons().findIndex((button) => button.closest('.toast')?.contains(document.activeElement));
    dismiss();
    if (!had) {
      return;
    }
    requestAnimationFrame(() => {
      const left = buttons();
      if (left.length === 0) {
        leave();
      } else {
        (left[Math.min(Math.max(0, place), left.length - 1)] as HTMLElement).focus();
      }
    });
  };
  return (
    <section
      class="toasts"
      aria-label={t('Notifications')}
      ref={region}
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocusIn={() => hold('focus', true)}
      onFocusOut={(event) => hold('focus', region.current?.contains(event.relatedTarget as Node | null) ?? false)}
    >
      {more > 0 && (
        <div class="toasts-more">
          <button type="button" class="text-button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('Show fewer') : t('{count} more', { count: more })}
          </button>
          <button type="button" class="text-button" onClick={() => without(() => toasts.dismissAll())}>
            {t('Dismiss all')}
          </button>
        </div>
      )}
      {(all && more > 0 ? list : list.slice(-SHOWN)).map((toast) => (
        <ToastView key={toast.noticeId} toast={toast} dismiss={() => without(() => toasts.dismiss(toast.noticeId))} />
      ))}
    </section>
  );
}

function ToastView({ toast, dismiss }: { toast: Toast; dismiss: () => void }) {
  const [open, setOpen] = useState(false);
  const { severity, title, description = '', times } = toast;
  const isSevere = severity === 'error' || severity === 'warning';
  const text = escapeMisleading(description.length > LONGEST ? `${description.slice(0, LONGEST)}…` : description);
  const isLong = text.length > SHORT || text.split('\n', SHORT_LINES + 1).length > SHORT_LINES;
  return (
    <div
      class={isSevere ? `toast toast-${severity}` : 'toast'}
      role="group"
      aria-label={severityLabel(severity)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') {
          return;
        }
        event.stopPropagation();
        dismiss();
      }}
    >
      {isSevere ? <WarningIcon /> : <InfoIcon />}
      <div class="toast-words">
        {title && <div class="toast-title">{oneLine(title)}</div>}
        {text && <div class={isLong && !open ? 'toast-description toast-short' : 'toast-description'}>{text}</div>}
        {isLong && (
          <button type="button" class="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('Show less') : t('Show more')}
          </button>
        )}
      </div>
      {times > 1 && <span class="toast-times">{t('{count}×', { count: times })}</span>}
      <button
        type="button"
        class="icon-button toast-dismiss"
        aria-label={title ? t('Dismiss "{title}"', { title: oneLine(title, 80) }) : t('Dismiss')}
        title={t('Dismiss')}
        onClick={dismiss}
      >
        <CrossIcon />
      </button>
    </div>
  );
}
