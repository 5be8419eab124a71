/**
 * The declaration of a feature's handlers. Each file of `src/workbench/features` has those of the channel of its name, as its default export. The
 * folder is the list of features: `build/folders.mjs` collects the files.
 */
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import type { Clock } from '../../core/platform/clock';
import type { Channel } from '../../core/protocol/messages/channel';
import type { ViewAction } from '../../core/protocol/view';
import type { Drafts } from '../../session/journal/drafts';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import type { SessionStorage } from '../../session/storage/sessionStorage';
import type { DisposableStore } from '../../util/disposable';
import type { Feature, Handlers } from '../../application/routing/feature';
import type { AttachCommands } from '../attachments/attachCommands';
import type { ChangesFeature } from '../changes/changesFeature';
import type { SessionPanels } from '../chat/panels';
import type { CodeBlocks } from '../code/codeBlocks';
import type { RulesView } from '../permission/rules/rulesView';
import type { WindowRules } from '../permission/rules/windowRules';
import type { WindowServers } from '../mcp/windowServers';
import type { OpenHandlers } from '../links/openHandlers';
import type { Mentions } from '../mentions/mentions';
import type { AgentPreferencesStore } from '../preferences/agentPreferences';
import type { SessionCommands } from '../sessions/sessionCommands';
import type { SessionHandover } from '../sessions/sessionHandover';
import type { UserActivity } from '../shared/userActivity';

/** The services that the composition root provides to features. Functions load their code on first use. */
export interface FeatureServices {
  readonly clock: Clock;
  /** Disposed with the window. */
  readonly store: DisposableStore;
  readonly activity: UserActivity;
  readonly journals: SessionStorage;
  readonly drafts: Drafts;
  readonly demo: ProcessLaunch;
  readonly code: CodeBlocks;
  readonly preferences: AgentPreferencesStore;
  readonly panels: SessionPanels;
  readonly sessions: Sessions;
  readonly sessionCommands: SessionCommands;
  readonly servers: Pick<WindowServers, 'feature'>;
  readonly rules: Pick<WindowRules, 'store' | 'suggestion'>;
  rulesView(): Promise<Pick<RulesView, 'reveal'>>;
  /** The recorded changes of the window's sessions. */
  changesHome(): Promise<ChangesFeature>;
  commandActions(): Promise<Pick<SessionHandover, 'resend'> & { view(action: ViewAction, session?: Session): Promise<void> }>;
  openHandlers(): Promise<OpenHandlers>;
  attachCommands(): Promise<AttachCommands>;
  mentions(): Promise<Mentions>;
}

/** Refuses services that the composition root does not provide. */
type Provided<Services> = FeatureServices extends Services ? unknown : { readonly error: 'FeatureServices lacks a service of this type.' };

/**
 * Declares the handlers of a channel, one for each of its messages.
 * @param create gets the services that its type names, as parts of {@link FeatureServices}, and loads other code with `lazy`
 */
export function feature<C extends Channel, Services = unknown>(
  create: ((services: Services) => Handlers<C>) & Provided<Services>,
): Feature<Services> {
  return create as unknown as Feature<Services>;
}
