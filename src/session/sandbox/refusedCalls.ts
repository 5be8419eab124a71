/** Records on tool calls what the sandbox of the agent's process refused. Loaded with the first update of a sandboxed agent. */
import type { EventInput } from '../../core/model/event';
import type { SessionState } from '../../core/model/state';
import { type RefusalPlace, refusalPlaceKey, type SandboxRefusal } from '../../core/sandbox/sandbox';
import type { SessionStore } from '../state/store';

/** Returns the refused accesses to files in an output. */
export type FindRefusals = (output: string) => Promise<readonly SandboxRefusal[]>;

type RefusalStore = Pick<SessionStore, 'append' | 'state'>;

/** UTF-16 units of an output that are searched. */
const MAX_OUTPUT = 64 * 1024;
/** Hosts that receive only statistics. An agent works without them, so their refusal is not a notice. */
const STATISTICS = /statsig|sentry|datadog|telemetry|posthog|segment|amplitude|growthbook/i;

/** Searches the outputs of tool calls, and of the agent's own terminals, for the words of a refused access. */
export async function noteRefusedCalls(events: readonly EventInput[], store: RefusalStore, find: FindRefusals): Promise<void> {
  for (const event of events) {
    const found = outputIn(event, store.state);
    if (!found || found.output === '') {
      continue;
    }
    const { output, ...where } = found;
    const all = await find(output.slice(-MAX_OUTPUT));
    const refusals = all.filter((refusal) => !isKnown(store.state, where, refusal));
    if (refusals.length > 0) {
      store.append({ type: 'sandbox_refused', ...where, refusals });
    }
  }
}

function isKnown({ sandboxRefusals = {} }: SessionState, where: RefusalPlace, { kind, target }: SandboxRefusal): boolean {
  const key = refusalPlaceKey(where);
  const known = key !== undefined && Object.hasOwn(sandboxRefusals, key) ? sandboxRefusals[key]! : [];
  return known.some((each) => each.kind === kind && each.target === target);
}

interface FoundOutput extends RefusalPlace {
  readonly output: string;
}

function outputIn(event: EventInput, { terminals }: SessionState): FoundOutput | undefined {
  switch (event.type) {
    case 'tool_call_update': {
      const { content, rawOutput } = event.patch;
      const texts = (content ?? []).flatMap((each) => (each.type === 'content' && each.content.type === 'text' ? [each.content.text] : []));
      return { output: [...texts, ...stringsIn(rawOutput)].join('\n'), toolCallId: event.toolCallId };
    }
    case 'terminal_output':
      return { output: event.text, terminalId: event.terminalId };
    case 'terminal_update': {
      // A line may have come in two parts, so the end of the command is searched as a whole.
      const { terminalId, output, exitStatus } = event;
      const known = exitStatus && Object.hasOwn(terminals, terminalId) ? terminals[terminalId]!.output : '';
      return { output: output ?? known, terminalId };
    }
    default:
      return undefined;
  }
}

/**
 * Records a refused connection of the agent's process. The newest open tool call gets it, because the process does not say which of its calls
 * connects. Without a call, it is a notice of its own, once for each host.
 */
export function noteRefusedHost(store: RefusalStore, refusal: SandboxRefusal): void {
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
