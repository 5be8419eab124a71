/**
 * What a terminal of the window gets of the output of a command or of a program that signs in: everything, as it would get it from a program of its
 * own, with four exceptions. Nothing reaches the clipboard (OSC 52), which VS Code's terminals let programs read and write without a question. Nothing
 * passes for VS Code's shell integration (OSC 633, 133, 1337, 7, 9;9), which would put commands and folders into its history. The address of a hyperlink
 * (OSC 8) is text. And output from before the terminal was opened asks nothing: the terminal would answer now, into the command's input.
 */
import { type AnsiEvents, AnsiScanner, type Extent } from '../text/ansi/scanner';
import { withoutInner } from '../text/ansi/sequences';

/** The clipboard, and what VS Code takes for the word of its own shell integration: commands, folders and marks. */
const REFUSED = /^(?:\x1b\]|\x9d)0*(?:(?:52|633|133|1337|7)(?:;|$|[\x07\x1b\x9c])|9;0*9(?:;|$|[\x07\x1b\x9c]))/;

/** A hyperlink: its address is whatever follows the parameters, empty where it ends. */
const LINK = /^(?:\x1b\]|\x9d)0*8(?:;[^;]*;([^\x07\x1b\x9c]*))?/;
/** Programs on the second screen place each character, so nothing may be added. */
const SCREEN = /^(?:\x1b\[|\x9b)\?(?:[\d;]*;)?(?:1049|1047|47)(?:;[\d;]*)?([hl])$/;
/** UTF-16 units of a link's text that are compared with its address. */
const MAX_LINK_TEXT = 4000;

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
  /** The hyperlink that is open. */
  private link: { readonly address: string; text: string } | undefined;
  private isOnSecondScreen = false;

  /** @param past it was written before somebody looked */
  push(text: string, past: boolean): string {
    this.past = past;
    this.scanner.push(text, this);
    return this.parts.splice(0).join('');
  }

  /** What comes next does not go on where this ended. */
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

  /** The address behind the text of a link, unless the text says it: a link's text may name another address than the one it opens. */
  private endLink(): string {
    const { link } = this;
    const isShown = link && !this.isOnSecondScreen && /^https?:/i.test(link.address) && !link.text.includes(link.address);
    return isShown ? ` (${link.address})` : '';
  }

  private isRefused(sequence: string): boolean {
    return REFUSED.test(sequence) || (this.past && QUESTIONS.some((question) => question.test(sequence)));
  }
}
