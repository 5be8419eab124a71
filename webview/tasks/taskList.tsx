/** The list above the composer of the work in the background: its status, output and Stop. Loaded when the first task appears. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isActiveTask } from '../../src/core/background/activeTasks';
import { type BackgroundItem, backgroundItems } from '../../src/core/background/backgroundItems';
import { entryIdOf, isAbsent, isFinalStatus } from '../../src/core/model/state';
import { canStop, slotIn, subagentName, subagentOf } from '../../src/core/subagents/subagentTree';
import { escapeMisleading, oneLine } from '../../src/text/characters/textSafety';
import { tasksText, taskStatusLabel } from '../../src/text/messages/tasks';
import { FileIcon, Spinner, StatusIcon, StopIcon } from '../base/icons';
import { t } from '../base/l10n';
import { baseName, elapsed } from '../base/strings';
import { Disclosure } from '../components/disclosure';
import { useNow, useSelect, useView } from '../state/context';
import { MarkEnded } from './markEnded';
import { TerminalView } from '../transcript/terminal/terminal';

/** UTF-16 units. */
const MAX_NAME = 120;
const MAX_SUMMARY = 1000;
const MAX_STATUS = 40;

/** @param leave puts the focus into the composer */
export function TaskList({ leave }: { leave: () => void }) {
  const backgroundTasks = useSelect((state) => state.backgroundTasks);
  const background = useSelect((state) => state.background);
  const terminals = useSelect((state) => state.terminals);
  const items = backgroundItems({ ...(backgroundTasks && { backgroundTasks }), background, terminals });
  const running = items.filter(isActiveTask).length;
  const root = useRef<HTMLDivElement>(null);
  // Read before the list and its focus leave the document.
  const hadFocus = items.length === 0 && root.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (hadFocus) {
      leave();
    }
  }, [hadFocus]);
  if (items.length === 0) {
    return null;
  }
  return (
    <div class="changes-bar" role="group" aria-label={t('Background tasks')} ref={root}>
      <Disclosure name="background-tasks" label={<span>{tasksText(running, t)}</span>}>
        {() => (
          <ul class="changes-list" aria-label={t('Background tasks')}>
            {items.map((item) => (
              <TaskRow key={item.key} given={item} />
            ))}
          </ul>
        )}
      </Disclosure>
    </div>
  );
}

/** Returns an item of the agent's list with the name and the Stop of its tool call, or of its subagent. */
function useDescribed(item: BackgroundItem): BackgroundItem {
  const { isCall, toolCallId, subagentId } = item;
  const call = useSelect((state) => (isCall ? slotIn(state, entryIdOf.toolCall(toolCallId!)) : undefined));
  const child = useSelect((state) => (subagentId === undefined ? undefined : subagentOf(state, subagentId)));
  if (child) {
    return {
      ...item,
      name: subagentName(child),
      ...(child.description !== undefined && { summary: child.description }),
      ...(child.isStopping && { status: 'stopping' }),
      canStop: canStop(child),
    };
  }
  if (call && !isAbsent(call) && call.kind === 'tool_call') {
    return {
      ...item,
      name: call.title ?? item.name,
      ...(call.status === 'paused' && { status: call.status }),
      canStop: call.canCancel === true && !isFinalStatus(call.status),
    };
  }
  return item;
}

function TaskRow({ given }: { given: BackgroundItem }) {
  const { post } = useView();
  const item = useDescribed(given);
  const isActive = isActiveTask(item);
  const now = useNow(isActive && item.at !== undefined);
  const name = oneLine(item.name, MAX_NAME);
  const word = taskStatusLabel(item.status, t, (status) => oneLine(status, MAX_STATUS));
  const time = item.at === undefined ? '' : elapsed(Math.max(0, (item.endedAt ?? now) - item.at));
  const stop = (): void => {
    if (item.taskId !== undefined) {
      post({ type: 'stop_task', taskId: item.taskId });
    } else if (item.subagentId !== undefined) {
      post({ type: 'stop_subagent', subagentId: item.subagentId });
    } else if (item.terminalId !== undefined) {
      post({ type: 'stop_terminal', terminalId: item.terminalId });
    } else {
      post({ type: 'stop_tool_call', toolCallId: item.toolCallId! });
    }
  };
  const label = (
    <>
      {isActive ? <Spinner /> : <StatusIcon status={item.status === 'stopped' ? 'cancelled' : item.status} />}
      <bdi class="changes-count">{name}</bdi>
      <span class="dim">{word}</span>
      {time !== '' && <span class="tool-time">{time}</span>}
    </>
  );
  return (
    <li class="task">
      <Disclosure name={`background-tasks/${item.key}`} label={label}>
        {() => <TaskDetails item={item} />}
      </Disclosure>
      {item.isLeft && <MarkEnded toolCallId={item.toolCallId!} name={name} />}
      {item.canStop && (
        <button
          type="button"
          class="text-button"
          // The composer has the Stop of the turn, and two buttons need different names.
          aria-label={t('Stop {name}', { name })}
          // The second click of a double click would hit the next row.
          onClick={(event) => event.detail < 2 && stop()}
        >
          <StopIcon />
          {t('Stop')}
        </button>
      )}
    </li>
  );
}

function TaskDetails({ item: { summary, terminalId, outputPath, name, isLeft } }: { item: BackgroundItem }) {
  const { post } = useView();
  return (
    <>
      {isLeft && <div class="dim">{t('The agent has not reported an end.')}</div>}
      {summary !== undefined && <div class="notice-description">{escapeMisleading(summary.slice(0, MAX_SUMMARY))}</div>}
      {terminalId !== undefined && <TerminalView terminalId={terminalId} title={name} />}
      {outputPath !== undefined && (
        <button
          type="button"
          class="chip"
          title={escapeMisleading(outputPath)}
          aria-label={t('Open output: {file}', { file: oneLine(baseName(outputPath)) })}
          onClick={() => post({ type: 'open_location', path: outputPath })}
        >
          <FileIcon />
          <bdi>{oneLine(baseName(outputPath))}</bdi>
        </button>
      )}
      {summary === undefined && terminalId === undefined && outputPath === undefined && <div class="dim">{t('No further details.')}</div>}
    </>
  );
}
