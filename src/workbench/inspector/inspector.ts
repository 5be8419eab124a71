/** **ACP: Open Inspector**: the messages of an agent as a page. Loaded by its command; without it a trace is a ring buffer without a reader. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ProtocolSchema } from '../../acp/inspector/frameSchema';
import { exportLines } from '../../acp/trace/exportLines';
import type { AgentTrace, Traces } from '../../acp/trace/traces';
import { InspectorModel } from '../../application/inspector/inspectorModel';
import { commands, inspectorViewType } from '../../application/shared/ids';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import { lazy } from '../../util/lazy';
import { verbatim } from '../shared/l10n';
import { closeLeftPage } from '../shared/webviewPage';
import { InspectorPanel } from './inspectorPanel';

export interface InspectorDependencies {
  readonly traces: Traces;
  readonly clock: Clock;
  readonly log: Log;
  /** The version of this extension, for the header of a log. */
  readonly version: string;
  readonly extensionUri: vscode.Uri;
  active(): { readonly agentId: string; readonly cwd: string } | undefined;
}

export class Inspector implements Disposable {
  private open: { readonly panel: InspectorPanel; readonly model: InspectorModel } | undefined;
  private readonly schemas = { 1: lazy(() => this.read(1)), 2: lazy(() => this.read(2)) };

  constructor(private readonly deps: InspectorDependencies) {}

  /** Opens the page again for the link of a page whose extension host has exited. */
  async reopen(): Promise<void> {
    if (!this.open) {
      await closeLeftPage(inspectorViewType);
    }
    this.show();
  }

  show(): void {
    if (this.open) {
      this.open.panel.reveal();
      return;
    }
    const { traces, clock, log, extensionUri, active } = this.deps;
    const panel: InspectorPanel = new InspectorPanel(extensionUri, log, {
      onMessage: (message) => void model.receive(message).catch((error: unknown) => log.error(`The inspector: ${String(error)}`)),
      onHidden: () => model.hide(),
      onClosed: () => {
        model.dispose();
        this.open = undefined;
      },
    });
    const model = new InspectorModel({
      traces,
      clock,
      active,
      t: verbatim,
      language: vscode.env.language,
      schema: (version) => this.schemas[version]().catch(() => undefined),
      send: (message) => panel.post(message),
      replay: (agent) => void this.replay(agent).catch((error: unknown) => log.error(`The replay failed: ${String(error)}`)),
      export: (agent) => void vscode.commands.executeCommand(commands.exportProtocolLog, undefined, agent),
      copy: async (text) => vscode.env.clipboard.writeText(text),
    });
    this.open = { panel, model };
  }

  dispose(): void {
    this.open?.panel.dispose();
  }

  /** Replays the log as it would be exported, without secrets. The file exists only while it is read. */
  private async replay(agent: AgentTrace): Promise<void> {
    const folder = await mkdtemp(path.join(tmpdir(), 'acp-host-replay-'));
    try {
      const file = path.join(folder, `${agent.agentName.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40) || 'agent'}.ndjson`);
      await writeFile(file, [...exportLines(agent, this.deps.version)].map((line) => `${line}\n`).join(''), { mode: 0o600, flag: 'wx' });
      await vscode.commands.executeCommand(commands.replayLog, vscode.Uri.file(file));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async read(version: 1 | 2): Promise<ProtocolSchema> {
    const file = vscode.Uri.joinPath(this.deps.extensionUri, 'dist', 'schema', `v${version}.json`).fsPath;
    return JSON.parse(await readFile(file, 'utf8')) as ProtocolSchema;
  }
}
