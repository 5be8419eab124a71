import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';

describe('the api', () => {
  let api: AcpHostApi;
  const folder = (): vscode.Uri => vscode.workspace.workspaceFolders![0]!.uri;
  const panels = (): number =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('acpHost.session')).length;

  before(async () => {
    api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
  });

  async function until(holds: () => boolean): Promise<void> {
    for (let tries = 0; !holds() && tries < 300; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function ready(session: AcpSession): Promise<void> {
    await until(() => session.status !== 'starting');
    assert.equal(session.status, 'ready');
  }

  it('lists the agents as New Session does: the demo first on a machine without agents', async () => {
    const agents = await api.agents();
    assert.equal(api.apiVersion, 2);
    assert.deepEqual(agents[0], { agentId: 'acp-host/demo', agentName: 'Demo Agent', source: 'demo' });
    assert.ok(agents.some(({ agentName, source }) => agentName === 'Claude Code' && source === 'predefined'));
  });

  it('runs a session from its panel to its end', async () => {
    let changes = 0;
    const subscription = api.onDidChangeSessions(() => changes++);
    const session = (await api.newSession({ agentName: 'Demo Agent', folder: folder() }))!;
    assert.ok(api.sessions.some(({ key }) => key === session.key));
    await ready(session);
    // The window reports its tabs to the extension host with a delay.
    await until(() => panels() > 0);
    assert.equal(panels(), 1);
    const turn = session.prompt('help');
    assert.equal(session.busy, true);
    await assert.rejects(session.prompt('meanwhile'), /still working/);
    assert.deepEqual(await turn, { stopReason: 'end_turn' });
    assert.equal(session.busy, false);
    await session.end();
    assert.equal(session.status, 'ended');
    await assert.rejects(session.prompt('after'), /ended/);
    assert.ok(changes > 3);
    subscription.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('stops a turn', async () => {
    const session = (await api.newSession({ agentName: 'Demo Agent', folder: folder() }))!;
    await ready(session);
    const turn = session.prompt('/tour');
    await new Promise((resolve) => setTimeout(resolve, 300));
    session.cancel();
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
    await session.end();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('refuses an agent that is not listed', async () => {
    await assert.rejects(api.newSession({ agentName: 'Nobody', folder: folder() }), /Nobody/);
  });
});
