/** Where a conversation goes on elsewhere: in a new session of its agent or of another one, or in a fork; and an agent that is started again. */
import type { Catalog } from '../../agent/catalog';
import { isReportUri } from '../../core/fileChanges/reportAddress';
import type { ContentBlock } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import { isBusy, isNew } from '../../core/model/select';
import { conversationBefore, isAbsent, type SessionState } from '../../core/model/state';
import type { AgentLaunch, Roots } from '../../core/model/ports';
import { type SessionSetup, setupIn } from '../../core/model/sessionSetup';
import type { UnsentPrompt } from '../../core/protocol/view';
import type { Drafts } from '../../session/journal/drafts';
import type { Session } from '../../session/session';
import { forkSession, restartAgent } from '../../session/sessionCopies';
import { continuationOf } from './continuation';
import { restartQuestion } from './restartQuestion';
import type { Sessions } from '../../session/sessions';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import { toMarkdown } from '../../text/transcript/transcript';
import type { Account } from '../auth/account';
import type { SessionPanels } from '../chat/panels';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { loadTitles, titleOf } from '../shared/sessionTitle';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { chooseSession } from './openSession';
import { isRunning } from './overview';
import { discardSession } from './unusedSessions';
import type { NewSessionChoice, StartOptions } from './newSession';
import type { OpenOptions } from '../chat/placement';

/** UTF-16 units of an old conversation that a new session gets. */
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
    private readonly ports: HandoverDependencies,
    private readonly source: {
      start(choice: NewSessionChoice, options?: OpenOptions, start?: StartOptions): Promise<Session>;
      /** Asks for a folder and for trust in it. Undefined when the user leaves. */
      chooseFolder(): Promise<Roots | undefined>;
    },
  ) {}

  /** In a new session of the same agent; of another one where that agent is not among the user's any more. */
  async continueInNew(session: Session): Promise<void> {
    const launch = this.launchOf(session.agentName);
    await (launch ? this.handOver(session, launch) : this.continueWithAnother(session));
  }

  /** In a new session of the agent that the user chooses; of the session in front where none is named. */
  async continueWithAnother(chosen?: Session): Promise<void> {
    const session = chosen ?? (await this.choose(t('Select the session to continue'), this.ports.sessions.all));
    if (!session) {
      return;
    }
    const others = this.ports.agents().catalog.entries.filter(({ agentName }) => agentName !== session.agentName);
    const { pickAgent } = await import('./pickAgent');
    const entry = await this.ports.activity.during(() => pickAgent([], others, undefined, t('Continue with Another Agent')));
    if (entry) {
      await this.handOver(session, entry.launch);
    }
  }

  /** By the agent where it can, else as a new session that gets the conversation as an attachment. */
  async fork(chosen?: Session): Promise<void> {
    const session = chosen ?? (await this.choose(t('Select the session to fork'), this.ports.sessions.all));
    if (!session) {
      return;
    }
    const { sessions, journals, panels, account } = this.ports;
    const { offers, sessionId } = session.store.state;
    const launch = session.launch ?? this.launchOf(session.agentName);
    if (session.isRecorded) {
      // The ids in a log may be anything: its agent is asked for no session of that name.
      await (launch ? this.continueIn(session, launch) : this.continueWithAnother(session));
      return;
    }
    if (!launch || !offers.fork || sessionId === undefined) {
      const agent = visible(session.agentName, MAX_NAME);
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
   * An earlier message, edited, in a new session of the same agent that gets what was said before it. A fork would have the message and all after it, too: no
   * agent says that it can fork up to a message. Files stay as they are, and so does this session, whose turn is stopped. Returns why nothing was sent.
   */
  async resend(session: Session, entryId: string, content: readonly ContentBlock[]): Promise<Failure | undefined> {
    const launch = session.launch ?? this.launchOf(session.agentName);
    if (!launch) {
      return { code: 'session.agent_removed', params: { agent: session.agentName } };
    }
    const before = conversationBefore(session.store.state, entryId);
    if (!before || session.isRecorded) {
      return { code: 'internal' };
    }
    session.cancel();
    const next = await this.source.start({ launch, setup: session.setup });
    return next.submit([...content, ...conversationBlocks(session.key, before)]);
  }

  /**
   * A new session with what was said before this message, which comes into its composer, to be said again or otherwise; shown. No agent forks at a message
   * (the draft of `session/fork` leaves that to later), so what was said goes along as an attachment.
   */
  async restoreConversation(session: Session, entryId: string): Promise<Session | undefined> {
    const launch = session.launch ?? this.launchOf(session.agentName);
    const { state } = session.store;
    const index = state.entries.indexOf(entryId);
    const slot = state.entries.at(index);
    if (!launch || index < 0 || !slot || isAbsent(slot) || slot.kind !== 'message') {
      const agent = visible(session.agentName, MAX_NAME);
      void window.showWarningMessage(t('{agent} is no longer configured: the conversation stays as it is.', { agent }));
      return undefined;
    }
    const content = slot.content.filter((block) => block.type !== 'resource' || !isReportUri(block.uri));
    const draft = content[0]?.type === 'text' ? content : [{ type: 'text' as const, text: '' }, ...content];
    return this.attachTo(session, launch, { at: Date.now(), content: draft }, conversationBefore(state, entryId));
  }

  /** Deletes a session that {@link restoreConversation} began, unless a message was sent in it. */
  async discard(session: Session): Promise<void> {
    if (isNew(session.store.state)) {
      await discardSession(session, this.ports);
    }
  }

  /** Ends the agent's process and starts it again, with every session that it has in this window. */
  async restartAgent(chosen?: Session): Promise<void> {
    const { sessions, activity } = this.ports;
    const session =
      chosen ??
      (await this.choose(
        t('Select a session of the agent to restart'),
        sessions.all.filter(({ store }) => isRunning(store.state)),
      ));
    if (!session) {
      return;
    }
    const { agentName } = session;
    const others = sessions.all.filter((each) => each.agentName === agentName && each !== session);
    const question = restartQuestion(
      session.store.state,
      others.map(({ store }) => store.state),
      visible(agentName, MAX_NAME),
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
    restartAgent(sessions, agentName, session);
  }

  /** Draft, queue and conversation go to a new session. */
  private async handOver(session: Session, launch: AgentLaunch): Promise<void> {
    const next = await this.continueIn(session, launch, this.ports.drafts.get(session.key));
    if (next) {
      session.queue.moveTo(next.queue);
    }
  }

  /** Does the same as {@link attachTo}. The new session takes the title of the old one and names it in a notice. */
  private async continueIn(session: Session, launch: AgentLaunch, draft?: UnsentPrompt): Promise<Session | undefined> {
    const { state } = session.store;
    const [next] = await Promise.all([this.attachTo(session, launch, draft), loadTitles()]);
    next?.store.append(...continuationOf(state, titleOf(state)));
    return next;
  }

  /** A new session knows nothing of the old one: the conversation goes along, for the user to keep or remove. */
  private async attachTo(
    session: Session,
    launch: AgentLaunch,
    draft?: UnsentPrompt,
    state = session.store.state,
  ): Promise<Session | undefined> {
    const setup = await this.setupFor(session, launch);
    if (!setup) {
      return undefined;
    }
    const next = await this.source.start({ launch, setup }, {}, { draft });
    const blocks = conversationBlocks(session.key, state);
    if (blocks.length > 0) {
      this.ports.panels.attach(next, blocks);
    }
    return next;
  }

  /** For a replayed log, which has no folder, the user chooses one. Undefined when they leave. */
  private async setupFor(session: Session, { agentName }: AgentLaunch): Promise<SessionSetup | undefined> {
    if (session.isRecorded) {
      const roots = await this.source.chooseFolder();
      return roots && setupIn(roots);
    }
    // Options that only one agent knows are not another's.
    const { options: _own, ...shared } = session.setup;
    return agentName === session.agentName ? session.setup : shared;
  }

  private launchOf(agentName: string): AgentLaunch | undefined {
    return this.ports.agents().catalog.entries.find((entry) => entry.agentName === agentName)?.launch;
  }

  /** The one in front, or one that is asked for. */
  private async choose(placeHolder: ReturnType<typeof t>, sessions: readonly Session[]): Promise<Session | undefined> {
    const active = sessions.find((session) => session === this.ports.panels.active);
    if (active) {
      return active;
    }
    const choice = await chooseSession(sessions, [], this.ports.activity, placeHolder);
    return choice && 'session' in choice ? choice.session : undefined;
  }
}

/** A conversation as what goes with a prompt; nothing of one in which nothing was said. */
function conversationBlocks(sessionKey: string, state: SessionState): ContentBlock[] {
  const text = toMarkdown(state, MAX_CONTINUED);
  return text === '' ? [] : [{ type: 'resource', uri: `acp-host:/${sessionKey}/conversation.md`, mimeType: 'text/markdown', text }];
}
