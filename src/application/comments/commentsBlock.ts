/** Comments of the user on lines as one block of a prompt. Pure. */
import { commentsUri } from '../../core/model/attachment';
import type { ContentBlock } from '../../core/model/content';

export interface LineComment {
  readonly id: number;
  /** A file's absolute path, or what else the lines are of. */
  readonly place: string;
  /** Lines, 1-based; `end` is the last one. */
  readonly first: number;
  readonly end: number;
  /** The text of the lines; empty where it is withheld. */
  readonly lines: string;
  /** The file is protected from reading, so its text is left out. */
  readonly isWithheld?: true;
  readonly text: string;
}

/** The most lines and UTF-16 units that are quoted. An agent that needs more reads the file. */
const MAX_LINES = 20;
const MAX_UNITS = 4000;

/** For a model, so not translated. */
const WITHHELD = "(The lines are not quoted, because the user's settings protect this file from being read.)";

/** @param collection whose place in the composer it takes */
export function commentsBlock(collection: string, comments: readonly LineComment[]): ContentBlock {
  const texts = comments.map((comment) => {
    const { place, lines, isWithheld, text } = comment;
    return [`${place}:${linesText(comment)}`, isWithheld ? WITHHELD : quoted(lines), '', text.trim()].join('\n');
  });
  const text = `Comments of the user on these lines:\n\n${texts.join('\n\n---\n\n')}\n`;
  return {
    type: 'resource',
    uri: commentsUri(
      collection,
      comments.map(({ id }) => id),
      locationText(comments),
    ),
    mimeType: 'text/markdown',
    text,
  };
}

/** The name of the only file, with the lines of an only comment; undefined where the comments are on several files. */
function locationText(comments: readonly LineComment[]): string | undefined {
  const [first, ...others] = comments;
  if (!first || others.some(({ place }) => place !== first.place)) {
    return undefined;
  }
  const name = /[^\\/]+$/.exec(first.place)?.[0] ?? first.place;
  return others.length > 0 ? name : `${name}:${linesText(first)}`;
}

function linesText({ first, end }: LineComment): string {
  return first === end ? String(first) : `${first}-${end}`;
}

function quoted(text: string): string {
  const lines = text.slice(0, MAX_UNITS).split(/\r\n|\r|\n/);
  const shown = lines.slice(0, MAX_LINES);
  const isCut = text.length > MAX_UNITS || lines.length > MAX_LINES;
  return [...shown, ...(isCut ? ['…'] : [])].map((line) => `> ${line}`).join('\n');
}
