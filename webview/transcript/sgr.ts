/**
 * Terminal output as runs of styled text: SGR (ECMA-48 "Select Graphic Rendition") is kept, every other escape sequence is dropped, a lone
 * carriage return or backspace overwrites. For text that is read, not for programs that draw.
 */
export interface Run {
  readonly text: string;
  /** CSS classes, '' for plain. */
  readonly classes: string;
  /** `#rrggbb`, for colours beyond the theme's sixteen. */
  readonly foreground?: string;
  readonly background?: string;
}

interface Pen {
  fg?: number | string;
  bg?: number | string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
  strike?: boolean;
}

// CSI, OSC (ended by BEL or ST), DCS/SOS/PM/APC strings, and two-character escapes.
 
const PIECE = /\x1b\[([0-9;:?<=>!]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[PX^_][\s\S]*?(?:\x1b\\|$)|\x1b[ -/]*[0-~]?|\r+\n|[\r\b]|[^\x1b\r\b\n]+|\n/g;

/** The lines of `output`. */
export function sgrLines(output: string): Run[][] {
  const lines: Run[][] = [];
  let line: Run[] = [];
  let pen: Pen = {};
  let overwrite = false;
  for (const match of output.matchAll(PIECE)) {
    const piece = match[0];
    if (piece.endsWith('\n') && piece.charCodeAt(0) !== 0x1b) {
      lines.push(line);
      line = [];
      overwrite = false;
    } else if (piece === '\r') {
      overwrite = true;
    } else if (piece === '\b') {
      line = withoutLast(line);
    } else if (piece.charCodeAt(0) === 0x1b) {
      if (match[2] === 'm' && !/[?<=>!]/.test(match[1]!)) pen = select(pen, match[1]!);
    } else {
      if (overwrite) line = [];
      overwrite = false;
       
      const text = piece.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
      if (text) line.push({ text, ...style(pen) });
    }
  }
  lines.push(line);
  return lines;
}

/** The last `count` lines of `output`, as text; lines before them are never looked at. */
export function lastLines(output: string, count: number): { text: string; cut: boolean } {
  let at = output.length;
  for (let seen = 0; seen <= count; seen++) {
    at = output.lastIndexOf('\n', at - 1);
    if (at <= 0) return { text: output, cut: false };
  }
  return { text: output.slice(at + 1), cut: true };
}

function withoutLast(line: readonly Run[]): Run[] {
  const last = line.at(-1);
  if (!last) return [];
  const text = last.text.slice(0, -1);
  return [...line.slice(0, -1), ...(text ? [{ ...last, text }] : [])];
}

function style(pen: Pen): Omit<Run, 'text'> {
  const [fg, bg] = pen.inverse ? [pen.bg ?? 'inverse', pen.fg ?? 'inverse'] : [pen.fg, pen.bg];
  const classes = [
    pen.bold && 'sgr-bold',
    pen.dim && 'sgr-dim',
    pen.italic && 'sgr-italic',
    pen.underline && 'sgr-underline',
    pen.strike && 'sgr-strike',
    typeof fg === 'number' && `sgr-fg-${fg}`,
    typeof bg === 'number' && `sgr-bg-${bg}`,
    fg === 'inverse' && 'sgr-fg-inverse',
    bg === 'inverse' && 'sgr-bg-inverse',
  ].filter(Boolean);
  return {
    classes: classes.join(' '),
    ...(typeof fg === 'string' && fg.startsWith('#') && { foreground: fg }),
    ...(typeof bg === 'string' && bg.startsWith('#') && { background: bg }),
  };
}

function select(before: Pen, parameters: string): Pen {
  let pen: Pen = { ...before };
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    if (code === 0) pen = {};
    else if (code === 1) pen.bold = true;
    else if (code === 2) pen.dim = true;
    else if (code === 3) pen.italic = true;
    else if (code === 4) pen.underline = true;
    else if (code === 7) pen.inverse = true;
    else if (code === 9) pen.strike = true;
    else if (code === 22) pen.bold = pen.dim = false;
    else if (code === 23) pen.italic = false;
    else if (code === 24) pen.underline = false;
    else if (code === 27) pen.inverse = false;
    else if (code === 29) pen.strike = false;
    else if (code >= 30 && code <= 37) pen.fg = code - 30;
    else if (code === 39) delete pen.fg;
    else if (code >= 40 && code <= 47) pen.bg = code - 40;
    else if (code === 49) delete pen.bg;
    else if (code >= 90 && code <= 97) pen.fg = code - 82;
    else if (code >= 100 && code <= 107) pen.bg = code - 92;
    else if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(index + 1));
      index += used;
      if (colour !== undefined) pen[code === 38 ? 'fg' : 'bg'] = colour;
    }
  }
  return pen;
}

/** `5;n` and `2;r;g;b`. */
function extended(codes: readonly number[]): { colour?: number | string; used: number } {
  if (codes[0] === 5) {
    const colour = paletteColour(codes[1] ?? 0);
    return { ...(colour !== undefined && { colour }), used: 2 };
  }
  if (codes[0] === 2) return { colour: hex(codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0), used: 4 };
  return { used: 0 };
}

/** xterm's 256 colours: the theme's sixteen, a 6 × 6 × 6 cube, 24 greys. */
function paletteColour(index: number): number | string | undefined {
  if (!(index >= 0 && index <= 255)) return undefined;
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return hex(grey, grey, grey);
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function hex(...channels: number[]): string {
  return '#' + channels.map((channel) => Math.min(255, Math.max(0, Math.round(channel) || 0)).toString(16).padStart(2, '0')).join('');
}
