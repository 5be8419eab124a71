/** Updates of the early dialect in the form of version 1. A field of version 1 in the same update takes precedence. */
import { type Fields, isPresent, isRecord, labelOf, textOf } from '../../json/fields';
import { isEarlyUpdate } from './recognize';

/** Tool calls that are remembered, because a later update does not show by itself that it belongs to the dialect. */
const MAX_CALLS = 10_000;

export class EarlyUpdates {
  private readonly calls = new Set<string>();

  /** Returns the update in the form of version 1; an update that is not of the dialect unchanged. */
  standard(sessionId: unknown, update: Fields): Fields {
    const callId = textOf(update.toolCallId);
    const key = `${String(sessionId)} ${callId}`;
    if (!isEarlyUpdate(update) && !(callId !== undefined && this.calls.has(key))) {
      return update;
    }
    const { type, ...rest } = update;
    const named = isPresent(rest.sessionUpdate) ? update : { ...rest, sessionUpdate: type };
    switch (named.sessionUpdate) {
      case 'tool_call':
      case 'tool_call_update':
        if (callId === undefined) {
          return update;
        }
        if (this.calls.size < MAX_CALLS) {
          this.calls.add(key);
        }
        return standardToolCall(named);
      case 'permission_request':
        return update; // A request without an id cannot be answered.
      default:
        return standardMessage(named);
    }
  }
}

/** The content of a message may be in `text`. */
function standardMessage(update: Fields): Fields {
  const { text, ...rest } = update;
  return typeof text === 'string' && !isPresent(update.content) ? { ...rest, content: { type: 'text', text } } : update;
}

/**
 * Returns a tool call with the fields of version 1. Output and error are shown as content where they are text, and any other error is kept. A call
 * without a status is over when it has either.
 */
export function standardToolCall(call: Fields): Fields {
  const { toolName, input, output, error, type, ...rest } = call;
  const failed = isPresent(error);
  const texts = [textOf(output), errorText(error)].filter((text) => text !== undefined && text !== '');
  const raw = textOf(output) === undefined ? (output ?? (isRecord(error) ? error : undefined)) : undefined;
  const status = failed ? 'failed' : isPresent(output) ? 'completed' : undefined;
  const name = labelOf(toolName);
  const added: Fields = {
    ...(name !== undefined && { title: name, name }),
    // A `type` beside `sessionUpdate` is the kind of the tool.
    ...(isPresent(call.sessionUpdate) && labelOf(type) !== undefined && { kind: type }),
    ...(isPresent(input) && { rawInput: input }),
    ...(isPresent(raw) && { rawOutput: raw }),
    ...(texts.length > 0 && { content: texts.map((text) => ({ type: 'content', content: { type: 'text', text } })) }),
    ...(status !== undefined && { status }),
    ...(failed && raw !== error && !isText(error) && { error }),
    ...(isPresent(toolName) && name === undefined && { toolName }),
  };
  const own = Object.fromEntries(Object.entries(rest).filter(([, value]) => isPresent(value)));
  return { ...added, ...own };
}

/** True for an error of which the text is all. */
function isText(error: unknown): boolean {
  return errorText(error) !== undefined && (!isRecord(error) || Object.keys(error).length === 1);
}

function errorText(error: unknown): string | undefined {
  return isRecord(error) ? textOf(error.message) : textOf(error);
}
