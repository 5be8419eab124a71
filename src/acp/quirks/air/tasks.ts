/** Background tasks in the contract: `async_task_spawned`, `async_task_progress` and `async_task_state_update`, and the request that stops one. */
import type { EventInput } from '../../../core/model/event';
import type { BackgroundTaskPatch } from '../../../core/background/backgroundTask';
import { type Fields, isPresent, keep, labelOf, restOf } from '../../json/fields';

export const STOP_TASK = '_session/async_task/stop';

/** The updates of tasks. Some adapters send them with the underscore of extensions. */
const KIND = /^_?async_task_(spawned|progress|state_update)$/;

/** Returns the event of an update about a task; undefined for another update, or one without an id. */
export function taskUpdate(update: Fields): EventInput | undefined {
  const kind = KIND.exec(String(update.sessionUpdate))?.[1];
  const taskId = labelOf(update.asyncTaskId);
  if (kind === undefined || taskId === undefined) {
    return undefined;
  }
  const patch: Record<string, unknown> = {};
  let extra = restOf(update, KNOWN);
  for (const [field, name] of Object.entries(FIELDS)) {
    const value = labelOf(update[field]);
    if (value !== undefined) {
      patch[name] = value;
    } else if (isPresent(update[field]) && typeof update[field] !== 'string') {
      extra = keep(extra, field, update[field]);
    }
  }
  const { canStop } = update;
  if (kind === 'spawned') {
    patch.status = 'running';
    patch.canStop = false;
  }
  if (typeof canStop === 'boolean') {
    patch.canStop = canStop;
  } else if (isPresent(canStop)) {
    extra = keep(extra, 'canStop', canStop);
  }
  const meta = isPresent(update._meta) && { meta: update._meta };
  return { type: 'background_task', taskId, patch: patch as BackgroundTaskPatch, ...meta, ...(extra && { extra }) };
}

const FIELDS: Readonly<Record<string, keyof BackgroundTaskPatch>> = {
  name: 'name',
  taskType: 'taskKind',
  description: 'description',
  outputFilePath: 'outputPath',
  toolCallId: 'toolCallId',
  summary: 'summary',
  state: 'status',
};

const KNOWN: ReadonlySet<string> = new Set(['_meta', 'sessionUpdate', 'asyncTaskId', 'canStop', ...Object.keys(FIELDS)]);
