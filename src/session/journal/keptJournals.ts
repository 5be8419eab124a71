/** The kept sessions of one folder of journals. */
import type { Disposable } from '../../core/model/ports';
import { Listeners } from '../../util/listeners';
import type { JournalFiles } from './journalFiles';
import type { KeptSessionHit, KeptSessions, KeptSessionsPage, KeptSessionsQuery } from './keptSessions';
import type { MarksPatch } from './sessionMarks';

export class KeptJournals implements KeptSessions {
  private readonly listeners = new Listeners<[]>();

  constructor(private readonly journals: JournalFiles) {}

  async list({ folders, elsewhere = false, archived, limit, after }: KeptSessionsQuery): Promise<KeptSessionsPage> {
    const all = (await this.journals.list(Infinity)).filter(
      ({ cwd, marks }) =>
        (folders === undefined || folders.includes(cwd) !== elsewhere) &&
        (archived === undefined || (marks.archived ?? false) === archived),
    );
    const start = after === undefined ? 0 : Number(after);
    const summaries = all.slice(start, start + limit);
    const end = start + summaries.length;
    return { summaries, ...(end < all.length && { next: String(end) }), total: all.length };
  }

  async mark(key: string, patch: MarksPatch): Promise<void> {
    await this.journals.writeMarks(key, patch);
    this.listeners.call();
  }

  async *search(text: string, signal: AbortSignal): AsyncIterable<KeptSessionHit> {
    const wanted = text.toLowerCase();
    for (const summary of wanted === '' ? [] : await this.journals.list(Infinity)) {
      if (signal.aborted) {
        return;
      }
      const from = summary.title.toLowerCase().indexOf(wanted);
      if (from >= 0) {
        yield { key: summary.key, summary, excerpt: summary.title, from, to: from + wanted.length };
      }
    }
  }

  isLiveElsewhere(): Promise<boolean> {
    return Promise.resolve(false);
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }
}
