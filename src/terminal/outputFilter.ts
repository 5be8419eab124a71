/**
 * What a terminal of the window gets of the output of a command or of a program that signs in: everything, as it would get it from a program of its
 * own, but for two things. Nothing reaches the clipboard (OSC 52), which VS Code's terminals let programs read and write without a question. And what
 * was written before somebody looked asks nothing any more: the terminal would answer today, into the command's input.
 */

/** UTF-16 units of a sequence that is not yet whole. */
const MAX_HELD = 64 * 1024;
const INTRODUCER = /[\x1b\x90\x9b\x9d]/g;
/** Control characters that do not end a sequence. */
const IGNORED = /[\x00-\x06\x08-\x17\x19\x1c-\x1f\x7f]|\x07(?!$)/g;
const IGNORED_ONE = /[\x00-\x17\x19\x1c-\x1f\x7f]/;
const CSI_BODY = /[\x00-\x17\x19\x1c-?\x7f]*/y;
const STRING_END = /[\x07\x18\x1a\x1b\x80-\x9f]/g;
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

export class OutputFilter {
  /** The beginning of a sequence whose end is still to come. */
  private held = '';

  /** @param past it was written before somebody looked */
  push(text: string, past: boolean): string {
    const input = this.held + text;
    this.held = '';
    const parts: string[] = [];
    let at = 0;
    for (;;) {
      INTRODUCER.lastIndex = at;
      const start = INTRODUCER.exec(input)?.index ?? input.length;
      parts.push(input.slice(at, start));
      if (start === input.length) {
        return parts.join('');
      }
      const end = endOfSequence(input, start);
      if (end === undefined) {
        this.hold(input.slice(start), parts);
        return parts.join('');
      }
      const sequence = input.slice(start, end);
      parts.push(this.isRefused(sequence.replace(IGNORED, ''), past) ? NOTHING : sequence);
      at = end;
    }
  }

  /** What comes next does not go on where this ended. */
  reset(): void {
    this.held = '';
  }

  private isRefused(sequence: string, past: boolean): boolean {
    return CLIPBOARD.test(sequence) || (past && QUESTIONS.some((question) => question.test(sequence)));
  }

  private hold(sequence: string, parts: string[]): void {
    if (sequence.length <= MAX_HELD) {
      this.held = sequence;
    } else if (CLIPBOARD.test(sequence.replace(IGNORED, ''))) {
      // What it says is of no interest. The last character may begin its end.
      this.held = `\x1b]52;${sequence.endsWith('\x1b') ? '\x1b' : ''}`;
    } else {
      parts.push(sequence);
    }
  }
}

/** Where the sequence at `start` ends; undefined when that is still to come. */
function endOfSequence(input: string, start: number): number | undefined {
  const first = input[start]!;
  let at = start + 1;
  let kind = first;
  if (first === '\x1b') {
    while (at < input.length && IGNORED_ONE.test(input[at]!)) {
      at++;
    }
    if (at >= input.length) {
      return undefined;
    }
    kind = input[at]!;
    if (/[\x18\x1a\x1b\x80-\x9f]/.test(kind)) {
      return at; // Broken off: another one begins.
    }
    at++;
  }
  switch (kind) {
    case '[':
    case '\x9b':
      CSI_BODY.lastIndex = at;
      CSI_BODY.exec(input);
      at = CSI_BODY.lastIndex;
      return at >= input.length ? undefined : /[@-~]/.test(input[at]!) ? at + 1 : at;
    case ']':
    case '\x9d':
      return endOfString(input, at, true);
    case 'P':
    case '\x90':
      return endOfString(input, at, false);
    default:
      return at;
  }
}

function endOfString(input: string, from: number, command: boolean): number | undefined {
  STRING_END.lastIndex = from;
  for (let match = STRING_END.exec(input); match; match = STRING_END.exec(input)) {
    const { index } = match;
    switch (match[0]) {
      case '\x07':
        if (command) {
          return index + 1;
        }
        break; // Only a system command ends with it.
      case '\x1b':
        return index + 1 >= input.length ? undefined : input[index + 1] === '\\' ? index + 2 : index;
      case '\x18':
      case '\x1a':
      case '\x9c':
        return index + 1;
      default:
        return index;
    }
  }
  return undefined;
}
