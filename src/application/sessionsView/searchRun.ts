/** One search over stored sessions that reports results as they are found, and the text of a result. Independent of VS Code. */
import path from 'node:path';
import type { KeptSessionHit, SessionCatalog } from '../../session/journal/sessionCatalog';
import { inert, type InertText, joined, inertLine } from '../shared/escape';
import { relativeTime } from '../shared/relativeTime';
import type { Translate } from '../shared/translate';

export class SearchRun {
  readonly hits: KeptSessionHit[] = [];
  done = false;
  /** True when the search stopped at the maximum, although there is more to find. */
  more = false;
  private readonly abort = new AbortController();

  /** @param changed called for each result, and at the end */
  constructor(
    kept: Pick<SessionCatalog, 'search'>,
    text: string,
    private readonly most: number,
    private readonly changed: () => void,
  ) {
    void this.read(kept.search(text, this.abort.signal));
  }

  stop(): void {
    this.abort.abort();
  }

  private async read(found: AsyncIterable<KeptSessionHit>): Promise<void> {
    try {
      for await (const hit of found) {
        if (this.abort.signal.aborted) {
          return;
        }
        if (this.hits.length >= this.most) {
          this.more = true;
          this.stop();
          break;
        }
        this.hits.push(hit);
        this.changed();
      }
    } catch {
      // Results found before the error remain.
    }
    this.done = true;
    this.changed();
  }
}

export interface HitRow {
  readonly label: InertText;
  /** The agent, the folder and the time. */
  readonly description: InertText;
  /** The matching part of a message. Undefined when the title matches. */
  readonly detail?: InertText;
}

const MAX_TITLE = 100;
const MAX_NAME = 60;
/** The number of UTF-16 units shown before the match, and below in total. */
const MAX_BEFORE = 40;
const MAX_EXCERPT = 160;

export function hitRow({ summary, excerpt, from, entryId }: KeptSessionHit, now: number, language: string, t: Translate): HitRow {
  const { title, agentName, cwd, turnEndedAt, changedAt, createdAt, marks } = summary;
  const place = t('{agent} in {folder}', {
    agent: inertLine(agentName, MAX_NAME),
    folder: inertLine(path.basename(cwd) || cwd, MAX_NAME),
  });
  const time = inert(relativeTime(turnEndedAt ?? changedAt ?? createdAt, now, language, 'narrow'));
  return {
    label: inertLine(marks.name?.trim() || title || agentName, MAX_TITLE),
    description: joined([place, time], ' · '),
    ...(entryId !== undefined && { detail: around(excerpt, from) }),
  };
}

/** Returns the part of an excerpt that contains the match. It starts with a whole word, unless no word starts in the part before the match. */
function around(excerpt: string, from: number): InertText {
  const first = Math.max(0, from - MAX_BEFORE);
  const space = first > 0 ? excerpt.slice(first - 1, from).search(/\s/) : -1;
  const start = first + Math.max(0, space);
  const part = excerpt.slice(start, start + MAX_EXCERPT).replace(/\s+/g, ' ');
  return joined([inert(start > 0 ? '…' : ''), inertLine(part), inert(start + MAX_EXCERPT < excerpt.length ? '…' : '')], '');
}
