/** One entry of the conversation, of any kind. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Slot, isAbsent } from '../../../src/core/model/state';
import { Boundary } from '../../base/errorBoundary';
import { type LazyModule, useLoaded } from '../../base/lazy';
import { memo } from '../../base/memo';
import { elicitationChunk } from '../elicitation/lazyElicitation';
import { toolChunk } from '../toolCalls/lazyToolCalls';
import { excludeFromScrollAnchoring } from './anchor';
import { CompactionView } from '../entries/compaction';
import { MessageView } from '../entries/message';
import { NoticeView } from '../entries/notice';
import { subagentChunk } from './lazySubagents';
import { estimatedHeight } from './pages';
import { ToolCallView } from '../toolCalls/toolCall';
import { TurnView } from '../entries/turn';
import { UnknownView } from '../entries/unknown';
import { FallbackEntry } from './fallbackEntry';

/** @param within the entry belongs to a run of tool calls whose line is above it */
export const EntryView = memo(function EntryView({ slot, within = false }: { slot: Slot; within?: boolean }) {
  return (
    <div class={within ? 'slot slot-within' : 'slot'} data-slot={slot.entryId}>
      <Boundary of={slot} instead={() => <FallbackEntry slot={slot} />}>
        <Body slot={slot} />
      </Boundary>
    </div>
  );
});

function Body({ slot }: { slot: Slot }) {
  if (isAbsent(slot)) {
    return <Absent slot={slot} />;
  }
  switch (slot.kind) {
    case 'message':
      return <MessageView entry={slot} />;
    case 'tool_call':
      return <ToolCallView entry={slot} />;
    case 'permission':
      return <LazyEntry chunk={toolChunk} slot={slot} draw={({ PermissionView }) => <PermissionView entry={slot} />} />;
    case 'turn':
      return <TurnView entry={slot} />;
    case 'elicitation':
      return <LazyEntry chunk={elicitationChunk} slot={slot} draw={({ ElicitationView }) => <ElicitationView entry={slot} />} />;
    case 'notice':
      return <NoticeView entry={slot} />;
    case 'compaction':
      return <CompactionView entry={slot} />;
    case 'subagent':
      return <LazyEntry chunk={subagentChunk} slot={slot} draw={({ SubagentView }) => <SubagentView entry={slot} />} />;
    case 'session_message':
      return <LazyEntry chunk={subagentChunk} slot={slot} draw={({ SessionMessageView }) => <SessionMessageView entry={slot} />} />;
    default:
      return <UnknownView entry={slot} />;
  }
}

/** An entry whose code may not be loaded yet, which is rare: see `chunks.ts`. */
function LazyEntry<T>({ chunk, slot, draw }: { chunk: LazyModule<T>; slot: Slot; draw: (chunk: T) => ComponentChildren }) {
  const loaded = useLoaded(chunk);
  return <>{loaded === undefined ? <Absent slot={slot} /> : draw(loaded)}</>;
}

function Absent({ slot }: { slot: Slot }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => element.current!.style.setProperty('height', `${estimatedHeight(slot)}px`), []);
  useLayoutEffect(() => excludeFromScrollAnchoring(element.current!.closest<HTMLElement>('.slot')!), []);
  return <div class="absent" ref={element} aria-busy="true" />;
}
