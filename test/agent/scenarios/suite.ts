/** The shared parts of the scenario files: the built agent, the leak checks, and the check that every golden text belongs to a scenario. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isUpdatingGoldens } from '../../support/golden';
import { reasonToSkip } from '../../support/remote/transportCases';
import { startBridge, TEST_TRANSPORT } from '../../support/remote/bridge';
import { watchLeaks } from '../../support/leaks';
import { buildAgent } from '../../support/scenario/agents';
import { playScenario } from '../../support/scenario/play';
import type { Stage } from '../../support/scenario/stage';
import type { StageOptions } from '../../support/scenario/stageOptions';
import type { DefaultName } from './defaults';
import { playDefault } from './defaults';

type Scenario = (name: string, options: StageOptions, act: (stage: Stage) => Promise<void>) => void;

/**
 * A suite whose golden texts are in `test/golden/scenarios/<folder>/`.
 *
 * @param defaults the start that the texts leave out
 */
export function scenarios(folder: string, define: (scenario: Scenario) => void, defaults: DefaultName = 'scripted'): void {
  suite(folder, (add) => {
    // Otherwise the texts would be written without the earlier start.
    before(() => (isUpdatingGoldens ? playDefault(defaults) : undefined));
    define((name, options, act) => add(name, () => playScenario(`${folder}/${name}`, { defaults, ...options }, act)));
  });
}

/** @param define adds tests, named like their golden texts */
export function suite(folder: string, define: (add: (name: string, run: () => Promise<void>) => void) => void): void {
  describe(`scenarios: ${folder}`, function () {
    this.timeout(60_000);
    watchLeaks();

    before(buildAgent);
    before(startBridge);

    const names: string[] = [];
    define((name, run) => {
      names.push(name);
      const title = name.replaceAll('-', ' ');
      const reason = reasonToSkip(`${folder}/${name}`, TEST_TRANSPORT);
      if (reason === undefined) {
        it(title, run);
      } else {
        it.skip(`${title}: ${reason}`, run);
      }
    });

    it('uses every golden text in its folder', () => {
      const files = readdirSync(path.resolve('test/golden/scenarios', folder)).map((file) => path.basename(file, '.txt'));
      assert.deepEqual(files.sort(), names.sort());
    });
  });
}
