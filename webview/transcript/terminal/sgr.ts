/** The look of a terminal's text: converts SGR (ECMA-48 "Select Graphic Rendition") to CSS classes and colours. */

export interface StyledRun {
  readonly text: string;
  /** CSS classes, '' for plain. */
  readonly classes: string;
  /** `#rrggbb`, for colours beyond the theme's sixteen. */
  readonly foreground?: string;
  readonly background?: string;
}

/** The state that SGR has set. Immutable: changes create another one. */
export interface Pen {
  fg?: number | string;
  bg?: number | string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
  strike?: boolean;
}

/** The state before any SGR. */
export const PLAIN: Pen = {};

/** The style of text written with this pen. */
export function style(pen: Pen): Omit<StyledRun, 'text'> {
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

/** Returns `before` changed by `CSI parameters m`. */
export function select(before: Pen, parameters: string): Pen {
  let pen: Pen = { ...before };
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    if (code === 0) {
      pen = {};
    } else if (code === 1) {
      pen.bold = true;
    } else if (code === 2) {
      pen.dim = true;
    } else if (code === 3) {
      pen.italic = true;
    } else if (code === 4) {
      pen.underline = true;
    } else if (code === 7) {
      pen.inverse = true;
    } else if (code === 9) {
      pen.strike = true;
    } else if (code === 22) {
      pen.bold = pen.dim = false;
    } else if (code === 23) {
      pen.italic = false;
    } else if (code === 24) {
      pen.underline = false;
    } else if (code === 27) {
      pen.inverse = false;
    } else if (code === 29) {
      pen.strike = false;
    } else if (code >= 30 && code <= 37) {
      pen.fg = code - 30;
    } else if (code === 39) {
      delete pen.fg;
    } else if (code >= 40 && code <= 47) {
      pen.bg = code - 40;
    } else if (code === 49) {
      delete pen.bg;
    } else if (code >= 90 && code <= 97) {
      pen.fg = code - 82;
    } else if (code >= 100 && code <= 107) {
      pen.bg = code - 92;
    } else if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(index + 1));
      index += used;
      if (colour !== undefined) {
        pen[code === 38 ? 'fg' : 'bg'] = colour;
      }
    }
  }
  return pen;
}

/** Parses `5;n` and `2;r;g;b`. */
function extended(codes: readonly number[]): { colour?: number | string; used: number } {
  if (codes[0] === 5) {
    const colour = paletteColour(codes[1] ?? 0);
    return { ...(colour !== undefined && { colour }), used: 2 };
  }
  if (codes[0] === 2) {
    return { colour: hex(codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0), used: 4 };
  }
  return { used: 0 };
}

/** xterm's 256 colours: the theme's sixteen, a 6 × 6 × 6 cube, 24 greys. */
function paletteColour(index: number): number | string | undefined {
  if (!(index >= 0 && index <= 255)) {
    return undefined;
  }
  if (index < 16) {
    return index;
  }
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return hex(grey, grey, grey);
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function hex(...channels: number[]): string {
  return (
    '#' +
    channels
      .map((channel) =>
        Math.min(255, Math.max(0, Math.round(channel) || 0))
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  );
}
