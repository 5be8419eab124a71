/** What ACP Host itself says about a waiting permission request: its risks, the parts of a command that ask, and rules that would answer it. Pure. */

/** A risk that is computed from the request. A model never guesses one. */
export type Risk = 'outsideFolders' | 'deletes' | 'network' | 'installsPackages' | 'protectedPaths' | 'administrator';

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A rule that the user can make on the card. */
export interface RuleOffer {
  readonly id: string;
  /** The whole effect in words, for example "Always allow npm test in this folder". */
  readonly label: string;
  /** True for a rule that answers this request with a permission. */
  readonly allows: boolean;
}

export interface PermissionAdvice {
  readonly permissionId: string;
  readonly risks: readonly Risk[];
  /** The commands of the line that need an answer; empty where all of them do. */
  readonly asking: readonly TextRange[];
  readonly offers: readonly RuleOffer[];
}

/** A piece of a command line. */
export interface CommandPiece {
  readonly text: string;
  readonly asks: boolean;
}

/** Cuts a command line into the pieces that ask and the others. Ranges that do not fit the line are left out, so that no text is lost. */
export function piecesOf(line: string, asking: readonly TextRange[]): readonly CommandPiece[] {
  const pieces: CommandPiece[] = [];
  let at = 0;
  for (const { start, end } of [...asking].sort((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > line.length) {
      continue;
    }
    pieces.push({ text: line.slice(at, start), asks: false }, { text: line.slice(start, end), asks: true });
    at = end;
  }
  return [...pieces, { text: line.slice(at), asks: false }].filter(({ text }) => text !== '');
}
