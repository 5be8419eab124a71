/**
 * A saved log as the sessions that were in it: our exported traces, our journals, an agent's bare stdout, other tools' transcripts. A line that
 * cannot be read costs itself.
 */
import type { Direction, LoggedFrame } from './logLines';
import { LogLines } from './logLines';
import { textOf } from '../json/fields';
import { FrameReader } from '../transport/ndjson';
import { Recording } from './recording';
import { ReplayConnection } from './connection';
import { ReplaySessions } from './sessions';

export interface ReplayOptions {
  /** ms since the epoch, for a log that does not say when it was made */
  readonly startedAt: number;
  /** What the agent is called when the log does not say. */
  readonly agentName: string;
}

export class LogReplay {
  /** Lines that could not be read. */
  damaged = 0;
  /** Frames of which the log has only the beginning. */
  cut = 0;
  private readonly lines: LogLines;
  private readonly clock: { now: number };
  private readonly recorded: ReplaySessions;
  private readonly connection: ReplayConnection;
  /** What a journal holds. */
  private journal: Recording | undefined;

  constructor({ startedAt, agentName }: ReplayOptions) {
    this.lines = new LogLines(startedAt);
    this.clock = { now: startedAt };
    this.recorded = new ReplaySessions(this.clock, agentName);
    this.connection = new ReplayConnection(this.recorded);
  }

  /** Those that there is something to read of, in the order they came up: a conversation, or at least a notice of why there is none. */
  private get sessions(): readonly Recording[] {
    const all = [...(this.journal ? [this.journal] : []), ...this.recorded.all];
    const talked = all.filter(({ hasContent }) => hasContent);
    return talked.length > 0 ? talked : all.filter(({ length }) => length > 0);
  }

  /** The log's next line. Never throws. */
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

  /** A line that was too long to be read. */
  skip(): void {
    this.damaged++;
  }

  /** No more comes: what was open stays unanswered, and every session says that this is the end of the log. Returns {@link sessions}. */
  end(): readonly Recording[] {
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

  /** An answer goes to whoever asked; nobody we know of means that the log has only what the agent said. */
  private directionOfAnswer(idLiteral: string): Direction {
    return this.connection.asked('a2c', idLiteral) && !this.connection.asked('c2a', idLiteral) ? 'c2a' : 'a2c';
  }
}

export interface ReplayStreamOptions extends ReplayOptions {
  /** Bytes that are read at most. */
  readonly maxBytes: number;
  /** Lets others run; called between two chunks. Rejects when nobody wants the rest. */
  pause(readBytes: number): Promise<void>;
}

/** Bytes of one line; a longer one is skipped. One line is read at once, so this is how long the window may wait. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Reads a log of any size. `isWhole`: false when it goes on beyond `maxBytes`. */
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
      reader.stop(); // What is left of the last line is no line.
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
