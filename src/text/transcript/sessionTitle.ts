/** What a session is called: by its agent, or by the user's first message. Pure. */
import type { SessionState } from '../../core/model/state';
import { BlockLexer } from '../markdown/parse/blocks';
import { plainText } from '../markdown/reader';
import { plainTitle, shortened } from './plainTitle';

/** The user's name for it, else the agent's title; until it gives one, how the first prompt begins; before there is one, the agent's name. */
export function sessionTitle({
  name,
  title,
  firstPrompt,
  agentName,
}: Pick<SessionState, 'name' | 'title' | 'firstPrompt' | 'agentName'>): string {
  return name?.trim() || title?.trim() || (firstPrompt ? titleOfFirst(firstPrompt) : '') || agentName;
}

/** Asked for with every event of a session, in all of which the prompt is the same object. */
const known = new WeakMap<object, string>();

function titleOfFirst(firstPrompt: NonNullable<SessionState['firstPrompt']>): string {
  const title = known.get(firstPrompt) ?? promptTitle(firstPrompt.text);
  known.set(firstPrompt, title);
  return title;
}

/** The first paragraph of a prompt as one line without Markdown's signs, of at most 80 UTF-16 units; '' where there is none. */
export function promptTitle(prompt: string): string {
  return plainTitle(prompt) ?? readTitle(prompt);
}

/** The same, whether or not there is any Markdown in it. */
export function readTitle(prompt: string): string {
  const lexer = new BlockLexer();
  lexer.update(withPlainNames(prompt), true);
  const plain = plainText([...lexer.closed, ...lexer.open]);
  const paragraph = plain.split(/\n[ \t]*\r?\n/).find((each) => each.trim() !== '') ?? '';
  return shortened(paragraph.replace(/\s+/g, ' ').trim());
}

/** `__init__` is a name far more often than two words in bold: its signs are escaped. */
function withPlainNames(prompt: string): string {
  return prompt.replace(/(?<![\p{L}\p{N}_`\\])__(\w+?)__(?!\w)/gu, '\\_\\_$1\\_\\_');
}
