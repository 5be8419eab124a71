/** What a block of code has to do with its colours, as far as it loads with the page. The rest comes with the first block in sight. */
import type { CodeTheme } from '../../src/core/theme';
import type { ColouredBlock } from './highlightBlock';
import type { LineTokens } from './highlightMessages';
import type { Loaded } from './highlightPage';

/** Lines that are rendered together. */
export const RUN = 100;

let theme: { readonly colours: CodeTheme | undefined } | undefined;
let loading: Promise<Loaded> | undefined;
/** Blocks that were in sight before there was a theme. */
const early = new Set<CodeColours>();

/** Takes the user's theme; undefined when the host could not read it. Until the first one all code is plain. */
export function setCodeTheme(colours: CodeTheme | undefined): void {
  theme = { colours };
  void loading?.then(({ highlighter }) => highlighter.setTheme(colours));
  for (const block of early) block.begin();
  early.clear();
}

function load(): Promise<Loaded> {
  return (loading ??= import('./highlightPage').then(({ start }) => start(theme?.colours)));
}

/** The colours of one block. Costs nothing before somebody looks at it. */
export class CodeColours {
  private loaded: Loaded | undefined;
  private block: ColouredBlock | undefined;
  private text = '';
  /** Runs that are, or were, near the screen: only these are rendered in colours. */
  private readonly near = new Set<number>();
  private closed = false;
  private readonly runs = new Map<number, () => void>();

  /** `label`: what the block says of its language. */
  constructor(private readonly label: string) {}

  /** The text so far. */
  update(text: string): void {
    this.text = text;
    this.block?.update(text);
  }

  /** This run of lines is near the screen. */
  want(run: number): void {
    this.near.add(run);
    if (this.block) {
      this.block.want((run + 1) * RUN);
      this.runs.get(run)?.();
    } else if (this.near.size === 1 && this.label !== '') {
      if (theme) this.begin();
      else early.add(this);
    }
  }

  /** Hears when the tokens of a run have changed; returns the way out. */
  subscribe(run: number, listener: () => void): () => void {
    this.runs.set(run, listener);
    return () => void this.runs.delete(run);
  }

  /** The tokens of a run's lines, as far as they are known; undefined when none is, or nobody looks. */
  linesOf(run: number): readonly LineTokens[] | undefined {
    const lines = this.near.has(run) ? this.block?.lines : undefined;
    return lines && lines.length > run * RUN ? lines.slice(run * RUN, (run + 1) * RUN) : undefined;
  }

  className(style: number): string | undefined {
    return this.loaded?.className(style);
  }

  begin(): void {
    load().then(
      (loaded) => {
        const language = loaded.languageOf(this.label);
        if (this.closed || !language) return;
        this.loaded = loaded;
        this.block = loaded.highlighter.open(language, (from, to) => {
          for (let run = Math.floor(from / RUN); run * RUN < to; run++) this.runs.get(run)?.();
        });
        this.block.update(this.text);
        this.block.want((Math.max(...this.near) + 1) * RUN);
      },
      () => {}, // Without the code for it, it stays plain.
    );
  }

  close(): void {
    this.closed = true;
    early.delete(this);
    if (this.block) this.loaded?.highlighter.close(this.block);
  }
}
