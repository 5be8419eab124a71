/** Terminal output, cut anywhere, as text, control characters and sequences. What is only for a terminal's own window (titles, links, the clipboard) is passed over. */

export interface OutputEvents {
  /** Without control characters. */
  text(text: string): void;
  /** 0 stands for a sequence that says nothing, too. */
  control(code: number): void;
  /** `CSI prefix parameters intermediates final` */
  csi(final: string, parameters: string, prefix: string, intermediates: string): void;
  escape(final: string, intermediates: string): void;
}

const TEXT = '[^\\x00-\\x1f\\x7f-\\x9f]+';
const CSI = '(?:\\x1b\\[|\\x9b)([<-?]?)([0-;]*)([ -/]*)([@-~])';
const STRING =
  '(?:\\x1b[P\\]X^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x18\\x1a\\x1b\\x80-\\x9f]*(?:[\\x07\\x18\\x1a\\x9c]|\\x1b\\\\|(?=[\\x1b\\x80-\\x9f]))';
const ESCAPE = '\\x1b([ -/]*)([0-OQ-WYZ\\\\`-~])';
const PIECE = new RegExp(`(${TEXT})|${CSI}|${STRING}|${ESCAPE}|[\\x00-\\x1a\\x1c-\\x1f\\x7f-\\x8f\\x91-\\x97\\x99\\x9a\\x9c]`, 'g');
/** A sequence whose end is still to come, at the end of what there is. */
const BEGUN = /(?:\x1b\[|\x9b)[0-?]*[ -/]*$|(?:\x1b[P\]X^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x80-\x9f]*\x1b?$|\x1b[ -/]*$/;
/** UTF-16 units of a sequence that is not yet whole; a longer one is nothing that is waited for. */
const MAX_HELD = 64 * 1024;
const C1: Readonly<Record<number, string>> = { 0x84: 'D', 0x85: 'E', 0x8d: 'M' };

export class OutputParser {
  private held = '';

  push(added: string, events: OutputEvents): void {
    let output = this.held + added;
    this.held = '';
    const begun = BEGUN.exec(output.slice(Math.max(0, output.length - MAX_HELD)));
    if (begun) {
      this.held = begun[0];
      output = output.slice(0, output.length - begun[0].length);
    }
    for (const match of output.matchAll(PIECE)) {
      const [piece, text, prefix, parameters, intermediates, final, between, last] = match;
      if (text !== undefined) {
        events.text(text);
      } else if (final !== undefined) {
        events.csi(final, parameters!, prefix!, intermediates!);
      } else if (last !== undefined) {
        events.escape(last, between!);
      } else if (piece.length === 1) {
        const code = piece.charCodeAt(0);
        if (C1[code]) {
          events.escape(C1[code], '');
        } else {
          events.control(code);
        }
      } else {
        events.control(0);
      }
    }
  }
}
