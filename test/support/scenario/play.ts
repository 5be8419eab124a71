/**
 * A scenario: a real agent process (the scripted one, on the official SDK) with our real stack down to the services. The documents are in
 * memory instead of an editor, and the user is scripted. The result is printed and compared with `test/golden/scenarios/<folder>/<name>.txt`:
 * events, warnings of the log, and the final files. The start that all agents share is left out (test/golden/README.md).
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertGolden } from '../golden';
import { expectNoChildren } from '../leaks';
import { keepOrder, TEST_TRANSPORT } from '../remote/bridge';
import { needsOrder, withoutTransport } from '../remote/transportCases';
import { Stage } from './stage';
import type { StageOptions } from './stageOptions';

/** Runs `act` on a fresh stage and compares the result with the golden text of that name. */
export async function playScenario(name: string, options: StageOptions, act: (stage: Stage) => Promise<void>): Promise<void> {
  const cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'scenario-')));
  keepOrder(needsOrder(name, TEST_TRANSPORT));
  const stage = new Stage(cwd, options);
  try {
    await act(stage);
  } finally {
    await stage.close();
    await rm(cwd, { recursive: true, force: true });
  }
  await expectNoChildren();
  stage.checkFold();
  stage.checkFrames();
  stage.checkReplay();
  assertGolden(`scenarios/${name}.txt`, stage.lines, (lines) => withoutTransport(TEST_TRANSPORT, lines));
}
