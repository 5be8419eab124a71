/** One entry of the conversation, whatever its kind. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type AbsentEntry, type Slot, isAbsent } from '../../../src/core/model/state';
import { Boundary } from '../../errorBoundary';
import { memo } from '../../memo';
import { heldBySomethingElse } from './anchor';
import { CompactionView } from '../entries/compaction';
import { ElicitationView } from '../elicitation/elicitation';
import { MessageView } from '../entries/message';
import { NoticeView } from '../entries/notice';
import { estimatedHeight } from './pages';
import { PermissionView } from '../permission/permission';
import { ToolCallView } from '../toolCalls/toolCall';
import { TurnView } from '../entries/turn';
import { UnknownView } from '../entries/unknown';
import { Unshown } from './unshown';

/** `within`: it belongs to the run whose line stands above. */
export const EntryView = memo(function EntryView({ slot, within = false }: { slot: Slot; within?: boolean }) {
  return (
    <div class={within ? 'slot slot-within' : 'slot'} data-slot={slot.entryId}>
      <Boundary of={slot} instead={() => <Unshown slot={slot} />}>
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
      return <PermissionView entry={slot} />;
    case 'turn':
      return <TurnView entry={slot} />;
    case 'elicitation':
      return <ElicitationView entry={slot} />;
    case 'notice':
      return <NoticeView entry={slot} />;
    case 'compaction':
      return <CompactionView entry={slot} />;
    default:
      return <UnknownView entry={slot} />;
  }
}

function Absent({ slot }: { slot: AbsentEntry }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => element.current!.style.setProperty('height', `${estimatedHeight(slot)}px`), []);
  useLayoutEffect(() => heldBySomethingElse(element.current!.closest<HTMLElement>('.slot')!), []);
  return <div class="absent" ref={element} aria-busy="true" />;
}
