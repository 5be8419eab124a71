/** The starts that the golden texts of the scenarios leave out. Each is a scenario of its own, printed in full. */
import { playScenario } from '../../support/scenario/play';
import type { StageOptions } from '../../support/scenario/stageOptions';
import { setup } from './signInSetup';

const STARTS = {
  /** The unchanged scripted agent. */
  scripted: {},
  /** The agent in version 2. */
  version2: { setup: { v2: {} }, launch: { protocol: 2 } },
  /** The agent with every sign-in method, of which no request needs one. */
  signIn: { setup: setup({ needed: [] }) },
} satisfies Readonly<Record<string, StageOptions>>;

export type DefaultName = keyof typeof STARTS;

export const DEFAULT_NAMES = Object.keys(STARTS) as DefaultName[];

export async function playDefault(name: DefaultName): Promise<void> {
  await playScenario(`defaults/${name}`, { ...STARTS[name], defaults: null }, (stage) => stage.turn({ say: 'hello' }));
}
