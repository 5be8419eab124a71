/** The message box: the text, its attachments, the agent's options, Send and Stop. */
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { knownContent } from '../../src/core/mentions/mention';
import type { ContentBlock } from '../../src/core/model/content';
import { acceptedContent, canResume, isBusy, isCancelling, isPaused } from '../../src/core/model/select';
import type { SessionState } from '../../src/core/model/state';
import { canResumeQueue, messageDestination, queueProblem, type SendNow, waysToSendNow } from '../../src/core/queue/rules';
import { ConnectionContext } from '../connection/connection';
import { useSelect, useView } from '../state/context';
import type { Draft } from '../state/draft';
import { goToWaiting } from '../transcript/list/focusPendingRequest';
import { failureText } from '../failures/failures';
import { ArrowUpIcon, AttachIcon, StopIcon } from '../base/icons';
import { t } from '../base/l10n';
import { stoppingLabel } from '../../src/text/messages/turnEnds';
import { useLazy } from '../base/lazy';
import { oneLine } from '../../src/text/characters/textSafety';
import { Attachments } from './attachments';
import { ConfigOptions } from './config';
import { useEscape } from './escapeKey';
import { useHistoryKeys } from './historyKeys';
import { composerChunk } from './lazyComposer';
import { mentionChunk } from './mentions/lazyMentions';
import type { MentionControls, TextAttributes } from './mentions/mentionSuggest';
import { sendNowOf } from './sendNowKeys';
import { SuggestionList, useSuggestions } from './suggestions/suggestions';
import { UsageView } from './usage';
import { PermissionModeSelect } from '../options/permissionMode';
import { useForceUpdate } from '../base/memo';
import { whenFocused } from '../typing/focusReturn';
import { useIncoming } from './incoming/useIncoming';

interface Props {
  readonly draft: Draft;
}

export function Composer({ draft }: Props) {
  const { mirror, disclosures, post, say, composer } = useView();
  const connection = useContext(ConnectionContext);
  const status = useSelect((state) => state.status);
  const busy = useSelect(isBusy);
  /** Send starts the agent again and then sends the message. */
  const resumes = useSelect(
    (state) => (state.status === 'disconnected' && canResume(state)) || (state.status === 'failed' && state.reconnect !== undefined),
  );
  /** Another place has the button that resumes: the failure's message, or the queue, which is resumed as well. */
  const resumesElsewhere = useSelect((state) => isPaused(state) || canResumeQueue(state));
  /** A message that is sent now waits for the agent. */
  const queues = useSelect((state) => messageDestination(state) === 'queue');
  const isReadOnly = useSelect((state) => state.capabilities.readOnly === true);
  const cancelling = useSelect(isCancelling);
  const agentName = useSelect((state) => state.agentName);
  const forceUpdate = useForceUpdate();
  const [hint, setHint] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const shown = useRef<Draft>();
  useLayoutEffect(() => {
    shown.current = draft;
    return () => void (shown.current = undefined);
  }, [draft]);
  const [caret, setCaret] = useState(0);
  const noteCaret = () => setCaret(area.current?.selectionStart ?? 0);
  const suggestions = useSuggestions(draft, caret, area);
  const needsMentions = draft.text.includes('@') || draft.mentions.length > 0 || draft.live.length > 0;
  const mentioning = useLazy(mentionChunk, needsMentions);
  const mentionControls = useRef<MentionControls>();
  const [mentionAttributes, setMentionAttributes] = useState<TextAttributes>({});
  const onHistoryKey = useHistoryKeys(draft, area, noteCaret);
  useEscape();

  useLayoutEffect(() => draft.subscribe(() => forceUpdate()), [draft]);
  useLayoutEffect(() => {
    // Another part of the window, such as a quick pick, keeps the focus that it has.
    composer.focus = () => whenFocused(() => area.current?.focus());
    const element = area.current!;
    if (draft.selection) {
      element.setSelectionRange(...draft.selection);
    }
    draft.insert = (text) => mentionChunk.value?.insertToken(element, text) ?? false;
    return () => {
      composer.submit = () => {};
      draft.insert = () => false;
      draft.selection = [element.selectionStart, element.selectionEnd];
    };
  }, []);
  // An attachment added beside a refused file keeps the message about that file. An effect after painting would remove the message of a key pressed
  // quickly.
  useLayoutEffect(() => setHint(''), [busy, status, draft.text.trim() === '']);
  // The Stop button is removed with the turn, and the focus must not be lost with it. The focus is read before the change reaches the document.
  const stop = useRef<HTMLButtonElement>(null);
  const focusWasOnStop = !busy && stop.current !== null && document.activeElement === stop.current;
  useLayoutEffect(() => {
    if (focusWasOnStop) {
      area.current?.focus();
    }
  }, [focusWasOnStop]);

  const ways = useSelect(waysToSendNow);
  const isAsked = useSelect((state) => state.pendingPermissions.length > 0);
  /** While a question waits, Escape moves to the question instead. */
  const escapeStops = useSelect((state) => state.pendingPermissions.length + state.pendingElicitations.length === 0);
  const chunk = useLazy(composerChunk, draft.editing !== undefined || ways.length > 0);

  const capabilities = useSelect(acceptedContent);
  const { takeIn, reading } = useIncoming({ draft, area, capabilities, setHint });

  const send = (now?: SendNow): void => {
    const pending = reading();
    if (pending) {
      // The message includes everything pasted so far. It is not sent if another session is shown by then.
      void pending.then(() => shown.current === draft && send(now));
      return;
    }
    if (draft.empty || suggestions.runTyped()) {
      return;
    }
    // Reads the current state, which may not be rendered yet.
    const refusal = connection?.heartbeat.isLost
      ? t("Extension host isn't responding. Your message was not sent.")
      : draft.editing === undefined
        ? reasonNotToSend(mirror.state, knownContent(draft.content))
        : '';
    if (refusal) {
      setHint(refusal);
      say(refusal);
      return;
    }
    const entryId = draft.editing;
    post(
      entryId === undefined
        ? { type: 'prompt', content: draft.take(), ...(now && { now }) }
        : { type: 'resend', entryId, content: draft.takeEdit() },
    );
    setHint('');
    area.current?.focus();
  };
  useLayoutEffect(() => void (composer.submit = send));

  const cancelEdit = () => {
    draft.endEdit();
    say(t('Editing canceled'));
    area.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (mentionControls.current?.onKeyDown(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Escape' && draft.editing !== undefined && !suggestions.isOpen) {
      event.preventDefault();
      event.stopPropagation(); // Keeps the key from also stopping the turn.
      cancelEdit();
      return;
    }
    const tokens = draft.mentions.map(({ token }) => token);
    const isForToken = (): boolean => mentioning?.onTokenKey(event, area.current, tokens) === true;
    if (suggestions.onKeyDown(event) || isForToken() || (draft.editing === undefined && onHistoryKey(event))) {
      event.preventDefault();
      return;
    }
    const hasControl = event.ctrlKey || event.metaKey;
    // Where Control+Enter sends, it does what Enter does otherwise.
    const isPlain = draft.sendWith === 'ctrlEnter' && !event.shiftKey;
    const now = isPlain ? undefined : sendNowOf(event, ways, isAsked);
    if (now || (event.key === 'Enter' && !event.shiftKey && !event.altKey && (draft.sendWith === 'enter' || hasControl))) {
      event.preventDefault();
      // An empty box has nothing to send: the key goes to the request that it would allow there.
      if (!event.repeat && !(hasControl && draft.empty && draft.editing === undefined && goToWaiting(mirror, disclosures, 'Ctrl+Enter'))) {
        send(now);
      }
    }
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
      {chunk && draft.editing !== undefined && <chunk.EditBar cancel={cancelEdit} />}
      {mentioning && (
        <mentioning.MentionSuggest draft={draft} caret={caret} area={area} controls={mentionControls} onAttributes={setMentionAttributes} />
      )}
      {chunk && <chunk.DragHint showHint={setHint} />}
      <div
        class="composer-box"
        onPaste={(event) => isReadOnly || takeIn(event, event.clipboardData)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => isReadOnly || takeIn(event, event.dataTransfer)}
      >
        <Attachments
          draft={draft}
          focus={() => area.current?.focus()}
          remove={({ token, name }) => {
            mentioning?.removeToken(area.current!, token);
            say(t('Removed {name}', { name: oneLine(name, 60) }));
          }}
        />
        <div class="composer-field">
          <textarea
            ref={area}
            class="composer-text"
            aria-label={t('Message')}
            aria-describedby={
              draft.editing !== undefined ? 'edit-hint' : resumes && resumesElsewhere && !hint ? 'resume-hint' : 'composer-hint'
            }
            placeholder={isReadOnly ? failureText({ code: 'session.read_only' }) : placeholder(resumes ? 'ready' : status, agentName)}
            readOnly={isReadOnly}
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
          {suggestions.argumentHint !== '' && (
            <div class="composer-ghost" aria-hidden="true">
              <span class="composer-ghost-typed">{draft.text}</span>
              {suggestions.argumentHint}
            </div>
          )}
        </div>
        <div class="composer-bar" hidden={isReadOnly}>
          <PermissionModeSelect />
          <ConfigOptions />
          <div class="composer-end">
            {chunk && <chunk.PresetMenu />}
            <UsageView />
            <button
              type="button"
              class="icon-button"
              aria-label={t('Attach files')}
              title={t('Attach files, or drop them here while holding Shift')}
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
                aria-keyshortcuts={escapeStops ? 'Escape' : undefined}
                title={cancelling ? stoppingLabel(t) : escapeStops ? t('Stop (Escape)') : t('Stop')}
                // The second click of a double click on Send may hit this button.
                onClick={(event) => event.detail < 2 && post({ type: 'cancel' })}
              >
                <StopIcon />
              </button>
            )}
            {chunk && ways.length > 0 && !draft.empty && draft.editing === undefined && <chunk.SendMenu ways={ways} send={send} />}
            {!(busy && draft.empty) && (
              <button
                key="send"
                type="submit"
                class="send"
                aria-label={t('Send')}
                title={draft.editing !== undefined ? t('Send in New Session') : queues ? t('Add to Queue') : t('Send')}
                disabled={draft.empty}
              >
                <ArrowUpIcon />
              </button>
            )}
          </div>
        </div>
      </div>
      <div class="composer-hint" id="composer-hint">
        {hint || (resumes && !resumesElsewhere && !isReadOnly && t('Send a message to resume this session.'))}
      </div>
      {chunk && !isReadOnly && <chunk.PromptSuggestions draft={draft} area={area} />}
    </form>
  );
}

function reasonNotToSend(state: SessionState, content: readonly ContentBlock[]): string {
  switch (messageDestination(state)) {
    case 'queue':
    case 'resume': {
      const problem = queueProblem(state.queue, content);
      return problem ? failureText(problem) : '';
    }
    case 'turn':
      return '';
    case 'refused':
      if (state.capabilities.readOnly) {
        return failureText({ code: 'session.read_only' });
      }
      return state.status === 'ended'
        ? t('This session has ended. Your message was not sent.')
        : t("Agent isn't connected. Your message was not sent.");
  }
}

function placeholder(status: string, agentName: string): string {
  if (status === 'ready' || status === 'starting') {
    return t('Ask {agent}. @ adds context, / runs commands', { agent: oneLine(agentName, 60) || t('the agent') });
  }
  return t("Agent isn't running");
}
