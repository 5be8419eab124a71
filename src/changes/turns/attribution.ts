/** Whose a change is where several sessions of the window work in one folder. */
import path from 'node:path';

interface Touch {
  readonly sessionKey: string;
  readonly path: string;
  readonly at: number;
}

interface RunningTurn {
  readonly sessionKey: string;
  readonly roots: readonly string[];
  readonly from: number;
  to: number;
}

/** Touches and turns that are remembered. */
const MOST = 10_000;

/** One for the window. */
export class Attribution {
  private touches: Touch[] = [];
  private turns: RunningTurn[] = [];

  /** A tool call or write of this session named the file. */
  touched(sessionKey: string, file: string, at: number): void {
    this.touches = [...this.touches, { sessionKey, path: file, at }].slice(-MOST);
  }

  /** The end of the turn is what is returned. */
  turnStarted(sessionKey: string, roots: readonly string[], from: number): (to: number) => void {
    const turn: RunningTurn = { sessionKey, roots, from, to: Infinity };
    this.turns = [...this.turns, turn].slice(-MOST);
    return (to) => (turn.to = to);
  }

  /**
   * own: nobody else can have made it; other: another session's tool call or write named it, and none of this one's; shared: nobody can tell.
   * @param from when the turn in question began, and `to` when it ended
   */
  of(sessionKey: string, file: string, from: number, to: number): 'own' | 'other' | 'shared' {
    const touched = new Set(
      this.touches.filter((touch) => touch.path === file && touch.at >= from && touch.at <= to).map((touch) => touch.sessionKey),
    );
    if (touched.has(sessionKey)) {
      return touched.size > 1 ? 'shared' : 'own';
    }
    if (touched.size > 0) {
      return 'other';
    }
    const others = this.turns.some(
      (turn) => turn.sessionKey !== sessionKey && turn.from <= to && turn.to >= from && turn.roots.some((root) => isBelow(file, root)),
    );
    return others ? 'shared' : 'own';
  }
}

function isBelow(file: string, root: string): boolean {
  return file === root || file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}
