/** The starts that the golden texts of the scenarios leave out: each is a scenario of its own, printed in full. */
import { playScenario } from '../../support/scenario/play';
import type { StageOptions } from '../../support/scenario/stageOptions';
import { setup } from './signInSetup';

const STARTS = {
  /** The scripted agent as it is. */
  scripted: {},
  /** The one that has every way of signing in, where nothing wants a sign-in. */
  signIn: { setup: setup({ needed: [] }) },
} satisfies Readonly<Record<string, StageOptions>>;

export type DefaultName = keyof typeof STARTS;

export const DEFAULT_NAMES = Object.keys(STARTS) as DefaultName[];

export async function playDefault(name: DefaultName): Promise<void> {
  await playScenario(`defaults/${name}`, { ...STARTS[name], defaults: null }, (stage) => stage.turn({ say: 'hello' }));
}
