/** The visually hidden live regions that announce text to screen readers. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { escapeMisleading } from '../../src/text/characters/textSafety';

/** Appends lines for screen readers. Each is announced once, and only a few stay in the document. */
export class Speech {
  region: HTMLElement | null = null;
  alerts: HTMLElement | null = null;

  /** Removes the earlier announcements, which are no longer relevant. */
  clear(): void {
    this.region?.replaceChildren();
    this.alerts?.replaceChildren();
  }

  /** @param urgent interrupts the current announcement */
  say(text: string, urgent = false): void {
    const region = urgent ? this.alerts : this.region;
    if (!region) {
      return;
    }
    const line = document.createElement('div');
    line.textContent = escapeMisleading(text);
    region.append(line);
    while (region.childElementCount > 10) {
      region.firstElementChild!.remove();
    }
  }
}

export function LiveRegion({ speech }: { speech: Speech }) {
  const region = useRef<HTMLDivElement>(null);
  const alerts = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    speech.region = region.current;
    speech.alerts = alerts.current;
  }, []);
  return (
    <>
      <div class="sr-only" role="status" aria-live="polite" aria-atomic="false" ref={region} />
      <div class="sr-only" role="alert" aria-live="assertive" aria-atomic="false" ref={alerts} />
    </>
  );
}
