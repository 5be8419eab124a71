/** The content of an exported conversation, in pieces, without `secrets`: values of the agent's environment. Pure. */
import { REDACTED, withoutValues } from '../../acp/redaction/secretValues';
import type { SessionState } from '../../core/model/state';
import { transcriptSections } from '../../text/transcript/sections';
import { withoutSecrets } from '../../session/journal/journalRedaction';
import type { TranscriptStrings } from '../../text/transcript/transcriptStrings';

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the pieces of a Markdown document. */
export function* markdownPieces(
  state: SessionState,
  words: TranscriptStrings,
  title: string,
  secrets: readonly string[],
): Iterable<string> {
  const without = inMarkdown(secrets);
  yield `# ${without(title)}\n`;
  for (const { text } of transcriptSections(state, words)) {
    yield `\n${without(text)}\n`;
  }
}

/** Removes values from Markdown, where special characters are escaped by a backslash and a line break may be a space. */
function inMarkdown(values: readonly string[]): (text: string) => string {
  const spelt = values.filter((value) => value.length >= 8).map((value) => [...value].map(inMarkdownUnit).join(''));
  const pattern = spelt.length > 0 ? new RegExp(spelt.join('|'), 'g') : undefined;
  return (text) => {
    const result = withoutValues(text, values);
    return pattern ? result.replace(pattern, REDACTED) : result;
  };
}

function inMarkdownUnit(character: string): string {
  if (/\s/.test(character)) {
    return '\\s';
  }
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return /[^\w\s]/.test(character) ? `\\\\?(?:${literal}${character === ':' ? '|%3A' : ''})` : literal;
}

/**
 * Returns a journal's lines as `{"header": …, "events": […], "audit": […]}`, one event or entry per line. Damaged lines are left out.
 * @param audit the entries of the session in the permission audit, which have no secrets
 */
export async function* jsonPieces(
  lines: AsyncIterable<string>,
  secrets: readonly string[],
  audit: () => Promise<readonly object[]> = async () => [],
): AsyncIterable<string> {
  let count = -1;
  for await (const line of lines) {
    const value = parsed(withoutSecrets(line, secrets));
    if (count < 0) {
      yield `{"header": ${JSON.stringify(value ?? null)},\n"events": [`;
      count = 0;
    } else if (isFields(value?.event)) {
      yield `${count++ === 0 ? '' : ','}\n${JSON.stringify(value.event)}`;
    }
  }
  yield count < 0 ? '{"header": null,\n"events": []' : '\n]';
  const entries = (await audit()).map((entry) => JSON.stringify(entry));
  yield entries.length > 0 ? `,\n"audit": [\n${entries.join(',\n')}\n]}\n` : '}\n';
}

/** Returns a line's object, or undefined when it holds none. */
export function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True for a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
