/**
 * Formats the report of the user's actions on an agent's changes: plain words and unified diffs. The reader is a model, so the text is not
 * translated. Pure.
 */
import type { ReportedFile } from '../../core/fileChanges/changeReport';

export interface ReportSection extends ReportedFile {
  /** The difference from the text that the agent believes to the present one; empty where there is no text to show. */
  readonly diff: string;
  /** The difference was not computed, because the texts of this report are too long. */
  readonly isTooLong?: true;
  /** A sentence about the file as a whole. */
  readonly words?: string;
  /** The difference is left out, because the file is protected from reading. */
  readonly withheld?: boolean;
}

/** The most UTF-16 units of one file's difference, and of all of them. */
const MAX_DIFF = 16 * 1024;
const MAX_ALL = 64 * 1024;

const HEAD = `The user went over the changes that you made to files, and undid or changed some of them. The files are now as told here, not as you left them. Do not make undone changes again unless the user asks for it.`;

const WITHHELD = `The difference is not in this message, because the user's settings protect this file from being read. Read the file if you need its text: the user is asked then.`;

export function reportText(sections: readonly ReportSection[]): string {
  let left = MAX_ALL;
  const parts = sections.map(({ diff, words, withheld, isTooLong, ...file }) => {
    const said = [words ?? '', ...countText(file)].filter((each) => each !== '').join(' ');
    const head = `## ${oneLine(file.path)}\n\n${said}`;
    if (withheld === true) {
      return `${head} ${WITHHELD}`;
    }
    if (diff === '' && !isTooLong) {
      return head;
    }
    if (isTooLong || diff.length > Math.min(MAX_DIFF, left)) {
      return `${head} The difference is too long for this message: read the file.`;
    }
    left -= diff.length;
    return `${head} From your version to the present one:\n\n${fenced(`--- ${oneLine(file.path)}\n+++ ${oneLine(file.path)}\n${diff}`)}`;
  });
  return [HEAD, ...parts].join('\n\n');
}

function countText({ undone = 0, changed = 0, applied = 0 }: Omit<ReportedFile, 'path'>): readonly string[] {
  const count = (number: number, what: string): string =>
    number === 0 ? '' : number === 1 ? `The user ${what} 1 of your changes.` : `The user ${what} ${number} of your changes.`;
  return [count(undone, 'undid'), count(changed, 'edited'), count(applied, 'applied again')];
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ');
}

/** Returns the text in a fence longer than any in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${text}\n${fence}`;
}
