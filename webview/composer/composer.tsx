/** Where the user says what they want: text, what goes with it, the agent's options, Send and Stop. */
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { knownContent } from '../../src/core/mentions/mention';
import type { ContentBlock } from '../../src/core/model/content';
import { canResume, isBusy } from '../../src/core/model/select';
import type { SessionState } from '../../src/core/model/state';
import { canResumeQueue, messageDestination, queueProblem } from '../../src/core/queue/rules';
import { useSelect, useView } from '../context';
import type { Draft } from '../draft';
import { failureWords } from '../failures/failures';
import { ArrowUpIcon, AttachIcon, StopIcon } from '../icons';
import { t } from '../l10n';
import { useLate } from '../late';
import { oneLine } from '../../src/text/characters/textSafety';
import { compactNumber } from '../words';
import { Attachments } from './attachments';
import { ConfigOptions } from './config';
import { useEscapeStopsTurn } from './escapeKey';
import { useHistoryKeys } from './historyKeys';
import { filesOf, readFiles, urisOf } from './incoming';
import { mentionParts } from './mentions/mentionParts';
import type { MentionControls, TextAttributes } from './mentions/mentionSuggest';
import { SuggestionList, useSuggestions } from './suggestions';
import { UsageView } from './usage';

interface Props {
  readonly draft: Draft;
  /** Hands out the focus: set to a function that focuses the text. */
  readonly focus: { current: () => void };
}

export function Composer({ draft, focus }: Props) {
  const { mirror, post, say } = useView();
  const status = useSelect((state) => state.status);
  const busy = useSelect(isBusy);
  /** Sending starts the agent again, and the message follows. */
  const resumes = useSelect((state) => state.status === 'disconnected' && canResume(state));
  /** The button that does so stands beside the words about it, or resumes the queue as well. */
  const resumesElsewhere = useSelect((state) => state.failure?.code === 'session.interrupted' || canResumeQueue(state));
  /** What is sent waits for the agent. */
  const queues = useSelect((state) => messageDestination(state) === 'queue');
  const cancelling = useSelect((state) => state.turn?.cancelling ?? false);
  const agentName = useSelect((state) => state.agentName);
  const [, again] = useReducer<number, void>((count) => count + 1, 0);
  const [hint, setHint] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const noteCaret = () => setCaret(area.current?.selectionStart ?? 0);
  const suggestions = useSuggestions(draft, caret, area);
  const parts = useLate(mentionParts);
  const mentionControls = useRef<MentionControls>();
  const [mentionAttributes, setMentionAttributes] = useState<TextAttributes>({});
  const needsMentions = draft.text.includes('@') || draft.mentions.length > 0 || draft.live.length > 0;
  useEffect(() => {
    if (needsMentions) {
      void mentionParts.load();
    }
  }, [needsMentions]);
  const onHistoryKey = useHistoryKeys(draft, area, noteCaret);
  useEscapeStopsTurn();

  useLayoutEffect(() => draft.subscribe(() => again()), [draft]);
  useLayoutEffect(() => {
    focus.current = () => area.current?.focus();
    const element = area.current!;
    if (draft.selection) {
      element.setSelectionRange(...draft.selection);
    }
    draft.insert = (text) => mentionParts.now?.replaceText(element, element.selectionStart, element.selectionEnd, text) ?? false;
    return () => {
      draft.insert = () => false;
      draft.selection = [element.selectionStart, element.selectionEnd];
    };
  }, []);
  useEffect(() => setHint(''), [busy, status, draft.empty]);
  // Stop goes away with the turn; the focus must not go with it. Looked at before the change reaches the document.
  const stop = useRef<HTMLButtonElement>(null);
  const focusWasOnStop = !busy && stop.current !== null && document.activeElement === stop.current;
  useLayoutEffect(() => {
    if (focusWasOnStop) {
      area.current?.focus();
    }
  }, [focusWasOnStop]);

  const send = () => {
    if (draft.empty) {
      return;
    }
    // As it is now, which may not have been drawn yet.
    const refusal = reasonNotToSend(mirror.state, knownContent(draft.content));
    if (refusal) {
      setHint(refusal);
      say(refusal);
      return;
    }
    post({ type: 'prompt', content: draft.take() });
    setHint('');
    area.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) {
      return;
    } // The key belongs to the input method.
    const tokens = draft.mentions.map(({ token }) => token);
    const isForToken = (): boolean => parts?.onTokenKey(event, area.current, tokens) === true;
    if (mentionControls.current?.onKeyDown(event) || suggestions.onKeyDown(event) || isForToken() || onHistoryKey(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && (draft.sendWith === 'enter' || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!event.repeat) {
        send();
      }
    }
  };

  const capabilities = useSelect((state) => state.promptCapabilities);
  const takeText = (event: Event, transfer: DataTransfer | null): void => {
    const name = area.current ? parts?.takeLongText(area.current, draft, transfer?.getData('text/plain') ?? '') : undefined;
    if (name !== undefined) {
      event.preventDefault();
      say(name);
    }
  };
  const takeIn = (event: Event, transfer: DataTransfer | null) => {
    const files = filesOf(transfer);
    const uris = files.length === 0 ? urisOf(transfer) : [];
    if (files.length === 0 && uris.length === 0) {
      // Text: the text area takes it itself, unless it is long.
      return event.type === 'paste' ? takeText(event, transfer) : undefined;
    }
    event.preventDefault();
    if (uris.length > 0) {
      post({ type: 'attach_uris', uris });
    }
    void readFiles(files, capabilities).then(({ blocks, refused, tooLarge }) => {
      if (blocks.length > 0) {
        draft.attach(blocks);
        say(blocks.length === 1 ? t('Attached') : t('{count} attached', { count: blocks.length }));
      }
      const words = [
        ...(refused.length > 0
          ? [t("The agent doesn't accept: {files}", { files: refused.map((name) => oneLine(name, 60)).join(', ') })]
          : []),
        ...tooLarge.map(({ name, size, limit }) =>
          t('{file} is too large: {size}, at most {limit}', { file: oneLine(name, 60), size: bytes(size), limit: bytes(limit) }),
        ),
      ].join(' ');
      if (words !== '') {
        setHint(words);
        say(words);
      }
    });
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <SuggestionList suggestions={suggestions} />
      {parts && (
        <>
          <parts.MentionSuggest draft={draft} caret={caret} area={area} controls={mentionControls} onAttributes={setMentionAttributes} />
          <parts.DragHint tell={setHint} />
        </>
      )}
      <div
        class="composer-box"
        onPaste={(event) => takeIn(event, event.clipboardData)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => takeIn(event, event.dataTransfer)}
      >
        <Attachments
          draft={draft}
          focus={() => area.current?.focus()}
          remove={({ token, name }) => {
            parts?.removeToken(area.current!, token);
            say(t('Removed {name}', { name: oneLine(name, 60) }));
          }}
        />
        <textarea
          ref={area}
          class="composer-text"
          aria-label={t('Message')}
          aria-describedby={resumes && resumesElsewhere && !hint ? 'resume-hint' : 'composer-hint'}
          placeholder={placeholder(resumes ? 'ready' : status, agentName)}
          rows={1}
          dir="auto"
          value={draft.text}
          {...suggestions.textAttributes}
          {...mentionAttributes}
          onInput={(event) => {
            draft.setText(event.currentTarget.value);
            noteCaret();
          }}
          onKeyDown={onKeyDown}
          onKeyUp={noteCaret}
          onClick={noteCaret}
        />
        <div class="composer-bar">
          <ConfigOptions />
          <div class="composer-end">
            <UsageView />
            <button
              type="button"
              class="icon-button"
              aria-label={t('Attach files')}
              title={t('Attach files')}
              onClick={() => post({ type: 'attach_files' })}
            >
              <AttachIcon />
            </button>
            {busy && (
              <button
                key="stop"
                ref={stop}
                type="button"
                class="send stop"
                aria-label={t('Stop')}
                aria-keyshortcuts="Escape"
                title={cancelling ? t('Stopping…') : t('Stop (Escape)')}
                // The second click of a double click on Send may meet it.
                onClick={(event) => event.detail < 2 && post({ type: 'cancel' })}
              >
                <StopIcon />
              </button>
            )}
            {!(busy && draft.empty) && (
              <button
                key="send"
                type="submit"
                class="send"
                aria-label={t('Send')}
                title={queues ? t('Add to Queue') : t('Send')}
                disabled={draft.empty}
              >
                <ArrowUpIcon />
              </button>
            )}
          </div>
        </div>
      </div>
      <div class="composer-hint" id="composer-hint">
        {hint || (resumes && !resumesElsewhere && t('Send a message to resume this session.'))}
      </div>
    </form>
  );
}

function reasonNotToSend(state: SessionState, content: readonly ContentBlock[]): string {
  switch (messageDestination(state)) {
    case 'queue':
    case 'resume': {
      const problem = queueProblem(state.queue, content);
      return problem ? failureWords(problem) : '';
    }
    case 'turn':
      return '';
    case 'refused':
      return state.status === 'ended'
        ? t('This session has ended. Your message was not sent.')
        : t("Agent isn't connected. Your message was not sent.");
  }
}

function bytes(count: number): string {
  return `${compactNumber(count)}B`;
}

function placeholder(status: string, agentName: string): string {
  if (status === 'ready' || status === 'starting') {
    return t('Ask {agent}. @ adds context, / runs commands', { agent: oneLine(agentName, 60) || t('the agent') });
  }
  return t("Agent isn't running");
}
