/** The late modules that render entries. */
import type { Entries } from '../../../src/core/model/state';
import { type LazyModule, LazySlot } from '../../base/lazy';
import { elicitationChunk } from '../elicitation/lazyElicitation';
import { toolChunk } from '../toolCalls/lazyToolCalls';
import { subagentChunk } from './lazySubagents';

/** Messages, tool calls as lines, turns, and with them Markdown. */
export const entriesChunk = new LazySlot<Pick<typeof import('./toolGroupEntries'), 'PageEntries'>>();

type AnyChunk = Pick<LazyModule<unknown>, 'value' | 'load'>;

/** Returns the modules that must be loaded before the conversation can be rendered completely. */
export function chunksFor(entries: Entries): readonly AnyChunk[] {
  const chunks = new Set<AnyChunk>([entriesChunk]);
  for (let index = 0; index < entries.length && chunks.size < 4; index++) {
    const chunk = chunkOf(entries.at(index)!.kind);
    if (chunk) {
      chunks.add(chunk);
    }
  }
  return [...chunks];
}

function chunkOf(kind: string): AnyChunk | undefined {
  switch (kind) {
    case 'message':
    case 'turn':
    case 'notice':
    case 'compaction':
      return undefined;
    case 'subagent':
    case 'session_message':
      return subagentChunk;
    case 'elicitation':
      return elicitationChunk;
    default:
      return toolChunk;
  }
}
