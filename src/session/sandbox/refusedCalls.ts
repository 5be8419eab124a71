/** Records on tool calls what the sandbox of the agent's process refused. Loaded with the first update of a sandboxed agent. */
import type { EventInput } from '../../core/model/event';
import type { SandboxRefusal } from '../../core/sandbox/sandbox';
import type { SessionStore } from '../state/store';

/** Returns the refused accesses to files in an output. */
export type FindRefusals = (output: string) => Promise<readonly SandboxRefusal[]>;

/** UTF-16 units of an output that are searched. */
const MAX_OUTPUT = 64 * 1024;
/** Hosts that receive only statistics. An agent works without them, so their refusal is not a notice. */
const STATISTICS = /statsig|sentry|datadog|telemetry|posthog|segment|amplitude|growthbook/i;

/** Searches the outputs of tool calls for the words of a refused access. */
export async function noteRefusedCalls(
  events: readonly EventInput[],
  store: Pick<SessionStore, 'append'>,
  find: FindRefusals,
): Promise<void> {
  for (const event of events) {
    if (event.type !== 'tool_call_update') {
      continue;
    }
    const { content, rawOutput } = event.patch;
    const texts = (content ?? []).flatMap((each) => (each.type === 'content' && each.content.type === 'text' ? [each.content.text] : []));
    const output = [...texts, ...stringsIn(rawOutput)].join('\n').slice(-MAX_OUTPUT);
    const refusals = output === '' ? [] : await find(output);
    if (refusals.length > 0) {
      store.append({ type: 'sandbox_refused', toolCallId: event.toolCallId, refusals });
    }
  }
}

/**
 * Records a refused connection of the agent's process. The newest open tool call gets it, because the process does not say which of its calls
 * connects. Without a call, it is a notice of its own, once for each host.
 */
export function noteRefusedHost(store: Pick<SessionStore, 'append' | 'state'>, refusal: SandboxRefusal): void {
  const { openToolCalls, turn, entries } = store.state;
  const toolCallId = openToolCalls.at(-1);
  const noticeId = `sandbox-${refusal.target}`;
  if (toolCallId !== undefined) {
    store.append({ type: 'sandbox_refused', toolCallId, refusals: [refusal] });
  } else if (turn && !STATISTICS.test(refusal.target) && !entries.get(`notice:${noticeId}`)) {
    store.append({
      type: 'notice',
      noticeId,
      severity: 'warning',
      title: '',
      failure: { code: 'sandbox.refused', params: { host: refusal.target } },
    });
  }
}

/** The texts in a raw output, whose form is the agent's. */
function stringsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null && depth < 5 ? Object.values(value).flatMap((each) => stringsIn(each, depth + 1)) : [];
}
