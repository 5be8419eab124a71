/** The late module that renders subagents, and the messages between sessions. */
import type { ComponentType } from 'preact';
import type { SessionMessageEntry, SubagentEntry } from '../../../src/core/model/subagent';
import { LazySlot } from '../../base/lazy';

/** A subagent's card renders pages of entries, so that this folder cannot import it. */
export const subagentChunk = new LazySlot<{
  readonly SubagentView: ComponentType<{ entry: SubagentEntry }>;
  readonly SessionMessageView: ComponentType<{ entry: SessionMessageEntry }>;
}>();
