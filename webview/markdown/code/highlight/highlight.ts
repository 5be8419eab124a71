/**
 * Tokenizes code in a worker, one piece at a time, so that neither a long block nor an endless regular expression blocks the page. A worker that does
 * not answer in time is terminated, and its current block stays as it is.
 */
import type { CodeTheme } from '../../../../src/core/model/theme';
import { type WorkerDependencies, WorkerSupervisor } from '../../../workers/supervisor';
import { type BlockOwner, ColouredBlock } from './block';
import type { Language, LanguageTexts } from './languages';
import type { FromWorker, LineTokens, StyleRule, ToWorker } from './messages';
import { RecentTokens } from './tokenCache';

/** ms for one piece. The first piece of a language takes longest, because all its expressions are compiled. */
export const TIMEOUT_MS = 8000;
/** ms for a worker to start. */
const START_MS = 30_000;
/** The number of terminated workers after which a language stays plain. */
const STRIKES = 2;

export interface HighlighterDependencies extends WorkerDependencies<ToWorker, FromWorker> {
  load(language: Language): Promise<LanguageTexts>;
  /** Creates the styles of a theme, or default ones when the theme could not be read. Returns its rules. */
  use(theme: CodeTheme | undefined): readonly StyleRule[];
}

export class Highlighter implements BlockOwner {
  private readonly supervisor: WorkerSupervisor<ToWorker, FromWorker>;
  /** The block whose piece the worker has, and that block's number. */
  private busy: { readonly block: ColouredBlock; readonly id: number } | undefined;
  /** The blocks in the order of their turns; the one served last is at the end. */
  private readonly blocks = new Set<ColouredBlock>();
  private rules: readonly StyleRule[];
  /** Languages whose grammars the worker has or is about to receive. */
  private readonly postedLanguages = new Set<Language>();
  private readonly loading = new Set<Language>();
  private readonly strikes = new Map<Language, number>();
  private readonly recent = new RecentTokens();
  private numbers = 0;

  constructor(
    private readonly deps: HighlighterDependencies,
    theme: CodeTheme | undefined,
  ) {
    this.rules = deps.use(theme);
    // Without a worker all code stays plain.
    const options = { startMs: START_MS, maxFailedStarts: 1 };
    this.supervisor = new WorkerSupervisor(deps, options, {
      onReady: () => this.greet(),
      onReply: (reply) => this.receive(reply),
      onFailure: () => this.giveUp(),
    });
  }

  setTheme(theme: CodeTheme | undefined): void {
    this.rules = this.deps.use(theme);
    this.recent.clear();
    this.supervisor.post({ type: 'theme', rules: this.rules });
    for (const block of this.blocks) {
      block.restart();
    }
    this.next();
  }

  /** @param onLines as {@link ColouredBlock} calls it */
  open(language: Language, onLines: (from: number, to: number) => void): ColouredBlock {
    const block = new ColouredBlock(language, this, onLines);
    this.blocks.add(block);
    return block;
  }

  close(block: ColouredBlock): void {
    if (!this.blocks.delete(block)) {
      return;
    }
    if (block.isWhole) {
      this.recent.put(block.language, block.text, block.lines);
    }
    this.drop(block.id);
  }

  number(): number {
    return ++this.numbers;
  }

  drop(id: number): void {
    this.supervisor.post({ type: 'close', block: id });
  }

  recall(language: Language, text: string): readonly LineTokens[] | undefined {
    return this.recent.get(language, text);
  }

  /** Sends the worker a piece if it has none. */
  next(): void {
    if (this.busy) {
      return;
    }
    for (const block of this.blocks) {
      if ((this.strikes.get(block.language) ?? 0) >= STRIKES) {
        block.plain = true;
      }
      if (!block.wantsMore) {
        continue;
      }
      if (!this.supervisor.isReady) {
        return this.supervisor.start();
      }
      if (this.postedLanguages.has(block.language)) {
        return this.give(block);
      }
      this.postLanguage(block.language);
    }
  }

  private give(block: ColouredBlock): void {
    this.busy = { block, id: block.id };
    this.blocks.delete(block);
    this.blocks.add(block);
    this.supervisor.ask({ type: 'text', block: block.id, language: block.language, text: block.take() }, TIMEOUT_MS);
  }

  private receive({ block: id, from, lines }: FromWorker): void {
    const { busy } = this;
    this.busy = undefined;
    // The block may have been closed or restarted since.
    if (busy && busy.id === id && busy.block.id === id && this.blocks.has(busy.block)) {
      busy.block.receive(from, lines);
    }
    this.next();
  }

  private giveUp(): void {
    const { busy } = this;
    this.busy = undefined;
    this.postedLanguages.clear();
    if (busy) {
      const { language } = busy.block;
      busy.block.plain = true;
      this.strikes.set(language, (this.strikes.get(language) ?? 0) + 1);
    }
    for (const block of this.blocks) {
      block.resend();
    }
    this.next();
  }

  private greet(): void {
    this.supervisor.post({ type: 'theme', rules: this.rules });
    this.next();
  }

  private postLanguage(language: Language): void {
    if (this.loading.has(language)) {
      return;
    }
    this.loading.add(language);
    void this.deps
      .load(language)
      .then(
        (texts) => {
          if (!this.supervisor.isReady) {
            return;
          }
          this.supervisor.post({ type: 'language', language, ...texts });
          this.postedLanguages.add(language);
        },
        () => void this.strikes.set(language, STRIKES),
      )
      .then(() => {
        this.loading.delete(language);
        this.next();
      });
  }
}
