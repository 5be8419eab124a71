/** The options of a scenario's stage, and their defaults. */
import type { Instructions } from '../../../src/core/account/instructions';
import type { ProviderChoice } from '../../../src/core/account/provider';
import type { ProcessLaunch } from '../../../src/core/model/agentLaunch';
import { fault } from '../../../src/core/model/failure';
import type { Presenter } from '../../../src/session/permission/presenter';
import type { SignInUi } from '../../../src/session/agent/signIn';
import type { SessionReference } from '../../../src/session/session';
import type { Traces } from '../../../src/acp/trace/traces';
import type { ChangesStage } from './changesStage';
import type { StageRules } from './stageRules';
import type { Setup } from '../../agent/scripted/agent';

/** The user's answer: an optionId, or none. */
export type Answer = (title: string) => string | undefined;

export interface StageOptions {
  readonly setup?: Setup;
  /** Replaces the scripted agent. */
  readonly launch?: Partial<ProcessLaunch>;
  /** Default: `allow`. */
  readonly answer?: Answer;
  /** The maximum length of a message. */
  readonly maxLineBytes?: number;
  /** Records what is on the wire, also between the programs of a chain. Default: the client's own connections. */
  readonly traces?: Traces;
  /** The sign-in, and the values with which agents are started for it. Default: no user signs in. */
  readonly account?: SignInUi & { readonly values?: Readonly<Record<string, string>> };
  /** The agent's stored session that the stage opens. Default: a new one. */
  readonly from?: SessionReference;
  /** Folders that the agent may use besides the stage's own. */
  readonly additionalDirectories?: readonly string[];
  /** The values of the user's settings with these names. */
  readonly protectedPaths?: unknown;
  readonly askBeforeCommands?: unknown;
  /** The user's rules, and the denials of the workspace. Undefined: there is no source of rules. */
  readonly rules?: StageRules;
  /** The instructions for new sessions, the user's last choices of options, and the endpoints that the user has set. */
  readonly instructions?: Instructions;
  readonly chosenOptions?: Readonly<Record<string, string | boolean>>;
  readonly endpoints?: readonly ProviderChoice[];
  /** True when requests have a trace context. */
  readonly isTraced?: boolean;
  /** Files are on disk, and their changes are recorded. Default: they are in memory, and not recorded. */
  readonly changes?: ChangesStage;
  /**
   * The text in `test/golden/scenarios/defaults/` whose start is left out of this one; null: everything is printed. Default: `scripted`.
   */
  readonly defaults?: string | null;
}

/** An account whose user does not sign in. */
export const NO_ACCOUNT: SignInUi = {
  runInTerminal: () => Promise.reject(fault('auth.not_finished')),
  askVariables: () => Promise.reject(fault('auth.not_finished')),
  hasVariables: () => false,
  askSecret: () => Promise.resolve(),
  secret: () => undefined,
};

/** A window without quick picks: the user answers on the card. */
export const NOBODY: Presenter = {
  isFree: false,
  ready: false,
  activeSession: undefined,
  visibleSession: undefined,
  isCardBeneath: () => false,
  surfaceOf: () => undefined,
  onDidChange: () => ({ dispose: () => undefined }),
  onActivity: () => ({ dispose: () => undefined }),
  whenDrawn: (callback) => callback(),
  show: () => ({ dispose: () => undefined }),
};
