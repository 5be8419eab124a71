/** How the frame of an entry is redacted. */
import type { FrameOptions } from '../redaction/redact';
import type { TraceEntry } from './trace';

/** @param isOfChain the trace is about a program of a chain, which passes on what the client answers */
export function frameOptionsOf({ kind, text, length }: Pick<TraceEntry, 'kind' | 'text' | 'length'>, isOfChain: boolean): FrameOptions {
  return { fromClient: kind === 'c2a' || isOfChain, cut: length !== text.length };
}
