/** A message between two sessions: a task, or its answer. */
import { oneLine } from '../../../src/text/characters/textSafety';
import { sessionMessageLabel } from '../../../src/text/messages/subagents';
import type { SessionMessageEntry } from '../../../src/core/subagents/subagent';
import { sessionMessageNames } from '../../../src/core/subagents/subagentTree';
import { useSelect } from '../../context';
import { t } from '../../l10n';
import { Markdown } from '../../markdown/markdown';
import { BlockContent } from '../entries/content';
import { Disclosure } from '../list/disclosure';

const MAX_NAME = 80;

export function SessionMessageView({ entry }: { entry: SessionMessageEntry }) {
  const label = useSelect((state) => {
    const { sender, recipient } = sessionMessageNames(entry, state);
    return sessionMessageLabel(sender && oneLine(sender, MAX_NAME), recipient && oneLine(recipient, MAX_NAME), t);
  });
  return entry.content.length === 0 ? null : (
    <div class="entry session-message" role="group" aria-label={label}>
      <Disclosure name={entry.entryId} label={<bdi>{label}</bdi>}>
        {() =>
          entry.content.map((block, index) =>
            block.type === 'text' ? (
              <Markdown key={index} text={block.text} streaming={false} />
            ) : (
              <BlockContent key={index} block={block} name={`${entry.entryId}/${index}`} />
            ),
          )
        }
      </Disclosure>
    </div>
  );
}
