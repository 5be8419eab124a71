/**
 * The messages between a window and the keeper, the program that holds an agent's process while there is no window. Each is one text of a WebSocket.
 * Frames are a number, a flag and the JSON text of the agent protocol; each further line is the JSON text of the next number. A control message begins
 * with `!`.
 */
import type { TransportEnd } from '../model/transport';

/** Increased with each change that an older keeper or window does not understand. */
export const KEEPER_PROTOCOL = 2;

/** The header of a window's request with its challenge. The keeper answers it with a {@link KeeperChallenge}. */
export const CHALLENGE_HEADER = 'x-acp-host-challenge';

/** The end of the name of a keeper's file with frames, beside its record. Only on Windows the file has a name for more than a moment. */
export const FRAMES = '.frames';

/** How long the agent runs without a window. */
export interface KeepLimits {
  /** `reload`: until a window comes back, for a short time. `always`: until it was idle for a long time. */
  readonly mode: 'reload' | 'always';
  /** ms without a window after which an agent of the mode `reload` ends. */
  readonly awayMs: number;
  /** ms without a window and without a turn after which an agent of the mode `always` ends. */
  readonly idleMs: number;
  /** ms without a window after which the agent's request is answered as cancelled. */
  readonly requestMs: number;
}

/** The program of an agent; see `PreparedProgram`. */
interface KeptProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The instructions that a keeper reads from its standard input. They contain secrets, so they are in no file and on no command line. */
export interface KeeperStart {
  readonly id: string;
  readonly token: string;
  /** The socket's path, or the name of a pipe on Windows. */
  readonly address: string;
  /** The file that other windows find; see {@link KeeperRecord}. Deleted at the end. */
  readonly record: string;
  readonly limits: KeepLimits;
  readonly maxLineBytes: number;
  readonly launch: { readonly agentName: string; readonly command: string; readonly args: readonly string[]; readonly cwd: string };
  readonly program: KeptProgram;
  readonly mark: string;
}

/** The content of the file by which a window finds a keeper. Only the user can read it. */
export interface KeeperRecord {
  readonly id: string;
  readonly protocol: number;
  readonly address: string;
  readonly token: string;
  readonly pid: number;
  /** In the environment of the agent's processes. */
  readonly mark: string;
}

/** A request of a window that the agent has not answered, or whose answer no window has stored. */
export interface KeptRequest {
  readonly id: number;
  readonly method: string;
  readonly sessionId?: string;
}

/** The first message of a keeper: it proves that it knows the token, and asks the window for the same. See `util/sockets/mutualProof.ts`. */
export interface KeeperChallenge {
  readonly type: 'challenge';
  readonly challenge: string;
  readonly proof: string;
}

/** The state of the connection that a window receives when it has proven that it knows the token. */
export interface KeeperHello {
  readonly type: 'hello';
  readonly protocol: number;
  readonly id: string;
  /** The process of the keeper. */
  readonly keeperPid: number;
  /** The process of the agent; undefined until it runs. */
  readonly pid?: number;
  /** When the agent started, in ms since the epoch. Absent in an earlier version of the keeper. */
  readonly startedAt?: number;
  /** The number of the last frame that the window has acknowledged, and of the agent's last one. */
  readonly acknowledged: number;
  readonly last: number;
  /** The number of the last frame that the keeper received from a window. */
  readonly received: number;
  /** The first id that no request of an earlier window has. */
  readonly nextId: number;
  readonly requests: readonly KeptRequest[];
  /** True when the agent has answered `initialize`. */
  readonly isInitialized: boolean;
  /** The text that the last window left for the next one. */
  readonly note?: string;
}

export type ToWindow =
  | KeeperChallenge
  | KeeperHello
  | { readonly type: 'started'; readonly pid: number }
  /** Frames of the window up to this number were passed on to the agent. */
  | { readonly type: 'received'; readonly n: number }
  | { readonly type: 'skipped'; readonly n: number; readonly bytes: number; readonly head: string; readonly tail: string }
  | { readonly type: 'stderr'; readonly line: string }
  /** The agent has ended. Sent after its last frame. */
  | { readonly type: 'ended'; readonly end: TransportEnd };

export type ToKeeper =
  /** The answer to a {@link KeeperChallenge}. */
  | { readonly type: 'proof'; readonly proof: string }
  /** Delivers the frames after this number, and the requests before it that have no answer. */
  | { readonly type: 'attach'; readonly from: number }
  /** Frames up to this number are stored by the window. */
  | { readonly type: 'stored'; readonly n: number }
  /** Kept for the next window. `isKept`: false when no session needs the agent after the window. */
  | { readonly type: 'note'; readonly note: string; readonly isKept: boolean }
  | { readonly type: 'limits'; readonly limits: KeepLimits }
  /** Ends the agent and the keeper. */
  | { readonly type: 'end' };

/** `d`: some characters are U+FFFD, for bytes that are not UTF-8. `r`: a request that was delivered before. */
export type FrameFlag = '' | 'd' | 'r';

/** Frames with consecutive numbers. */
export interface Frames {
  /** The number of the first. */
  readonly n: number;
  readonly flag: FrameFlag;
  /** The JSON texts, one a line. */
  readonly lines: string;
}

export function frameText(n: number, json: string, flag: FrameFlag = ''): string {
  return `${n}${flag} ${json}`;
}

export function controlText(message: ToWindow | ToKeeper): string {
  return `!${JSON.stringify(message)}`;
}

const FRAME = /^(\d{1,15})([dr]?) /;

/** Returns the message in a text; undefined when it is neither a frame nor a control message. Checks no fields. */
export function readMessage<Control>(text: string): { readonly frames: Frames } | { readonly control: Control } | undefined {
  if (text.startsWith('!')) {
    try {
      const control: unknown = JSON.parse(text.slice(1));
      const isMessage = typeof control === 'object' && control !== null && typeof (control as { type?: unknown }).type === 'string';
      return isMessage ? { control: control as Control } : undefined;
    } catch {
      return undefined;
    }
  }
  const match = FRAME.exec(text.length > 32 ? text.slice(0, 32) : text);
  return match ? { frames: { n: Number(match[1]), flag: match[2] as FrameFlag, lines: text.slice(match[0].length) } } : undefined;
}

/** Calls `each` with the JSON text of each frame. */
export function eachFrame({ n, lines }: Frames, each: (n: number, json: string) => void): void {
  for (let start = 0, index = 0; start <= lines.length; index++) {
    const feed = lines.indexOf('\n', start);
    const end = feed < 0 ? lines.length : feed;
    each(n + index, start === 0 && feed < 0 ? lines : lines.slice(start, end));
    start = end + 1;
  }
}
