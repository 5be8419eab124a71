/** Permission requests in a conversation's document: the question, with each text once, and its outcome. */
import type { PermissionEntry, SessionState, ToolCallEntry } from '../../core/model/state';
import { ruleText } from '../../core/model/answeringRule';
import { type Operation, operationOf } from '../../core/approval/operation';
import { shownOutcome } from '../../core/approval/requests';
import { fenced, proseLine } from '../markdown/fence';
import { sanitizeMarkdown } from '../markdown/sanitize';
import { isNothing, json, places, toolContent } from './toolCalls';
import type { TranscriptStrings } from './transcriptStrings';

/** Returns a tool call that waits for the user's answer. */
export function askedToolCall(
  call: ToolCallEntry,
  waiting: readonly PermissionEntry[],
  state: SessionState,
  strings: TranscriptStrings,
): string[] {
  return [
    `### ${strings.tool(proseLine(call.title || call.name || call.toolKind))}`,
    strings.needsApproval,
    ...waiting.flatMap((request, index) => {
      const operation = operationOf(request, { call, before: waiting.slice(0, index), cwd: state.cwd });
      const { input } = operation;
      return [...question(request, operation, call, state, strings), ...(isNothing(input) ? [] : [strings.input, json(input, strings)])];
    }),
  ];
}

/** Returns a request's texts, except for its raw input. */
export function question(
  request: PermissionEntry,
  { title, description, purpose, command, written, locations, content, called }: Operation,
  call: ToolCallEntry | undefined,
  state: SessionState,
  strings: TranscriptStrings,
): string[] {
  const commands = [command, written].filter((each) => each !== undefined);
  return [
    proseLine(title),
    sanitizeMarkdown(description),
    sanitizeMarkdown(purpose),
    ...commands.map((each) => fenced(each, 'sh')),
    places(locations),
    ...content.flatMap((index) => toolContent(request.subject.content![index]!, state, strings)),
    ...called.flatMap((index) => toolContent(call!.content[index]!, state, strings)),
  ];
}

/** Returns the outcome; undefined while the request waits. */
export function decided(request: PermissionEntry, strings: TranscriptStrings): string | undefined {
  const { outcome, options, from } = request;
  const chosen = options.find(({ optionId }) => optionId === outcome?.optionId);
  if (!outcome) {
    return undefined;
  }
  const option = proseLine(chosen?.name || outcome.optionId || '?');
  const { byRule } = outcome;
  const rule = byRule && { rule: proseLine(ruleText(byRule)), code: byRule.reason.code };
  const text = strings.decided({ type: shownOutcome(request) ?? outcome.type, kind: chosen?.kind, option, ...rule });
  return from === undefined ? text : `${text} · ${strings.answeredFrom(proseLine(from))}`;
}
