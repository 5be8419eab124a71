/**
 * Reads a saved log as its sessions: exported traces, journals, an agent's bare stdout, other tools' transcripts. An unreadable line affects only
 * itself.
 */
import type { Direction, LoggedFrame } from './logLines';
import { LogLines } from './logLines';
import { textOf } from '../json/fields';
import type { LoggedVersions } from '../clientFrames';
import { FrameReader } from '../../util/frames/frameReader';
import { Recording } from './recording';
import { ReplayConnection } from './connection';
import { ReplaySessions } from './sessions';

export interface ReplayOptions {
  /** ms since the epoch, for a log without a time of its own */
  readonly startedAt: number;
  /** The agent's name when the log does not contain it. */
  readonly agentName: string;
  /** The protocol versions that a log may have. */
  readonly versions: LoggedVersions;
}

export class LogReplay {
  /** The number of lines that could not be read. */
  damaged = 0;
  /** The number of frames of which the log contains only the beginning. */
  cut = 0;
  private readonly lines: LogLines;
  private readonly clock: { now: number };
  private readonly recorded: ReplaySessions;
  private readonly connection: ReplayConnection;
  /** The recording of a journal's events. */
  private journal: Recording | undefined;

  constructor({ startedAt, agentName, versions }: ReplayOptions) {
    this.lines = new LogLines(startedAt);
    this.clock = { now: startedAt };
    this.recorded = new ReplaySessions(this.clock, agentName);
    this.connection = new ReplayConnection(this.recorded, versions);
  }

  /** The sessions with content, in the order of their appearance. Without any, those that have at least a notice. */
  private get sessions(): readonly Recording[] {
    const all = [...(this.journal ? [this.journal] : []), ...this.recorded.all];
    const talked = all.filter(({ hasContent }) => hasContent);
    return talked.length > 0 ? talked : all.filter(({ length }) => length > 0);
  }

  /** Reads the log's next line. Never throws. */
  push(text: string): void {
    const line = this.lines.read(text);
    switch (line.kind) {
      case 'frame':
        this.clock.now = line.at;
        this.frame(line);
        break;
      case 'event':
        this.clock.now = line.event.at;
        this.journal ??= new Recording(this.clock);
        this.journal.add(line.event);
        break;
      case 'header':
        this.recorded.describe(line);
        break;
      case 'other':
        break;
      default:
        this[line.kind]++;
    }
  }

  /** Counts a line that was too long to be read. */
  skip(): void {
    this.damaged++;
  }

  /** Ends the log: open requests stay unanswered, and every session gets a notice about the end of the log. Returns {@link sessions}. */
  end(): readonly Recording[] {
    this.connection.end();
    this.recorded.end();
    const { sessions } = this;
    const lines = this.damaged + this.cut;
    for (const recording of sessions) {
      if (lines > 0) {
        recording.notice('', 'warning', { code: 'log.damaged', params: { lines } });
      }
      recording.append({ type: 'disconnected', failure: { code: 'session.replayed' } });
    }
    return sessions;
  }

  private frame({ message, idLiteral, direction }: LoggedFrame): void {
    const method = textOf(message.method);
    if (method !== undefined) {
      this.connection.called(direction ?? 'a2c', method, message.params, idLiteral);
    } else if (idLiteral !== undefined) {
      this.connection.answered(direction ?? this.directionOfAnswer(idLiteral), message, idLiteral);
    }
  }

  /**
   * The direction of a response, from the request that it answers. Without a known request, the log is assumed to contain only the agent's messages.
   */
  private directionOfAnswer(idLiteral: string): Direction {
    return this.connection.requested('a2c', idLiteral) && !this.connection.requested('c2a', idLiteral) ? 'c2a' : 'a2c';
  }
}

export interface ReplayStreamOptions extends ReplayOptions {
  /** The most bytes to read. */
  readonly maxBytes: number;
  /** Lets other code run between two chunks. Rejects when the replay is cancelled. */
  pause(readBytes: number): Promise<void>;
}

/** Bytes of one line; a longer one is skipped. A line is read at once, so the limit bounds how long the window is blocked. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Reads a log of any size. `isWhole` is false when it continues beyond `maxBytes`. */
export async function replayStream(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, pause, ...options }: ReplayStreamOptions,
): Promise<{ readonly sessions: readonly Recording[]; readonly isWhole: boolean }> {
  const replay = new LogReplay(options);
  const reader = new FrameReader({ line: (text) => replay.push(text), skipped: () => replay.skip() }, MAX_LINE_BYTES);
  let read = 0;
  let isWhole = true;
  for await (const chunk of chunks) {
    if (read + chunk.length > maxBytes) {
      reader.push(chunk.subarray(0, maxBytes - read));
      reader.stop(); // The rest of the last line is incomplete.
      isWhole = false;
      break;
    }
    read += chunk.length;
    reader.push(chunk);
    await pause(read);
  }
  reader.end();
  return { sessions: replay.end(), isWhole };
}
