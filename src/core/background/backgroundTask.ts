/** Work that an agent does in the background, and the messages that it suggests. */
import { boolean, array, type Fields, type Infer, nullable, object, optional, string } from '../schema/schema';

/** The fields that an update can change. An omitted field keeps its value, null clears it. */
const taskPatch = object({
  name: optional(nullable(string())),
  description: optional(nullable(string())),
  /** One of shell, monitor, workflow, task and `OWN_TURN`, or an unknown word. */
  taskKind: optional(nullable(string())),
  /** One of running, paused, completed, failed and stopped, or an unknown word, which counts as running. */
  status: optional(nullable(string())),
  /** The newest report of the agent, or the reason of the end. */
  summary: optional(nullable(string())),
  /** The tool call that started it. */
  toolCallId: optional(nullable(string())),
  /** The file that the output is written to; absolute. */
  outputPath: optional(nullable(string())),
  canStop: optional(nullable(boolean())),
});
export type BackgroundTaskPatch = Infer<typeof taskPatch>;

/**
 * The schemas of the events.
 *
 * @param base the fields of every event
 */
export function backgroundEvents<const B extends Fields>(base: B) {
  return {
    /** Announces a task, or changes one. */
    background_task: object({ ...base, taskId: string(), patch: taskPatch }),
    /** The user has pressed Stop on a task, or the agent has not stopped it. */
    background_task_stopping: object({ ...base, taskId: string(), stopping: boolean() }),
    /** The messages that the agent suggests next, the likeliest first; complete. They are valid until the next turn, while the agent runs. */
    prompt_suggestions: object({ ...base, suggestions: array(string()) }),
  };
}

export interface BackgroundTask {
  readonly taskId: string;
  readonly name?: string;
  readonly description?: string;
  readonly taskKind?: string;
  readonly status: string;
  readonly summary?: string;
  readonly toolCallId?: string;
  readonly outputPath?: string;
  readonly canStop?: boolean;
  /** The user has stopped it, and the agent has not confirmed that. */
  readonly isStopping?: true;
  /** ms since the epoch of the announcement. */
  readonly at: number;
  /** ms since the epoch of the end. */
  readonly endedAt?: number;
}

/** The part of a session's state that the agent reports beside its conversation. */
export interface BackgroundState {
  /** In the order of their announcements; absent when there are none. Tasks that have ended stay until the next turn. */
  readonly backgroundTasks?: readonly BackgroundTask[];
  /** Absent when the agent suggests none. */
  readonly suggestions?: readonly string[];
}
