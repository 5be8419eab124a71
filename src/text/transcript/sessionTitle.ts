/** The title of a session, from its agent or from the user's first message. Pure. */
import { isForAgent } from '../../core/model/audience';
import type { ContentBlock } from '../../core/model/content';
import { promptText } from '../../core/model/contentNames';
import type { SessionState } from '../../core/model/state';
import { BlockLexer } from '../markdown/parse/blocks';
import { plainText } from '../markdown/reader';
import { agentTitle, plainTitle, shortened } from './plainTitle';

/** Returns the user's name for the session, otherwise the agent's title, otherwise the beginning of the first prompt, otherwise the agent's name. */
export function sessionTitle({
  name,
  title,
  firstPrompt,
  agentName,
}: Pick<SessionState, 'name' | 'title' | 'firstPrompt' | 'agentName'>): string {
  return name?.trim() || agentTitle({ title, firstPrompt }) || (firstPrompt ? titleOfFirst(firstPrompt) : '') || agentName;
}

/** Cached titles: every event of a session needs its title, and the prompt is always the same object. */
const known = new WeakMap<object, string>();

function titleOfFirst(firstPrompt: NonNullable<SessionState['firstPrompt']>): string {
  const title = known.get(firstPrompt) ?? promptTitle(firstPrompt.text);
  known.set(firstPrompt, title);
  return title;
}

/** Returns the first paragraph of a prompt as one line without Markdown's signs, of at most 80 UTF-16 units; '' when there is none. */
export function promptTitle(prompt: string): string {
  return plainTitle(prompt) ?? readTitle(prompt);
}

/** UTF-16 units of a message that are read for its title. */
const MAX_PROMPT = 400;

/** Returns the {@link promptTitle} of a message, with the names of its mentions. */
export function messageTitle(content: readonly ContentBlock[]): string {
  // Content for the agent is collapsed in the conversation.
  return promptTitle(
    promptText(
      content.filter((block) => !isForAgent(block)),
      MAX_PROMPT,
    ),
  );
}

/** Returns the title of a prompt by parsing it as Markdown. */
export function readTitle(prompt: string): string {
  const lexer = new BlockLexer();
  lexer.update(withPlainNames(prompt), true);
  const plain = plainText([...lexer.closed, ...lexer.open]);
  const paragraph = plain.split(/\n[ \t]*\r?\n/).find((each) => each.trim() !== '') ?? '';
  return shortened(paragraph.replace(/\s+/g, ' ').trim());
}

/** Escapes the signs of names such as `__init__`, which are far more frequent than two bold words. */
function withPlainNames(prompt: string): string {
  return prompt.replace(/(?<![\p{L}\p{N}_`\\])__(\w+?)__(?!\w)/gu, '\\_\\_$1\\_\\_');
}
