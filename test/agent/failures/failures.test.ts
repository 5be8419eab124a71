/** The text that the user reads when an agent fails. Each agent is a real process. The sentences are in test/golden/failures.txt. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Server } from 'node:http';
import type { Failure } from '../../../src/core/model/failure';
import type { SessionState } from '../../../src/core/model/state';
import { actionLabel, startActions, withCauseAction } from '../../../webview/failures/failureActions';
import { adviceText, failureText } from '../../../webview/failures/failures';
import { FAILURES } from '../../../webview/playground/galleryFailures';
import { assertGolden } from '../../support/golden';
import { watchLeaks } from '../../support/leaks';
import { buildAgent } from '../../support/scenario/agents';
import { Stage } from '../../support/scenario/stage';
import { FAILING_AGENTS, type FailingAgent, folderOf, refusingServer } from './agents';

describe('a failing agent', function () {
  this.timeout(120_000);
  watchLeaks();
  let cwd: string;
  let server: Server;
  let address: string;
  const lines: string[] = [];

  before(async () => {
    await buildAgent();
    cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'failures-')));
    ({ server, address } = await refusingServer());
  });

  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(cwd, { recursive: true, force: true });
  });

  async function failureOf(agent: FailingAgent): Promise<{ readonly failure: Failure; readonly state: SessionState }> {
    const folder = folderOf(cwd, agent.name);
    const stage = new Stage(folder, {
      ...(agent.launch && { launch: agent.launch(folder, address) }),
      ...(agent.setup && { setup: agent.setup }),
      defaults: null,
    });
    const { store } = stage.session;
    try {
      await stage.when(agent.name, () => store.state.status !== 'starting');
      if (agent.turn) {
        stage.script(...agent.turn);
        await stage.turnEnd();
      }
      const state = store.state;
      const ended = [...state.entries].findLast((entry) => 'kind' in entry && entry.kind === 'turn');
      const failure = state.failure ?? (ended && 'failure' in ended ? ended.failure : undefined);
      assert.ok(failure, `${agent.name}: ${state.status}`);
      return { failure, state };
    } finally {
      await stage.close();
      stage.checkFold();
    }
  }

  /** Ports and folders differ in each run. */
  const constant = (text: string, folder: string): string =>
    text.replaceAll(folder, '<folder>').replaceAll(new URL(address).host, '127.0.0.1:4711').replaceAll(new URL(address).port, '4711');

  for (const agent of FAILING_AGENTS) {
    it(`is started: ${agent.name}`, async () => {
      const { failure, state } = await failureOf(agent);
      const actions = agent.turn ? (['show_log'] as const) : startActions(state);
      const words = [failureText(failure), adviceText(failure)].filter(Boolean).join(' ');
      const folder = path.join(cwd, agent.name.replaceAll(/\W+/g, '-'));
      lines.push(
        `${agent.name}: ${failure.code}, ${failure.params?.['cause'] ?? 'no cause'}`,
        `  ${constant(words, folder)}`,
        `  ${withCauseAction(failure, actions, state.authMethods.length > 0)
          .map((action) => `[${actionLabel(action)}]`)
          .join(' ')}`,
      );
    });
  }

  it('is described in one sentence, with the possible actions', () => assertGolden('failures.txt', lines));

  it('has the same text in the gallery', () => {
    for (const { name, failure } of FAILURES) {
      const index = lines.findIndex((line) => line.startsWith(`${name}: `));
      assert.ok(index >= 0, name);
      const cause = failure.params?.['cause'] ?? 'no cause';
      assert.equal(lines[index], `${name}: ${failure.code}, ${cause}`);
    }
  });
});
