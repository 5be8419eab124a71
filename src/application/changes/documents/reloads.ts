/**
 * Distinguishes texts that were reloaded from the disk from typed ones. VS Code reports a change of a document's text first, and in another event that the
 * document became dirty. The first key in a clean document therefore looks like a reload.
 */
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';

interface PendingReload {
  readonly apply: ((isReload: boolean) => void)[];
  readonly timer: Disposable;
}

/** ms within which VS Code reports that a document became dirty. */
const RELOAD_MS = 100;

export class Reloads<Document extends object> implements Disposable {
  private readonly held = new Map<Document, PendingReload>();

  constructor(private readonly clock: Clock) {}

  /** The text has changed. @param apply called once it is known, in the order of the changes */
  changed(document: Document, isDirty: boolean, apply: (isReload: boolean) => void): void {
    if (isDirty) {
      this.release(document, false);
      apply(false);
      return;
    }
    const held = this.held.get(document);
    if (held) {
      held.apply.push(apply);
    } else {
      this.held.set(document, { apply: [apply], timer: this.clock.after(RELOAD_MS, () => this.release(document, true)) });
    }
  }

  /** VS Code reports whether the document is dirty; its text has not changed. */
  told(document: Document, isDirty: boolean): void {
    if (isDirty) {
      this.release(document, false);
    }
  }

  /**
   * A later change of the text is ours. VS Code reports that a typed document became dirty before it reports such a change, so the texts held until now
   * were reloaded.
   */
  settle(document: Document): void {
    this.release(document, true);
  }

  dispose(): void {
    this.held.forEach(({ timer }) => timer.dispose());
    this.held.clear();
  }

  private release(document: Document, isReload: boolean): void {
    const held = this.held.get(document);
    this.held.delete(document);
    held?.timer.dispose();
    held?.apply.forEach((apply) => apply(isReload));
  }
}
