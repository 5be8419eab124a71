/** What a scenario may want of its stage, and what it gets where it wants nothing. */
import type { ProcessLaunch } from '../../../src/core/model/ports';
import { fault } from '../../../src/core/model/failure';
import type { Presenter } from '../../../src/permission/presenter';
import type { AccountPort } from '../../../src/session/agent/signIn';
import type { SessionReference } from '../../../src/session/session';
import type { ChangesStage } from './changesStage';
import type { Setup } from '../../agent/scripted/agent';

/** What the user answers: an optionId, or nothing at all. */
export type Answer = (title: string) => string | undefined;

export interface StageOptions {
  readonly setup?: Setup;
  /** In place of the scripted agent. */
  readonly launch?: Partial<ProcessLaunch>;
  /** Default: `allow`. */
  readonly answer?: Answer;
  /** How signing in goes, and which values agents are started with for it. Default: nobody does. */
  readonly account?: AccountPort & { readonly values?: Readonly<Record<string, string>> };
  /** The session that the agent keeps and the stage opens. Default: a new one. */
  readonly from?: SessionReference;
  /** Folders that the agent may use besides the stage's own. */
  readonly additionalDirectories?: readonly string[];
  /** As the user's settings of these names. */
  readonly protectedPaths?: unknown;
  readonly askBeforeCommands?: unknown;
  /** Files are on disk, and what happens to them is recorded. Default: they are in memory, and nobody does. */
  readonly changes?: ChangesStage;
  /** The text in `test/golden/scenarios/defaults/` whose start is left out of this one; none: everything is printed. Default: `scripted`. */
  readonly defaults?: string | null;
}

/** Nobody signs in. */
export const NO_ACCOUNT: AccountPort = {
  runInTerminal: () => Promise.reject(fault('auth.not_finished')),
  askVariables: () => Promise.reject(fault('auth.not_finished')),
  hasVariables: () => false,
};

/** Nothing of the window: no quick pick ever opens, the user answers on the card. */
export const NOBODY: Presenter = {
  ready: false,
  activeSession: undefined,
  placeOf: () => undefined,
  onDidChange: () => ({ dispose: () => undefined }),
  onActivity: () => ({ dispose: () => undefined }),
  whenDrawn: (callback) => callback(),
  show: () => ({ dispose: () => undefined }),
};
