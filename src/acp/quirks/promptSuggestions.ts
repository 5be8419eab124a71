/**
 * Messages that the agent suggests: `prompt_suggestions_update` of the protocol (unstable), and `_meta.promptSuggestions` of `session_info_update` in
 * claude-agent-acp and codex-acp. The list replaces the one before.
 */
import type { EventInput } from '../../core/model/event';
import { type Fields, isPresent, isRecord, keep, labelOf, restOf, textOf } from '../json/fields';

/** UTF-16 units of a suggestion, and the most that are shown. */
const MAX_LENGTH = 2000;
const MAX_SUGGESTIONS = 5;

const KIND = 'prompt_suggestions_update';
const KNOWN: ReadonlySet<string> = new Set(['sessionUpdate', 'suggestions', '_meta']);

/** Returns the event with the suggestions of an update; undefined when the update has none. */
export function suggestionsIn(update: Fields): EventInput | undefined {
  const sent =
    update.sessionUpdate === KIND
      ? update.suggestions
      : update.sessionUpdate === 'session_info_update' && isRecord(update._meta) && isRecord(update._meta.promptSuggestions)
        ? update._meta.promptSuggestions.suggestions
        : undefined;
  if (!Array.isArray(sent)) {
    return undefined;
  }
  const texts = sent.flatMap((item) => (isRecord(item) ? (textIn(item) ?? []) : []));
  const suggestions = [...new Set(texts)].slice(0, MAX_SUGGESTIONS);
  return { type: 'prompt_suggestions', suggestions, ...(update.sessionUpdate === KIND && restOfUpdate(update, sent, suggestions)) };
}

/** Returns the other fields of the update, with its list when some suggestions are left out. */
function restOfUpdate(update: Fields, sent: readonly unknown[], suggestions: readonly string[]): Pick<EventInput, 'meta' | 'extra'> {
  const others = restOf(update, KNOWN);
  const extra = suggestions.length < sent.length ? keep(others, 'suggestions', sent) : others;
  return { ...(isPresent(update._meta) && { meta: update._meta }), ...(extra && { extra }) };
}

/** Returns the text of a suggestion. One with other content cannot be put into the message box as text, and is left out. */
function textIn({ text, prompt }: Fields): string | undefined {
  const blocks: readonly unknown[] = Array.isArray(prompt) ? prompt : [{ type: 'text', text }];
  const texts = blocks.map((block) => (isRecord(block) && block.type === 'text' ? textOf(block.text) : undefined));
  const whole = texts.every((each) => each !== undefined) ? labelOf(texts.join('\n')) : undefined;
  return whole === undefined || whole.length > MAX_LENGTH ? undefined : whole.trim();
}
