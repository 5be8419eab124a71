/** Another extension that uses all of the API: test/sampleExtension. */
import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSessionEvent } from '../../src/api';

interface Sample {
  readonly acpHost: AcpHostApi;
  readonly fixed: vscode.Disposable;
  readonly asked: vscode.Disposable;
  ask(agentName?: string, text?: string): Promise<{ key: string; stopReason: string; events: AcpSessionEvent[] } | undefined>;
}

describe('another extension', () => {
  let sample: Sample;
  const names = async () =>
    (await sample.acpHost.agents()).filter(({ source }) => source === 'extension').map(({ agentName }) => agentName);

  before(async () => {
    sample = (await vscode.extensions.getExtension<Sample>('acp-host.acp-host-sample')!.activate())!;
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('adds agents, with a launch or a function that returns one, under unique names', async () => {
    assert.deepEqual(await names(), ['Sample Agent', 'Sample Agent (asked)']);
    const { acpHost } = sample;
    const launch = { command: 'node' };
    const same = acpHost.registerAgentProvider({ id: 'a.b', label: 'Claude Code', launch });
    const broken = acpHost.registerAgentProvider({ id: 'a.c', label: 'Broken', launch: { command: './relative' } });
    assert.throws(() => acpHost.registerAgentProvider({ id: 'a.b', label: 'Other', launch }), /no other/);
    assert.deepEqual(await names(), ['Sample Agent', 'Sample Agent (asked)', 'Claude Code (a.b)']);
    same.dispose();
    broken.dispose();
    assert.deepEqual(await names(), ['Sample Agent', 'Sample Agent (asked)']);
  });

  it('starts sessions with them, prompts, and receives events', async () => {
    const heard = (await vscode.commands.executeCommand('acpHostSample.ask')) as Awaited<ReturnType<Sample['ask']>>;
    assert.equal(heard?.stopReason, 'end_turn');
    const told = heard.events.map((event) =>
      event.type === 'toolCall'
        ? `${event.title} ${event.status}`
        : event.type === 'messageChunk'
          ? `${event.role}: ${event.text}`
          : event.type,
    );
    assert.deepEqual(told, [
      'statusChanged',
      'turnStarted',
      'user: Hello',
      'Repeat pending',
      'agent: You said: Hello',
      'Repeat completed',
      'turnEnded',
    ]);
    assert.equal((await sample.ask('Sample Agent (asked)', 'Again'))?.stopReason, 'end_turn');
  });

  it('removes its agents, and their conversations can still be read', async () => {
    const { acpHost, fixed, asked } = sample;
    const before = acpHost.sessions.length;
    fixed.dispose();
    asked.dispose();
    assert.deepEqual(await names(), []);
    await assert.rejects(async () => acpHost.newSession({ agentName: 'Sample Agent' }), /Sample Agent/);
    assert.equal(acpHost.sessions.length, before);
    assert.ok(acpHost.sessions.some(({ agentName, status }) => agentName === 'Sample Agent' && status === 'ended'));
  });
});
