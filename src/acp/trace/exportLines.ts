/** Writes traces as the lines of a log. Loaded by an export. */
import { LineRedaction } from '../redaction/lineRedaction';
import type { Redaction } from '../redaction/redact';
import { TraceCursor } from './cursor';
import { frameOptionsOf } from './frameOptions';
import type { Trace, TraceEntry } from './trace';
import { type AgentTrace, sourcesOf } from './traces';

export interface JsonLinesOptions {
  /** ms since the epoch that `t` counts from; default: the first entry's time */
  readonly startedAt?: number;
  /** The redaction to apply; default: none. */
  readonly redaction?: Redaction;
}

/**
 * Returns an agent's trace as the lines of a file, without secrets: a header `{"acpHostTrace":1,…}`, then the entries, their `t` in ms from the
 * header's `startedAt`.
 */
export function* exportLines(agent: AgentTrace, version: string): Iterable<string> {
  const { agentName, commandLine, address, cwd, startedAt, endedAt, trace, hops, redaction } = agent;
  yield JSON.stringify({
    acpHostTrace: 1,
    agent: redaction.text(agentName),
    ...(commandLine !== undefined && { command: redaction.text(commandLine) }),
    ...(address !== undefined && { address: redaction.text(address) }),
    cwd: redaction.text(cwd),
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    redacted: true,
    dropped: trace.dropped,
    version,
    ...(hops.length > 0 && { hops: hops.map(({ hop }) => hop) }),
  });
  const lines = new Map(sourcesOf(agent).map((source) => [source, new JsonLines(startedAt, redaction, source.hop)]));
  const cursor = new TraceCursor([...lines.keys()]);
  for (let next = cursor.read(); next; next = cursor.read()) {
    yield lines.get(next.source)!.line(next.entry);
    cursor.skipDropped();
  }
}

/**
 * Returns one JSON text per entry: `{"t":ms,"dir":"a2c"|"c2a","msg":<the frame>}`. Other lines and cut frames have `text` (and `length`) instead of
 * `msg`. Frames are inserted as they were on the wire, so ids keep their digits.
 */
export function* jsonLines(trace: Trace, { startedAt, redaction }: JsonLinesOptions = {}): Iterable<string> {
  let lines: JsonLines | undefined;
  for (const entry of trace.entries()) {
    lines ??= new JsonLines(startedAt ?? entry.at, redaction);
    yield lines.line(entry);
  }
}

/** Writes the entries of one trace as lines of a log. */
class JsonLines {
  private readonly lines: { readonly stderr: LineRedaction; readonly noise: LineRedaction } | undefined;

  /** @param hop the program of a chain whose connection the trace is about; absent: the client's own. A log is replayed from the latter alone. */
  constructor(
    private readonly startedAt: number,
    private readonly redaction?: Redaction,
    private readonly hop?: string,
  ) {
    this.lines = redaction && { stderr: new LineRedaction(redaction), noise: new LineRedaction(redaction) };
  }

  line(entry: TraceEntry): string {
    const { at, kind, text, length } = entry;
    const { redaction, hop } = this;
    const head = `{"t":${at - this.startedAt},"dir":"${kind}"${hop === undefined ? '' : `,"hop":${JSON.stringify(hop)}`}`;
    const isFrame = kind === 'a2c' || kind === 'c2a';
    const cut = length !== text.length;
    const shown =
      isFrame || kind === 'skipped'
        ? redaction?.frame(text, frameOptionsOf(entry, hop !== undefined))
        : kind === 'note'
          ? redaction?.text(text)
          : this.lines?.[kind].line(text);
    if (isFrame && !cut) {
      return `${head},"${hop === undefined ? 'msg' : 'hopFrame'}":${shown ?? text}}`;
    }
    return `${head},"text":${JSON.stringify(shown ?? text)}${cut ? `,"length":${length}` : ''}}`;
  }
}
