/**
 * The view of one session, whether shown or not. The user's data (draft, forms, folds, find, scroll position) lives as long as the page keeps the
 * session. The mirror of the host's data (state, requests, announcements, toasts) is created each time the session is shown, and dropped when it is
 * hidden.
 */
import { isMention } from '../../src/core/mentions/mention';
import { commentsIn } from '../../src/core/model/attachment';
import type { ToView } from '../../src/core/protocol/view';
import { indexInSession } from '../../src/core/subagents/displayOrder';
import { Prefetcher } from './prefetcher';
import { Announcer } from '../announcer/announcer';
import type { Speech } from '../announcer/speech';
import type { ComposerControls, View } from '../state/context';
import { DisclosureState } from '../state/disclosureState';
import { Draft, type InitialInput } from '../state/draft';
import { MentionAnswers } from '../state/mentionAnswers';
import { readingEntry } from '../find/currentEntry';
import { Search } from '../state/search';
import { FileReferences } from '../state/fileReferences';
import { focusWaiting } from '../transcript/list/focusPendingRequest';
import { afterPaint, beforePaint } from '../base/frames';
import type { ViewHost } from '../base/host';
import { parseViewState, captureViewState } from './viewState';
import { oneLine } from '../../src/text/characters/textSafety';
import { Mirror } from '../state/mirror';
import type { SessionView } from './pageSessions';
import { QueueEdits } from '../state/queueEdits';
import { conversationChunk, toastChunk } from './chunks';
import { chunksFor } from '../transcript/list/lazyEntries';
import { signInChunk } from '../signIn/lazySignIn';
import { titleNow } from '../state/title';
import { noticeSpeech } from '../toasts/speech';
import { Toasts } from '../toasts/toasts';
import { whenFocused } from '../typing/focusReturn';
import { Forms } from '../state/forms';
import type { SavedScrollPosition } from '../state/scrollPosition';

/** ms after the last scroll, fold or search until the view state is stored: a page can disappear without notice. */
const KEEP_AFTER = 200;

/** The longest announced title, in UTF-16 units. */
const MAX_TITLE = 120;

/** The objects behind a session that is on the screen. */
export interface Showing {
  readonly view: View;
  readonly draft: Draft;
  readonly toasts: Toasts;
}

export interface ConversationDependencies {
  readonly host: ViewHost;
  readonly speech: Speech;
  readonly early?: InitialInput | undefined;
  /** Renders the session in place of the previous one, synchronously. Returns true when the previous one had the focus. */
  render(showing: Showing): boolean;
}

export class ConversationView implements SessionView {
  private readonly draft: Draft;
  private readonly forms: Forms;
  private readonly queueEdits: QueueEdits;
  private readonly disclosures = new DisclosureState();
  private readonly scrollPosition: SavedScrollPosition = {
    kept: undefined,
    read: () => undefined,
    go: () => undefined,
    moved: () => this.keepSoon(),
  };
  private readonly search: Search;
  private showing: Showing | undefined;
  private keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly deps: ConversationDependencies) {
    const { host } = deps;
    this.draft = new Draft(host, deps.early);
    this.forms = new Forms(host);
    this.queueEdits = new QueueEdits(host);
    this.search = new Search({
      post: (message) => host.post(message),
      indexOf: (entryId) => (this.showing ? indexInSession(this.showing.view.mirror.state, entryId) : -1),
      reading: readingEntry,
    });
    this.adoptViewState();
    this.disclosures.onChange = () => this.keepSoon();
    this.search.subscribe(() => this.keepSoon());
  }

  show(again: boolean): void {
    const { host, speech, render } = this.deps;
    const mirror = new Mirror({ post: (message) => host.post(message), schedule: beforePaint, afterPaint, now: () => Date.now() });
    const isShown = (): boolean => this.showing?.view.mirror === mirror;
    const say = (text: string, urgent?: boolean): void => {
      if (isShown()) {
        speech.say(text, urgent);
      }
    };
    new Prefetcher(mirror, (callback) => requestIdleCallback(callback));
    const announcer = new Announcer(
      say,
      () => Date.now(),
      () => conversationChunk.value && new conversationChunk.value.SpokenText(),
    );
    // The announcer receives the changes that arrived before it was loaded.
    conversationChunk.onLoaded(() => isShown() && mirror.loaded && announcer.hear(mirror.state));
    const toasts = new Toasts({ now: () => mirror.now(), after: timer });
    mirror.onEvent = (event) => {
      if (event.type === 'turn_ended' || event.type === 'file_written') {
        this.showing?.view.files.filesChanged();
      }
      if (event.type === 'notice' && toasts.hear(event)) {
        void toastChunk.load();
        say(noticeSpeech(event), event.severity === 'error');
      }
    };
    let isNews = again;
    mirror.subscribe(() => {
      if (!mirror.loaded) {
        return;
      }
      const title = isNews ? oneLine(titleNow(mirror.state), MAX_TITLE) : '';
      if (title !== '') {
        isNews = false;
        say(title);
      }
      announcer.hear(mirror.state);
      this.forms.keep(mirror.state);
      this.queueEdits.keep(mirror.state);
      this.draft.keepEdit((entryId) => mirror.state.entries.indexOf(entryId) >= 0);
    });
    const { search, forms, queueEdits, disclosures, scrollPosition, draft } = this;
    const post: View['post'] = (message) => isShown() && host.post(message);
    const files = new FileReferences({ post, after: timer });
    const mentions = new MentionAnswers(post);
    const composer: ComposerControls = { focus: () => {}, submit: () => {} };
    const view: View = { mirror, post, say, files, mentions, disclosures, search, forms, queueEdits, draft, composer, scrollPosition };
    this.showing = { view, draft, toasts };
    if (again) {
      speech.clear();
    }
    // The focused element was removed, so the focus moves to the composer.
    if (render(this.showing)) {
      composer.focus();
    }
    search.resume();
  }

  adopt(): void {
    const isShown = this.showing !== undefined;
    this.forms.adopt();
    this.queueEdits.adopt();
    this.draft.adoptEdit();
    this.adoptViewState();
    if (isShown) {
      this.scrollPosition.go();
      this.search.resume();
    }
  }

  receive(message: ToView): void {
    const { showing, draft, search, forms } = this;
    if (!showing || showing.view.mirror.receive(message)) {
      return;
    }
    const { composer } = showing.view;
    switch (message.type) {
      case 'restore_text':
        draft.restore(message.text);
        composer.focus();
        break;
      case 'draft':
        draft.adopt(message);
        if (draft.takeSend()) {
          composer.submit();
        }
        break;
      case 'attach':
        draft.attach(message.blocks);
        // A user who comments on a line stays in the editor.
        if (!message.blocks.every((block) => !isMention(block) && commentsIn(block))) {
          composer.focus();
        }
        break;
      case 'restore_message':
        draft.restoreMessage(message.content);
        composer.focus();
        break;
      case 'mention_rows':
        showing.view.mentions.receive(message);
        break;
      case 'live_context':
        draft.setLive(message.mentions);
        break;
      case 'composer':
        draft.sendWith = message.sendWith;
        break;
      case 'code_theme':
        void conversationChunk.load().then(({ setCodeTheme }) => setCodeTheme(message.theme));
        break;
      case 'appearance':
        setFonts(message);
        break;
      case 'focus':
        if (message.target === 'composer') {
          composer.focus();
        } else {
          const { mirror } = showing.view;
          const chunks = [signInChunk, ...chunksFor(mirror.state.entries)].map((chunk) => chunk.load());
          const focus = (): void => focusWaiting(mirror, this.disclosures, () => this.showing === showing, message.entryId);
          void Promise.all(chunks).then(() => whenFocused(focus));
        }
        break;
      case 'files':
        showing.view.files.receive(message.files);
        break;
      case 'open_find':
        if (message.at) {
          search.goTo(message.at);
        } else {
          search.show();
        }
        break;
      case 'sound':
        void import('./sound').then(({ playSound }) => playSound(message.sound));
        break;
      case 'found':
        search.receive(message);
        break;
      case 'where':
        this.deps.host.post({ type: 'reading', entryId: readingEntry() });
        break;
      case 'elicitation_problems':
        forms.found(message.requestKey, message.problems);
        break;
      default:
        showing.view.mirror.keep(message);
    }
  }

  flush(): void {
    this.draft.flush();
    this.forms.flush();
    this.queueEdits.flush();
    this.saveViewState();
  }

  hide(): void {
    const { showing, scrollPosition, search } = this;
    scrollPosition.kept = scrollPosition.read();
    this.flush();
    this.showing = undefined;
    scrollPosition.read = () => scrollPosition.kept;
    scrollPosition.go = () => undefined;
    search.waitForBar();
    showing?.view.mirror.dispose();
    showing?.toasts.dismissAll();
  }

  private keepSoon(): void {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.saveViewState(), KEEP_AFTER);
  }

  /** Stores the scroll position, the folds and the search. */
  private saveViewState(): void {
    clearTimeout(this.keeping);
    const { disclosures, scrollPosition, search, deps } = this;
    deps.host.save(captureViewState({ disclosures, scrollPosition: scrollPosition.read(), search }));
  }

  private adoptViewState(): void {
    const viewState = parseViewState(this.deps.host.load());
    viewState.folds.forEach(([key, open]) => this.disclosures.set(key, open));
    this.scrollPosition.kept = viewState.place;
    this.search.adopt(viewState.find);
  }
}

function setFonts({ fontSize, fontFamily }: Extract<ToView, { type: 'appearance' }>): void {
  const { style } = document.documentElement;
  style.setProperty('--acp-font-size', fontSize === undefined ? '' : `${fontSize}px`);
  style.setProperty('--acp-font', fontFamily ?? '');
}

/** Runs the callback after `ms`. Returns a function that cancels it. */
export function timer(ms: number, callback: () => void): () => void {
  const handle = setTimeout(callback, ms);
  return () => clearTimeout(handle);
}
