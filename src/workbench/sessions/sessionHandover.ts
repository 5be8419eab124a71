/** Continues a conversation elsewhere: in a new session of the same or another agent, or in a fork. Also restarts agents. */
import type { Catalog } from '../../agent/catalog';
import { isReportUri } from '../../core/model/reportAddress';
import { agentNamed, agentWithId } from '../../core/agents/agentIds';
import type { ContentBlock } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import { isBusy, isNew, conversationBefore, isRunning } from '../../core/model/select';
import { isAbsent, type SessionState } from '../../core/model/state';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Roots } from '../../core/model/roots';
import { type SessionSetup, setupIn } from '../../core/model/sessionSetup';
import type { UnsentPrompt } from '../../core/protocol/view';
import type { Drafts } from '../../session/journal/drafts';
import type { Session } from '../../session/session';
import { forkBefore, forkSession } from '../../session/forkSession';
import { restartAgent } from '../../session/restartAgent';
import { attachedNotice, continuationOf } from '../../application/sessions/continuation';
import { restartQuestion } from '../../application/sessions/restartQuestion';
import type { Sessions } from '../../session/sessions';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import { toMarkdown } from '../../text/transcript/transcript';
import type { Account } from '../signIn/account';
import type { SessionPanels } from '../chat/panels';
import type { Preset } from '../../application/presets/preset';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { loadTitles, titleOf } from '../../application/shared/sessionTitle';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { chooseSession } from './openSession';
import { discardSession } from '../../application/sessions/unusedSessions';
import type { NewSessionChoice, StartOptions } from './newSession';
import type { OpenOptions } from '../../application/chat/placement';

/** The maximum number of UTF-16 units of an old conversation that a new session gets. */
const MAX_CONTINUED = 200_000;
const MAX_NAME = 80;

export interface HandoverDependencies {
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly journals: SessionStorage;
  readonly drafts: Drafts;
  readonly account: Account;
  readonly activity: UserActivity;
  agents(): { readonly catalog: Catalog };
}

export class SessionHandover {
  constructor(
    private readonly deps: HandoverDependencies,
    private readonly source: {
      start(choice: NewSessionChoice, options?: OpenOptions, start?: StartOptions): Promise<Session>;
      /** Asks for a folder and for trust in it. Resolves to undefined when the user cancels. */
      chooseFolder(): Promise<Roots | undefined>;
    },
  ) {}

  /** Continues in a new session of the same agent, or of another one when that agent is no longer configured. */
  async continueInNew(session: Session): Promise<void> {
    const launch = this.launchOf(session);
    await (launch ? this.handOver(session, launch) : this.continueWithAnother(session));
  }

  /** Continues in a new session of an agent that the user chooses. Without `chosen` it continues the session in front. */
  async continueWithAnother(chosen?: Session): Promise<void> {
    const session = chosen ?? (await this.choose(t('Select the session to continue'), this.deps.sessions.all));
    if (!session) {
      return;
    }
    const others = this.deps.agents().catalog.entries.filter(({ agentId }) => agentId !== session.agentId);
    const { pickAgent } = await import('./pickAgent');
    const { readPresets } = await import('../presets/readPresets');
    const presets = readPresets().filter(({ agent }) => agentNamed(others, agent));
    const picked = await this.deps.activity.during(() => pickAgent([], others, { title: t('Continue with Another Agent'), presets }));
    if (picked) {
      await this.handOver(session, picked.entry.launch, picked.preset);
    }
  }

  /** Continues in a new session of this agent, such as another account. */
  async continueWith(session: Session, launch: AgentLaunch): Promise<void> {
    await this.handOver(session, launch);
  }

  /** Forks a session. An agent that cannot fork gets a new session with the conversation as an attachment. */
  async fork(chosen?: Session): Promise<void> {
    const session = chosen ?? (await this.choose(t('Select the session to fork'), this.deps.sessions.all));
    if (!session) {
      return;
    }
    const { sessions, journals, panels, account } = this.deps;
    const { capabilities, sessionId } = session.store.state;
    const launch = session.launch ?? this.launchOf(session);
    if (session.isRecorded) {
      // The ids in a log are untrusted, so no agent is asked to fork them.
      await (launch ? this.continueIn(session, launch) : this.continueWithAnother(session));
      return;
    }
    if (!launch || !capabilities.fork || sessionId === undefined) {
      const agent = inertLine(session.agentName, MAX_NAME);
      void window.showInformationMessage(t("{agent} can't fork sessions. The conversation was attached to a new session.", { agent }));
      await (launch ? this.continueIn(session, launch) : this.continueWithAnother(session));
      return;
    }
    if (isBusy(session.store.state)) {
      void window.showInformationMessage(t('Stop the agent or wait until it is done, then fork the session.'));
      return;
    }
    const fork = await forkSession(sessions, journals, session, launch);
    panels.open(fork);
    await account.load(launch);
    fork.open();
  }

  /**
   * Sends an edited earlier message in a new session of the same agent. An agent that can fork before the message has the conversation in its memory.
   * Another agent gets the conversation as an attachment. A notice says which of the two it is. Files stay unchanged, and so does this session, whose
   * turn is stopped. Returns the failure when nothing was sent.
   */
  async resend(session: Session, entryId: string, content: readonly ContentBlock[]): Promise<Failure | undefined> {
    const launch = session.launch ?? this.launchOf(session);
    if (!launch) {
      return { code: 'session.agent_removed', params: { agent: session.agentName } };
    }
    const before = conversationBefore(session.store.state, entryId);
    if (!before || session.isRecorded) {
      return { code: 'internal' };
    }
    session.cancel();
    const { sessions, journals, panels, account } = this.deps;
    const fork = await forkBefore(sessions, journals, session, launch, entryId);
    if (fork) {
      panels.open(fork);
      await account.load(launch);
      fork.open();
      return fork.submit(content);
    }
    const blocks = conversationBlocks(session.key, before);
    const events = blocks.length > 0 ? [attachedNotice()] : [];
    const next = await this.source.start({ launch, setup: session.setup }, {}, { events });
    return next.submit([...content, ...blocks]);
  }

  /**
   * Shows a new session with the conversation before this message, under the same title. The message itself is put into the composer for editing. The
   * conversation is attached, because no agent forks at a message (the draft of `session/fork` postpones that).
   */
  async restoreConversation(session: Session, entryId: string): Promise<Session | undefined> {
    const launch = session.launch ?? this.launchOf(session);
    const { state } = session.store;
    const index = state.entries.indexOf(entryId);
    const slot = state.entries.at(index);
    if (!launch || index < 0 || !slot || isAbsent(slot) || slot.kind !== 'message') {
      const agent = inertLine(session.agentName, MAX_NAME);
      void window.showWarningMessage(t('{agent} is no longer configured: the conversation stays as it is.', { agent }));
      return undefined;
    }
    const content = slot.content.filter((block) => block.type !== 'resource' || !isReportUri(block.uri));
    const draft = content[0]?.type === 'text' ? content : [{ type: 'text' as const, text: '' }, ...content];
    await loadTitles();
    const before = conversationBefore(state, entryId) ?? state;
    const title: EventInput = { type: 'session_info', title: titleOf(state) };
    return this.attachTo(session, launch, before, { draft: { at: Date.now(), content: draft } }, (blocks) =>
      blocks.length > 0 ? [title, attachedNotice()] : [title],
    );
  }

  /** Deletes a session that {@link restoreConversation} created, unless a message was sent in it. */
  async discard(session: Session): Promise<void> {
    if (isNew(session.store.state)) {
      await discardSession(session, this.deps);
    }
  }

  /** Restarts the agent's process, with every session that it has in this window. */
  async restartAgent(chosen?: Session): Promise<void> {
    const { sessions, activity } = this.deps;
    const session =
      chosen ??
      (await this.choose(
        t('Select a session of the agent to restart'),
        sessions.all.filter(({ store }) => isRunning(store.state)),
      ));
    if (!session) {
      return;
    }
    const { agentId, agentName } = session;
    const others = sessions.all.filter((each) => each.agentId === agentId && each !== session);
    const question = restartQuestion(
      session.store.state,
      others.map(({ store }) => store.state),
      inertLine(agentName, MAX_NAME),
      t,
    );
    if (question) {
      const { message, detail } = question;
      const restart = t('Restart Agent');
      const answer = await activity.during(() => window.showWarningMessage(message, { modal: true, ...(detail && { detail }) }, restart));
      if (answer !== restart) {
        return;
      }
    }
    restartAgent(sessions, agentId, session);
  }

  /** Moves draft, queue and conversation to a new session. */
  private async handOver(session: Session, launch: AgentLaunch, preset?: Preset): Promise<void> {
    const next = await this.continueIn(session, launch, this.deps.drafts.get(session.key), preset);
    if (next) {
      session.queue.moveTo(next.queue);
    }
  }

  /** Like {@link attachTo}. The new session also takes the old one's title and names it in a notice. */
  private async continueIn(session: Session, launch: AgentLaunch, draft?: UnsentPrompt, preset?: Preset): Promise<Session | undefined> {
    const { state } = session.store;
    await loadTitles();
    return this.attachTo(session, launch, state, { draft, preset }, () => continuationOf(state, titleOf(state)));
  }

  /**
   * Starts a new session and attaches the conversation, because the agent does not know it. The user can remove the attachment.
   * @param eventsOf returns the beginning of the new conversation from its attachment
   */
  private async attachTo(
    session: Session,
    launch: AgentLaunch,
    state: SessionState,
    { draft, preset }: { readonly draft?: UnsentPrompt | undefined; readonly preset?: Preset | undefined },
    eventsOf: (blocks: readonly ContentBlock[]) => EventInput[],
  ): Promise<Session | undefined> {
    const setup = await this.setupFor(session, launch);
    if (!setup) {
      return undefined;
    }
    const blocks = conversationBlocks(session.key, state);
    const next = await this.source.start({ launch, setup, preset }, {}, { draft, events: eventsOf(blocks) });
    if (blocks.length > 0) {
      this.deps.panels.attach(next, blocks);
    }
    return next;
  }

  /** Returns the setup of the new session. A replayed log has no folder, so the user chooses one. Resolves to undefined when the user cancels. */
  private async setupFor(session: Session, { agentId }: AgentLaunch): Promise<SessionSetup | undefined> {
    if (session.isRecorded) {
      const roots = await this.source.chooseFolder();
      return roots && setupIn(roots);
    }
    // An agent's own options are not passed to another agent.
    const { options: _own, preferred: _preferred, ...shared } = session.setup;
    return agentId === session.agentId ? session.setup : shared;
  }

  /** A replayed log names its agent by the display name. */
  private launchOf({ agentId, isRecorded }: Session): AgentLaunch | undefined {
    const { entries } = this.deps.agents().catalog;
    return (isRecorded ? agentNamed(entries, agentId) : agentWithId(entries, agentId))?.launch;
  }

  /** Returns the session in front, or else one that the user chooses. */
  private async choose(placeHolder: ReturnType<typeof t>, sessions: readonly Session[]): Promise<Session | undefined> {
    const active = sessions.find((session) => session === this.deps.panels.active);
    if (active) {
      return active;
    }
    const choice = await chooseSession(sessions, [], this.deps.activity, placeHolder);
    return choice && 'session' in choice ? choice.session : undefined;
  }
}

/** Returns the conversation as content of a prompt. Empty for a conversation without messages. */
function conversationBlocks(sessionKey: string, state: SessionState): ContentBlock[] {
  const text = toMarkdown(state, MAX_CONTINUED);
  return text === '' ? [] : [{ type: 'resource', uri: `acp-host:/${sessionKey}/conversation.md`, mimeType: 'text/markdown', text }];
}
