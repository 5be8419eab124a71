/** A request of the agent for the user's input: its sender and message, the form or web page, and the answer in the end. */
import { askerText } from '../permission/askReason';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ElicitationEntry } from '../../../src/core/model/state';
import { linesOf } from '../../../src/text/find/entryTexts';
import { useSelect } from '../../state/context';
import { FormIcon, GlobeIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { oneLine } from '../../../src/text/characters/textSafety';
import { ElicitationForm } from './form';
import { ElicitationPage } from './page';
import { agentText, labelOf, outcomeText, valueText } from './strings';

export function ElicitationView({ entry }: { entry: ElicitationEntry }) {
  const agentName = oneLine(
    useSelect((state) => state.agentName),
    80,
  );
  const { body, outcome } = entry;
  const waiting = outcome === undefined;
  const card = useRef<HTMLDivElement>(null);
  const hadFocus = card.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    // The controls are removed, and the focus must not be lost with them.
    if (hadFocus && !card.current!.contains(document.activeElement)) {
      card.current!.focus({ preventScroll: true });
    }
  });
  const { first, rest } = linesOf(entry.message);
  const stateId = `state-${entry.entryId}`;
  const title = first || t('{agent} needs your input', { agent: agentName });
  return (
    <div
      class={waiting ? 'entry elicitation elicitation-waiting' : 'entry elicitation'}
      role="group"
      aria-label={oneLine(title, 200)}
      aria-describedby={stateId}
      tabIndex={-1}
      data-entry-id={entry.entryId}
      ref={card}
    >
      <div class="elicitation-head">
        {body.mode === 'form' ? <FormIcon /> : <GlobeIcon />}
        <div class="elicitation-words">
          <div class="elicitation-title">
            <bdi>{agentText(title)}</bdi>
          </div>
          {waiting && (
            <div class="elicitation-agent" id={stateId}>
              {entry.askedBy !== undefined && `${askerText(entry)}. `}
              {body.mode === 'form'
                ? t('{agent} needs your input', { agent: agentName })
                : t('{agent} wants to open a web page', { agent: agentName })}
            </div>
          )}
          {rest && (
            <div class="elicitation-text" dir="auto">
              {agentText(rest)}
            </div>
          )}
        </div>
        {!waiting && (
          <div class="elicitation-outcome" id={stateId}>
            {outcomeText(entry)}
            {entry.from !== undefined && ` · ${t('Answered from {client}', { client: oneLine(entry.from, 60) })}`}
          </div>
        )}
      </div>
      {body.mode === 'url' && <ElicitationPage entry={entry} url={body.url} />}
      {body.mode === 'form' && waiting && <ElicitationForm entry={entry} form={body} />}
      {body.mode === 'form' && outcome?.type === 'accepted' && <Answers entry={entry} />}
    </div>
  );
}

/** The answers that were sent, with the form's labels. */
function Answers({ entry: { body, outcome } }: { entry: ElicitationEntry }) {
  const content = outcome?.content ?? {};
  const fields = body.mode === 'form' ? body.fields.filter(({ name }) => Object.hasOwn(content, name)) : [];
  if (fields.length === 0) {
    return null;
  }
  return (
    <dl class="answers">
      {fields.map((field, index) => (
        <div key={index}>
          <dt dir="auto">{labelOf(field)}</dt>
          <dd dir="auto">{valueText(field, content[field.name]!)}</dd>
        </div>
      ))}
    </dl>
  );
}
