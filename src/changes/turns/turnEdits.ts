/** The texts that a file had in a turn, and their authors, as reported by the editor's documents. Pure. */

import type { TextStep } from '../hunks/replayTurn';

/** The limits of one file's steps. Beyond them the file has none. */
export interface StepLimits {
  readonly steps: number;
  /** UTF-16 units of all texts. */
  readonly units: number;
}

export const DEFAULT_STEP_LIMITS: StepLimits = { steps: 200, units: 8_000_000 };

interface Document {
  /** The first reported text; undefined when the first report was a change. */
  base: TextStep | undefined;
  /** The text on disk before the turn, where the document showed another one. */
  onDisk?: string;
  readonly steps: TextStep[];
  /** The number of steps that were saved. */
  saved: number;
  units: number;
  /** True when a step is missing: there were too many, or the user saved a text that is not known. */
  incomplete: boolean;
  /** True when the agent or another program made one of the steps. */
  hasOthers: boolean;
}

/** One instance per turn. Paths are real. Reports of one path arrive in the order of the changes. */
export class TurnEdits {
  private readonly documents = new Map<string, Document>();

  constructor(private readonly limits: StepLimits = DEFAULT_STEP_LIMITS) {}

  /** Called when a document is open, at the beginning of the turn or later. @param isDirty its text is not on the disk */
  documentOpened(path: string, text: string, isDirty: boolean): void {
    const document = this.documentOf(path);
    if (document.steps.length === 0) {
      document.base = isDirty ? { author: 'user', text } : { author: 'agent', text: document.onDisk ?? text };
    } else if (!isDirty && latest(document) !== text) {
      // The document was closed meanwhile, and the disk has changed.
      this.push(document, { author: 'agent', text }, true);
    }
  }

  documentChanged(path: string, text: string, author: TextStep['author']): void {
    const document = this.documentOf(path);
    const isReloadOfBase = author !== 'user' && document.steps.length === 0 && document.base?.text === text;
    void (isReloadOfBase || this.push(document, { author, text }, author !== 'user'));
  }

  /** Called when the file of a document without unsaved changes had another text before the turn than the document showed. */
  documentWasBehind(path: string, text: string): void {
    const document = this.documentOf(path);
    document.onDisk = text;
    if (document.base?.author === 'agent') {
      document.base = { ...document.base, text };
    }
  }

  /** Called when the user has saved the file. @param text absent when only the document's last text, or nothing, is known */
  saved(path: string, text?: string): void {
    const document = this.documentOf(path);
    if (text !== undefined && text !== latest(document)) {
      this.push(document, { author: 'user', text }, true);
    } else if (latest(document) === undefined) {
      document.incomplete = true;
    } else if (document.steps.length === 0 && document.base?.author === 'user') {
      this.push(document, document.base, true);
    } else {
      document.saved = document.steps.length;
    }
  }

  /** Returns all reported texts, oldest first; undefined when there are none, or some are missing. */
  textsOf(path: string): readonly TextStep[] | undefined {
    const document = this.documents.get(path);
    return document?.base && !document.incomplete ? [document.base, ...document.steps] : undefined;
  }

  /** True when a document has reported the file. */
  has(path: string): boolean {
    return this.documents.has(path);
  }

  /** True when a document had text that the user typed. */
  hasTyping(path: string): boolean {
    const document = this.documents.get(path);
    return (
      document?.base?.author === 'user' || document?.incomplete === true || document?.steps.some(({ author }) => author === 'user') === true
    );
  }

  /** True when a document reports a text of an author other than the user. @param before the text before the turn */
  hasOthers(path: string, before: string | undefined): boolean {
    const document = this.documents.get(path);
    const isBaseForeign = document?.base?.author === 'agent' && before !== undefined && document.base.text !== before;
    return isBaseForeign || document?.hasOthers === true;
  }

  /**
   * Returns the steps from the text before the turn to the one after it; undefined when they are not known.
   * @param isSaved the end is the state that the user saved last
   */
  stepsOf(path: string, before: string | undefined, after: string | undefined, isSaved: boolean): readonly TextStep[] | undefined {
    const document = this.documents.get(path);
    if (!document?.base || document.incomplete || before === undefined || after === undefined) {
      return undefined;
    }
    const steps = document.base.text === before ? [] : [document.base];
    const known = document.steps.findLastIndex(({ text }) => text === after);
    const end = isSaved ? document.saved : known >= 0 ? known + 1 : document.saved;
    steps.push(...document.steps.slice(0, end));
    // Typing that was never saved is not on the disk.
    if (end === 0 && document.base.author === 'user' && document.base.text !== after) {
      steps.length = 0;
    }
    if (!isSaved && known < 0 && (steps.at(-1)?.text ?? before) !== after) {
      steps.push({ author: 'agent', text: after });
    }
    return steps;
  }

  private documentOf(path: string): Document {
    let document = this.documents.get(path);
    if (!document) {
      document = { base: undefined, steps: [], saved: 0, units: 0, incomplete: false, hasOthers: false };
      this.documents.set(path, document);
    }
    return document;
  }

  private push(document: Document, step: TextStep, isSaved: boolean): void {
    const { steps } = document;
    document.hasOthers ||= step.author !== 'user';
    if (document.incomplete) {
      return;
    }
    // Consecutive texts of one author are one step, unless the earlier one was saved.
    const last = steps.length > document.saved ? steps.at(-1) : undefined;
    if (last?.author === step.author) {
      steps.pop();
      document.units -= last.text.length;
    }
    steps.push(step);
    document.units += step.text.length;
    document.saved = isSaved ? steps.length : document.saved;
    if (steps.length > this.limits.steps || document.units > this.limits.units) {
      document.incomplete = true;
      steps.length = 0;
    }
  }
}

function latest({ base, steps }: Document): string | undefined {
  return steps.at(-1)?.text ?? base?.text;
}
