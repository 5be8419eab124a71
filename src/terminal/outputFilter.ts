/**
 * Filters the output of a command, or of a sign-in program, for a terminal of the window. The output passes unchanged, with four exceptions.
 * Nothing reaches the clipboard (OSC 52), which VS Code's terminals let programs read and write without a question. Nothing imitates VS Code's
 * shell integration (OSC 633, 133, 1337, 7, 9;9), which would put commands and folders into its history. The address of a hyperlink (OSC 8) is
 * shown as text. Output from before the terminal was opened contains no queries, because the terminal would answer them now, into the command's
 * input.
 */
import { type AnsiEvents, AnsiScanner, type Extent } from '../text/ansi/scanner';
import { withoutInner } from '../text/ansi/sequences';

/** Sequences for the clipboard, and those that VS Code accepts from its own shell integration: commands, folders and marks. */
const REFUSED = /^(?:\x1b\]|\x9d)0*(?:(?:52|633|133|1337|7)(?:;|$|[\x07\x1b\x9c])|9;0*9(?:;|$|[\x07\x1b\x9c]))/;

/** A hyperlink. Its address follows the parameters, and is empty at the link's end. */
const LINK = /^(?:\x1b\]|\x9d)0*8(?:;[^;]*;([^\x07\x1b\x9c]*))?/;
/** Switches to or from the alternate screen. Programs position each character there, so nothing may be added. */
const SCREEN = /^(?:\x1b\[|\x9b)\?(?:[\d;]*;)?(?:1049|1047|47)(?:;[\d;]*)?([hl])$/;
/** The number of UTF-16 units of a link's text that are compared with its address. */
const MAX_LINK_TEXT = 4000;

/** Replaces a refused sequence. It cancels an incomplete sequence before it, which must not continue after it. */
const NOTHING = '\x18';

/** Queries that terminals answer: device attributes and status, sizes, modes, settings, colours. */
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
  /** True while a long sequence is being dropped piece by piece. */
  private refusing = false;
  /** The currently open hyperlink. */
  private link: { readonly address: string; text: string } | undefined;
  private isOnSecondScreen = false;

  /** @param past true for output from before the terminal was opened */
  push(text: string, past: boolean): string {
    this.past = past;
    this.scanner.push(text, this);
    return this.parts.splice(0).join('');
  }

  /** Starts again: the next text does not continue the previous one. */
  reset(): void {
    this.scanner.reset();
    this.link = undefined;
    this.refusing = false;
  }

  text(text: string): void {
    if (this.link && this.link.text.length < MAX_LINK_TEXT) {
      this.link.text += text;
    }
    this.parts.push(text);
  }

  sequence(raw: string, extent: Extent): void {
    if (extent === 'begun') {
      const beginning = withoutInner(raw);
      this.refusing = REFUSED.test(beginning) || LINK.test(beginning);
    }
    if (extent === 'begun' || extent === 'more' || extent === 'ended') {
      this.parts.push(this.refusing ? (extent === 'ended' ? NOTHING : '') : raw);
      return;
    }
    const sequence = withoutInner(raw);
    const link = LINK.exec(sequence);
    if (link) {
      this.parts.push(NOTHING + this.endLink());
      this.link = link[1] ? { address: link[1], text: '' } : undefined;
      return;
    }
    const screen = SCREEN.exec(sequence)?.[1];
    this.isOnSecondScreen = screen === undefined ? this.isOnSecondScreen : screen === 'h';
    this.parts.push(this.isRefused(sequence) ? NOTHING : raw);
  }

  /** Returns the address to show after a link's text, unless the text contains it. A link's text may name another address than the one it opens. */
  private endLink(): string {
    const { link } = this;
    const isShown = link && !this.isOnSecondScreen && /^https?:/i.test(link.address) && !link.text.includes(link.address);
    return isShown ? ` (${link.address})` : '';
  }

  private isRefused(sequence: string): boolean {
    return REFUSED.test(sequence) || (this.past && QUESTIONS.some((question) => question.test(sequence)));
  }
}
