/** A message between two sessions: a task, or its answer. */
import { oneLine } from '../../../src/text/characters/textSafety';
import { sessionMessageLabel } from '../../../src/text/messages/subagents';
import type { SessionMessageEntry } from '../../../src/core/model/subagent';
import { isReceived } from '../../../src/core/subagents/receivedMessage';
import { sessionMessageNames } from '../../../src/core/subagents/subagentTree';
import { useSelect, useView } from '../../state/context';
import { t } from '../../base/l10n';
import { Markdown } from '../../markdown/markdown';
import { BlockContent } from '../content/content';
import { Disclosure } from '../../components/disclosure';

const MAX_NAME = 80;

export function SessionMessageView({ entry }: { entry: SessionMessageEntry }) {
  const { subagentId } = useView();
  const isInCard = useSelect((state) => isReceived(entry, subagentId, state));
  const label = useSelect((state) => {
    const { sender, recipient } = sessionMessageNames(entry, state);
    return sessionMessageLabel(sender && oneLine(sender, MAX_NAME), recipient && oneLine(recipient, MAX_NAME), t);
  });
  return entry.content.length === 0 || isInCard ? null : (
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
