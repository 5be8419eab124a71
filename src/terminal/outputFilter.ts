/**
 * What a terminal of the window gets of the output of a command or of a program that signs in: everything, as it would get it from a program of its
 * own, but for two things. Nothing reaches the clipboard (OSC 52), which VS Code's terminals let programs read and write without a question. And what
 * was written before somebody looked asks nothing any more: the terminal would answer today, into the command's input.
 */
import { type AnsiEvents, AnsiScanner, type Extent } from '../text/ansi/scanner';
import { withoutInner } from '../text/ansi/sequences';

const CLIPBOARD = /^(?:\x1b\]|\x9d)0*52(?:;|$|[\x07\x1b\x9c])/;

/** In place of what is refused: what stood before it must not go on behind it, in a sequence that was broken off there. */
const NOTHING = '\x18';

/** What terminals answer: device attributes and status, sizes, modes, settings, colours. */
const QUESTIONS: readonly RegExp[] = [
  /^\x1bZ$/,
  /^(?:\x1b\[|\x9b)(?:[0-?]*(?:[cntxq]|\$p)|\?[0-?]*[uS])$/,
  /^(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*;\?/,
  /^(?:\x1bP|\x90)[0-?]*[$+]/,
];

export class OutputFilter implements AnsiEvents {
  private readonly scanner = new AnsiScanner();
  private parts: string[] = [];
  private past = false;
  /** What is being read is too long to be held, and what it says is of no interest. */
  private refusing = false;

  /** @param past it was written before somebody looked */
  push(text: string, past: boolean): string {
    this.past = past;
    this.scanner.push(text, this);
    return this.parts.splice(0).join('');
  }

  /** What comes next does not go on where this ended. */
  reset(): void {
    this.scanner.reset();
    this.refusing = false;
  }

  text(text: string): void {
    this.parts.push(text);
  }

  sequence(raw: string, extent: Extent): void {
    if (extent === 'begun') {
      this.refusing = CLIPBOARD.test(withoutInner(raw));
    }
    if (extent === 'begun' || extent === 'more' || extent === 'ended') {
      this.parts.push(this.refusing ? (extent === 'ended' ? NOTHING : '') : raw);
      return;
    }
    this.parts.push(this.isRefused(withoutInner(raw)) ? NOTHING : raw);
  }

  private isRefused(sequence: string): boolean {
    return CLIPBOARD.test(sequence) || (this.past && QUESTIONS.some((question) => question.test(sequence)));
  }
}
