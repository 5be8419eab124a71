/** The line of a small page whose extension host does not answer. The rest of the page is inert then, because its buttons would do nothing. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { VsCodeApi } from '../base/host';
import { t } from '../base/l10n';
import { Heartbeat } from './heartbeat';

/** ms that the host has to confirm an action. */
export const ACTION_MS = 2000;

/** Watches the host of a page as long as the page exists. */
export function watchHost(api: VsCodeApi): Heartbeat {
  const heartbeat = new Heartbeat({
    ping: () => api.postMessage({ type: 'ping' }),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  });
  const beat = (): void => (document.visibilityState === 'visible' ? heartbeat.resume() : heartbeat.pause());
  window.addEventListener('message', ({ data }) => heartbeat.received(data));
  window.addEventListener('focus', beat);
  document.addEventListener('visibilitychange', beat);
  beat();
  return heartbeat;
}

/** Returns whether the host does not answer. */
export function useLost(heartbeat: Heartbeat): boolean {
  const [isLost, setLost] = useState(heartbeat.isLost);
  useLayoutEffect(() => heartbeat.subscribe(() => setLost(heartbeat.isLost)), []);
  return isLost;
}

interface LostHostProps {
  readonly isLost: boolean;
  /** The command that opens the page again, with its argument. VS Code itself runs it, in the new host. */
  readonly command: string;
  readonly argument: unknown;
  readonly children: ComponentChildren;
}

/** Shows the page, and the line above it while the host does not answer. */
export function LostHost({ isLost, command, argument, children }: LostHostProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (!isLost || !(activeElement instanceof HTMLElement) || activeElement === document.body) {
      return undefined;
    }
    link.current?.focus();
    // The host was only busy.
    return () => activeElement.focus();
  }, [isLost]);
  return (
    <>
      {isLost && (
        <div class="banner host-lost" role="alert">
          <span>{t('Extension host not responding. If it was restarted, reopen this page.')}</span>
          <a class="button" ref={link} href={`command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`}>
            {t('Reopen Page')}
          </a>
        </div>
      )}
      <div class="host-page" inert={isLost}>
        {children}
      </div>
    </>
  );
}
