/** The dependencies of a session's lifecycle. */
import type { AuthMethod } from '../../core/model/content';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { SessionSetup } from '../../core/model/sessionSetup';
import type { AgentConnection } from '../agent/agentConnection';
import type { ClientServices } from '../client/clientServices';
import type { AgentDependencies } from './sessionDependencies';
import type { SandboxChoice } from '../sandbox/sandboxChoice';
import type { SessionNotices } from '../state/sessionNotices';
import type { SessionStore } from '../state/store';
import type { PromptReport } from './turns';
import type { SessionRoots } from './sessionRoots';

export interface LifecycleDependencies {
  /** The session's key in this window. */
  readonly key: string;
  readonly agentId: string;
  readonly agentName: string;
  /** Undefined when the agent cannot be started. */
  readonly launch: AgentLaunch | undefined;
  readonly store: SessionStore;
  readonly services: ClientServices;
  readonly notices: SessionNotices;
  /** The current folders. */
  readonly roots: SessionRoots;
  readonly sandbox: Pick<SandboxChoice, 'announce'>;
  /** The other parameters of the session requests. */
  readonly setup: SessionSetup;
  readonly shared: Pick<
    AgentDependencies,
    | 'clock'
    | 'account'
    | 'start'
    | 'isCurrent'
    | 'markStale'
    | 'retire'
    | 'chosenOptions'
    | 'optionRefused'
    | 'instructions'
    | 'servers'
    | 'leftUnprompted'
  >;
  /** Notify the agent's other sessions that the user has signed in or out. */
  signedIn(method: AuthMethod, connection: AgentConnection | undefined): void;
  signedOut(connection: AgentConnection): void;
  /** The reports for the next prompt, such as the user's edits of the agent's changes. An element is undefined while no feature has set it. */
  reports(): readonly (PromptReport | undefined)[];
  /** Sends the queued messages if the agent is idle. */
  sendQueued(): void;
}
