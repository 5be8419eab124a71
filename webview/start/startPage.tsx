/** The content of an empty conversation. Loaded late, because the text box of an empty page must appear first. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isAbsent, type SessionState } from '../../src/core/model/state';
import type { StartPage as Facts } from '../../src/core/protocol/view';
import { useNewest, useSelect, useView } from '../state/context';
import type { Draft } from '../state/draft';
import { AgentIcon } from '../base/icons';
import { t } from '../base/l10n';
import { oneLine } from '../../src/text/characters/textSafety';
import { accountText } from '../signIn/strings';
import { STARTER_ICONS } from './icons';
import { type Starter, startersFor } from './starters';

interface Props {
  readonly draft: Draft;
}

export function StartPage({ draft }: Props) {
  const { post } = useView();
  const facts = useNewest('start_page');
  const page = useSelect((_, mirror) => mirror.facts);
  const name = useSelect((state) => oneLine(state.agentName, 80));
  const signIn = useSelect((state) => state.signIn);
  const isAfterBanner = useSelect(({ entries }) => entries.length > 0);
  const continues = useSelect(isContinuation);
  // The starters name the active file, which may have changed.
  useLayoutEffect(() => post({ type: 'start_page' }), [page]);
  if (continues) {
    // A notice names the conversation that continues here. Suggestions for a first message would not fit.
    return null;
  }
  return (
    <section class={isAfterBanner ? 'start start-below' : 'start'} aria-label={t('Get started')}>
      <div class="start-column">
        <div class="start-agent">
          <AgentIcon />
          <h2>{name}</h2>
          {(signIn?.status === 'signed_in' || signIn?.status === 'signed_out') && <p class="dim">{accountText(signIn)}</p>}
        </div>
        {facts && <Starters facts={facts} draft={draft} />}
        {facts && facts.recent.length > 0 && <Recent recent={facts.recent} />}
        <Hints />
      </div>
    </section>
  );
}

/** The notices of a session that begins with another conversation. */
const CONTINUES: ReadonlySet<string | undefined> = new Set(['session.continues', 'session.attached_before', 'session.restored']);

function isContinuation({ entries }: SessionState): boolean {
  for (let index = 0; index < entries.length; index++) {
    const entry = entries.at(index)!;
    if (!isAbsent(entry) && entry.kind === 'notice' && CONTINUES.has(entry.failure?.code)) {
      return true;
    }
  }
  return false;
}

function Starters({ facts, draft }: Props & { readonly facts: Facts }) {
  const { composer } = useView();
  /** The text and attachments of the last click, which another click replaces. */
  const put = useRef<{ readonly text: string; readonly attached: number }>();
  const choose = (starter: Starter) => {
    if (put.current && draft.text === put.current.text) {
      draft.setText('');
      if (put.current.attached === 1 && draft.attachments.length === 1) {
        draft.detach(0);
      }
    }
    const { text } = starter;
    draft.setText(draft.text.trim() === '' ? text : `${draft.text.trimEnd()}\n\n${text}`);
    const file = starter.takesFile ? facts.file : undefined;
    const isNew = file && !draft.attachments.some((block) => block.type === 'resource_link' && block.uri === file.uri);
    if (isNew) {
      draft.attach([{ type: 'resource_link', uri: file.uri, name: file.name }]);
    }
    put.current = draft.text === text ? { text, attached: isNew ? 1 : 0 } : undefined;
    composer.focus();
    if (starter.sends && draft.text === text) {
      // Submits like Enter, once the box shows the text.
      composer.submit();
    }
  };
  return (
    <ul class="starters" aria-label={t('Suggestions')}>
      {startersFor(facts).map((starter) => {
        const Icon = STARTER_ICONS[starter.icon];
        return (
          <li key={starter.label}>
            <button type="button" class="starter" title={starter.text} onClick={() => choose(starter)}>
              <Icon />
              <span>{starter.label}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Recent({ recent }: Pick<Facts, 'recent'>) {
  const { post } = useView();
  return (
    <div class="recent">
      <div class="recent-head">
        <h3 id="recent-sessions">{t('Recent sessions')}</h3>
        <button type="button" class="text-button" onClick={() => post({ type: 'action', action: 'session_history' })}>
          {t('Show All…')}
        </button>
      </div>
      <ul aria-labelledby="recent-sessions">
        {recent.map(({ sessionKey, title, about }) => (
          <li key={sessionKey}>
            <button type="button" class="recent-session" onClick={() => post({ type: 'open_session', sessionKey })}>
              <span class="recent-title" dir="auto">
                {oneLine(title, 120)}
              </span>
              <span class="dim">{oneLine(about, 120)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Hints about features that work in the box. */
function Hints() {
  const hasCommands = useSelect((state) => state.commands.length > 0);
  return (
    <ul class="start-hints dim">
      {hasCommands && (
        <li>
          <kbd>/</kbd> {t('for commands')}
        </li>
      )}
      <li>{t('Paste files to attach them, or drop them while holding Shift')}</li>
    </ul>
  );
}
