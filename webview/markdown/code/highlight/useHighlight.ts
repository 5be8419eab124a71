/** The highlighting code that loads with the page. The rest is loaded with the first block on the screen. */
import type { CodeTheme } from '../../../../src/core/model/theme';
import type { ColouredBlock } from './block';
import type { LineTokens } from './messages';
import type { Loaded } from './highlightPage';

/** Lines that are rendered and highlighted together. */
export const RUN = 100;

let theme: { readonly colours: CodeTheme | undefined } | undefined;
let loading: Promise<Loaded> | undefined;
/** Blocks that came onto the screen before the theme arrived. */
const early = new Set<CodeColours>();

/** Sets the user's theme; undefined when the host could not read it. Until the first call all code is plain. */
export function setCodeTheme(colours: CodeTheme | undefined): void {
  theme = { colours };
  void loading?.then(({ highlighter }) => highlighter.setTheme(colours));
  for (const block of early) {
    block.begin();
  }
  early.clear();
}

function load(): Promise<Loaded> {
  return (loading ??= import('./highlightPage').then(({ start }) => start(theme?.colours)));
}

/** The highlighting of one block. Does nothing until the block is near the screen. */
export class CodeColours {
  private loaded: Loaded | undefined;
  private block: ColouredBlock | undefined;
  private text = '';
  /** Runs that are or were near the screen: only these are rendered in colours. */
  private readonly near = new Set<number>();
  private closed = false;
  private readonly listeners = new Set<{ readonly first: number; readonly last: number; readonly call: () => void }>();

  /** @param label the block's language label */
  constructor(private readonly label: string) {}

  /** Takes the text so far. */
  update(text: string): void {
    this.text = text;
    this.block?.update(text);
  }

  /** These lines, including the last one, are near the screen. */
  want(first: number, last: number): void {
    const isFirst = this.near.size === 0;
    for (let run = Math.floor(first / RUN); run * RUN <= last; run++) {
      this.near.add(run);
    }
    if (this.block) {
      this.block.want(last + 1);
      this.emit(first, last + 1);
    } else if (isFirst && this.label !== '') {
      if (theme) {
        this.begin();
      } else {
        early.add(this);
      }
    }
  }

  /** Calls `call` when the tokens of these lines may have changed. Returns a function that unsubscribes. */
  subscribe(first: number, last: number, call: () => void): () => void {
    const listener = { first, last, call };
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** The tokens of a line; undefined while they are not known or the line has not been near the screen. */
  lineAt(index: number): LineTokens | undefined {
    return this.near.has(Math.floor(index / RUN)) ? this.block?.lines[index] : undefined;
  }

  className(style: number): string | undefined {
    return this.loaded?.className(style);
  }

  begin(): void {
    load().then(
      (loaded) => {
        const language = loaded.languageOf(this.label);
        if (this.closed || !language) {
          return;
        }
        this.loaded = loaded;
        this.block = loaded.highlighter.open(language, (from, to) => this.emit(from, to));
        this.block.update(this.text);
        this.block.want((Math.max(...this.near) + 1) * RUN);
      },
      () => {}, // Without the highlighter's code the block stays plain.
    );
  }

  close(): void {
    this.closed = true;
    early.delete(this);
    if (this.block) {
      this.loaded?.highlighter.close(this.block);
    }
  }

  /** Notifies the listeners of the lines from the first to before the second. */
  private emit(from: number, to: number): void {
    for (const { first, last, call } of this.listeners) {
      if (first < to && from <= last) {
        call();
      }
    }
  }
}
