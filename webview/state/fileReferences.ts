/**
 * The host's answers about words that may be file names. Words are sent together once their text is complete. The answers are kept while the session
 * is shown.
 */
import type { FileReference, FromView } from '../../src/core/protocol/view';

/** ms in which requests are collected, so that words that appear together are sent together. */
const GATHER_MS = 16;
/** Words per request; the host accepts no more. */
const MAX_AT_ONCE = 200;
/** The most words to request while a session is shown. */
const MAX_WORDS = 5000;

export interface FileReferencesDependencies {
  post(message: FromView): void;
  after(ms: number, callback: () => void): unknown;
}

export class FileReferences {
  private readonly known = new Map<string, FileReference>();
  private readonly listeners = new Map<string, Set<() => void>>();
  private wanted = new Set<string>();

  constructor(private readonly deps: FileReferencesDependencies) {}

  /** Undefined until the host has answered. */
  get(text: string): FileReference | undefined {
    return this.known.get(text);
  }

  /** Requests this text unless it is known, and calls `listener` when the answer changes. Returns a function that unsubscribes. */
  watch(text: string, listener: () => void): () => void {
    const all = this.listeners.get(text) ?? new Set();
    this.listeners.set(text, all.add(listener));
    this.want(text);
    return () => {
      all.delete(listener);
      if (all.size === 0) {
        this.listeners.delete(text);
      }
    };
  }

  receive(files: readonly FileReference[]): void {
    for (const file of files) {
      const before = this.known.get(file.text);
      this.known.set(file.text, file);
      if (before?.is !== file.is || before.path !== file.path) {
        this.listeners.get(file.text)?.forEach((listener) => listener());
      }
    }
  }

  /** Files may have been created, so words on the page that were not files are requested again. */
  filesChanged(): void {
    for (const [text, { is }] of this.known) {
      if (is === 'nothing') {
        this.known.delete(text);
        if (this.listeners.has(text)) {
          this.want(text);
        }
      }
    }
  }

  private want(text: string): void {
    if (this.known.has(text) || this.wanted.has(text) || this.known.size + this.wanted.size >= MAX_WORDS) {
      return;
    }
    this.wanted.add(text);
    if (this.wanted.size === 1) {
      this.deps.after(GATHER_MS, () => this.ask());
    }
  }

  private ask(): void {
    const texts = [...this.wanted];
    this.wanted = new Set();
    for (let start = 0; start < texts.length; start += MAX_AT_ONCE) {
      this.deps.post({ type: 'files', texts: texts.slice(start, start + MAX_AT_ONCE) });
    }
  }
}
