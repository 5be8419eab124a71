/**
 * Messages that the agent suggests: `prompt_suggestions_update` of the protocol (unstable), and `_meta.promptSuggestions` of `session_info_update` in
 * claude-agent-acp and codex-acp. The list replaces the one before.
 */
import type { EventInput } from '../../core/model/event';
import { type Fields, isRecord, labelOf, textOf } from '../json/fields';

/** UTF-16 units of a suggestion, and the most that are shown. */
const MAX_LENGTH = 2000;
const MAX_SUGGESTIONS = 5;

/** Returns the event with the suggestions of an update; undefined when the update has none. */
export function suggestionsIn(update: Fields): EventInput | undefined {
  const sent =
    update.sessionUpdate === 'prompt_suggestions_update'
      ? update.suggestions
      : update.sessionUpdate === 'session_info_update' && isRecord(update._meta) && isRecord(update._meta.promptSuggestions)
        ? update._meta.promptSuggestions.suggestions
        : undefined;
  if (!Array.isArray(sent)) {
    return undefined;
  }
  const suggestions = sent.flatMap((item) => (isRecord(item) ? (textIn(item) ?? []) : []));
  return { type: 'prompt_suggestions', suggestions: [...new Set(suggestions)].slice(0, MAX_SUGGESTIONS) };
}

/** Returns the text of a suggestion. One with other content cannot be put into the message box as text, and is left out. */
function textIn({ text, prompt }: Fields): string | undefined {
  const blocks: readonly unknown[] = Array.isArray(prompt) ? prompt : [{ type: 'text', text }];
  const texts = blocks.map((block) => (isRecord(block) && block.type === 'text' ? textOf(block.text) : undefined));
  const whole = texts.every((each) => each !== undefined) ? labelOf(texts.join('\n')) : undefined;
  return whole === undefined || whole.length > MAX_LENGTH ? undefined : whole.trim();
}
