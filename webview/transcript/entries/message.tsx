/** A message of the user or the agent, or a thought of the agent. */
import type { ComponentChildren } from 'preact';
import type { ContentBlock } from '../../../src/core/model/content';
import { isBusy } from '../../../src/core/model/select';
import { isAbsent, type MessageEntry } from '../../../src/core/model/state';
import { thoughtText } from '../../../src/text/messages/durations';
import { useDisclosure, useNow, useSelect, useView } from '../../state/context';
import { useLazy } from '../../base/lazy';
import { t } from '../../base/l10n';
import { escapeMisleading, oneLine } from '../../../src/text/characters/textSafety';
import { Markdown } from '../../markdown/markdown';
import { elapsed } from '../../base/strings';
import { isBlankMessage } from '../../../src/core/reduce/answers';
import { isForAgent } from '../../../src/core/model/audience';
import { BlockContent } from '../content/content';
import { messageMenuChunk } from './lazyMessageMenu';
import { CopyMessage } from './copyMessage';
import { Disclosure } from '../../components/disclosure';

export function MessageView({ entry }: { entry: MessageEntry }) {
  if (isBlankMessage(entry)) {
    return null;
  }
  switch (entry.role) {
    case 'user':
      return <UserMessage entry={entry} />;
    case 'thought':
      return <Thought entry={entry} />;
    default:
      return <AgentMessage entry={entry} />;
  }
}

function UserMessage({ entry }: { entry: MessageEntry }) {
  const chunk = useLazy(messageMenuChunk);
  const isTask = useView().subagentId !== undefined;
  return (
    <div class="entry user" role="group" aria-label={isTask ? t('Task') : t('You')}>
      <Sent from={entry.from}>
        <div class={isInline(entry.content) ? 'bubble bubble-inline' : 'bubble'} dir="auto">
          {entry.content.map((block, index) =>
            block.type === 'text' && !isForAgent(block) ? (
              <UserText key={index} text={block.text} name={`${entry.entryId}/${index}`} class={edgesOf(entry.content, index)} />
            ) : (
              <BlockContent key={index} block={block} name={`${entry.entryId}/${index}`} />
            ),
          )}
        </div>
      </Sent>
      <CopyMessage entry={entry}>{chunk && !isTask && <chunk.MessageMenu entry={entry} />}</CopyMessage>
    </div>
  );
}

/** The message of another client, with its name below. */
function Sent({ from, children }: { from: string | undefined; children: ComponentChildren }) {
  return from === undefined ? (
    <>{children}</>
  ) : (
    <div class="user-sent">
      {children}
      <div class="dim">{t('Sent from {client}', { client: oneLine(from, 60) })}</div>
    </div>
  );
}

/** True when a block is followed by text, so that it is rendered inline. */
function isInline(content: readonly ContentBlock[]): boolean {
  return content.some(({ type }, index) => type !== 'text' && content[index + 1]?.type === 'text');
}

/** The classes of a text whose first or last word touches a mention. */
function edgesOf(content: readonly ContentBlock[], index: number): string {
  const isMention = (block: ContentBlock | undefined): boolean => block !== undefined && block.type !== 'text';
  const { text = '' } = content[index] as { text?: string };
  const isOpen = isMention(content[index - 1]) && /^[\p{L}\p{N}]/u.test(text);
  const isClosed = isMention(content[index + 1]) && /[\p{L}\p{N}.,:;!?]$/u.test(text);
  return `${isOpen ? ' user-text-open' : ''}${isClosed ? ' user-text-closed' : ''}`;
}

/** The lines and UTF-16 units of the user's text that are shown at first. A slightly longer text is shown without a button. */
const LINES = 20;
const UNITS = 4000;
const SLACK = 1.25;

/** The user's own long texts are folded, because the user reads the answers. */
function UserText({ text, name, class: edges }: { text: string; name: string; class: string }) {
  const lines = text.split('\n').length;
  const isLong = lines > LINES * SLACK || text.length > UNITS * SLACK;
  const [all, setAll] = useDisclosure(`${name}/all`, false);
  return (
    <>
      <div class={`user-text${edges}`}>{escapeMisleading(isLong && !all ? beginning(text) : text)}</div>
      {isLong && (
        <button type="button" class="text-button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('Show less') : lines > LINES ? t('Show all {count} lines', { count: lines }) : t('Show all')}
        </button>
      )}
    </>
  );
}

function beginning(text: string): string {
  const cut = text.split('\n', LINES).join('\n').slice(0, UNITS).toWellFormed();
  return `${cut.trimEnd()}…`;
}

function AgentMessage({ entry }: { entry: MessageEntry }) {
  const streaming = useIsGrowing(entry.entryId);
  return (
    <div class="entry agent" role="group" aria-label={t('Agent')}>
      <Blocks entry={entry} streaming={streaming} />
      <CopyMessage entry={entry} />
    </div>
  );
}

function Thought({ entry }: { entry: MessageEntry }) {
  const streaming = useIsGrowing(entry.entryId);
  const now = useNow(streaming);
  const isWhole = useSelect(({ entries }) => {
    const next = entries.at(entries.indexOf(entry.entryId) + 1);
    return !next || isAbsent(next) || next.at >= entry.updatedAt;
  });
  const label = streaming
    ? t('Thinking… {time}', { time: elapsed(now - entry.at) }).trimEnd()
    : // Other entries between the pieces make the time for thinking unknown.
      thoughtText(isWhole ? entry.updatedAt - entry.at : 0, t);
  return (
    <div class="entry thought" role="group" aria-label={thoughtText(0, t)}>
      <Disclosure name={entry.entryId} label={<span class={streaming ? 'shimmer' : undefined}>{label}</span>}>
        {() => <Blocks entry={entry} streaming={streaming} />}
      </Disclosure>
    </div>
  );
}

function Blocks({ entry, streaming }: { entry: MessageEntry; streaming: boolean }) {
  const lastIndex = entry.content.length - 1;
  return (
    <>
      {entry.content.map((block: ContentBlock, index) =>
        block.type === 'text' && !isForAgent(block) ? (
          <Markdown key={index} text={block.text} streaming={streaming && index === lastIndex} />
        ) : (
          <BlockContent key={index} block={block} name={`${entry.entryId}/${index}`} />
        ),
      )}
    </>
  );
}

/** True while this message can still grow: it is the newest entry apart from blank messages, and the agent works. */
function useIsGrowing(entryId: string): boolean {
  return useSelect((state) => {
    const { entries } = state;
    const isWorking = isBusy(state);
    let index = entries.length - 1;
    while (isWorking && index > 0 && entries.at(index)!.entryId !== entryId && isBlankMessage(entries.at(index)!)) {
      index--;
    }
    return isWorking && entries.at(index)?.entryId === entryId;
  });
}
