/**
 * Tells texts that were read from the disk again from what was typed. VS Code tells of a change of a document's text first, and in an event of its own
 * that this made the document dirty: the first key in a clean document looks like a file that was read again.
 */
import type { Clock, Disposable } from '../../../core/model/ports';

interface Held {
  readonly apply: ((isReload: boolean) => void)[];
  readonly timer: Disposable;
}

/** ms in which a document that was typed into is told to be dirty. */
const TOLD_MS = 100;

export class Reloads<Document extends object> implements Disposable {
  private readonly held = new Map<Document, Held>();

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
      this.held.set(document, { apply: [apply], timer: this.clock.after(TOLD_MS, () => this.release(document, true)) });
    }
  }

  /** It is told whether the document is dirty; the text has not changed. */
  told(document: Document, isDirty: boolean): void {
    if (isDirty) {
      this.release(document, false);
    }
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
