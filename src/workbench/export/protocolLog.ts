/**
 * **ACP: Show Protocol Log** and **ACP: Export Protocol Log…**. Loaded by the first of them; without them a trace is a ring buffer without a
 * reader. The channel follows one agent until that agent ends or another is shown. VS Code does not report whether the channel is visible, so each
 * of the agent's frames is written to it meanwhile.
 */
import * as vscode from 'vscode';
import { homedir } from 'node:os';
import path from 'node:path';
import { TraceFollower } from '../../acp/trace/follower';
import { exportLines } from '../../acp/trace/exportLines';
import type { AgentTrace, Traces } from '../../acp/trace/traces';
import type { SummaryLine } from '../../acp/trace/summary';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { type InertText, inertLine, visibleLine } from '../../application/shared/escape';
import { commands } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { targetOf } from '../documents/saveTarget';
import { saveText } from '../documents/saveText';
import { inOrder, traceRow } from '../../application/export/traceRows';
import type { UserActivity } from '../shared/userActivity';
import { type SaveDialogOptions, window } from '../shared/window';

export interface ProtocolLogDependencies {
  readonly traces: Traces;
  readonly clock: Clock;
  readonly activity: UserActivity;
  /** The version of this extension, for the header of an exported log. */
  readonly version: string;
  /** Returns the agent of the session in front, which the user most likely means. */
  active(): { readonly agentId: string; readonly cwd: string } | undefined;
}

export class ProtocolLog implements Disposable {
  private channel: vscode.LogOutputChannel | undefined;
  private follower: TraceFollower | undefined;
  private shown: AgentTrace | undefined;
  private levels: Disposable | undefined;

  constructor(private readonly deps: ProtocolLogDependencies) {}

  async show(): Promise<void> {
    const agent = await this.choose(t('Select the agent whose protocol log to show'));
    if (!agent) {
      return;
    }
    this.channel ??= window.createOutputChannel(t('ACP Host Protocol'), { log: true });
    // Lines logged at another level cannot be shown at the new one, so the log is written again.
    this.levels ??= this.channel.onDidChangeLogLevel(() => this.follow());
    this.shown = agent;
    this.follow();
    this.channel.show(true);
    const save = t('Export…');
    const message = t('The protocol log of {agent} is in the Output panel. Export it to get complete messages.', {
      agent: inertLine(agent.agentName, 80),
    });
    void window
      .showInformationMessage(message, save)
      .then((button) => button === save && vscode.commands.executeCommand(commands.exportProtocolLog, undefined, agent));
  }

  /** @param target the target file @param only the agent. The user is asked for those that are absent. */
  async export(target?: unknown, only?: unknown): Promise<void> {
    const agent =
      this.deps.traces.all.find((each) => each === only) ?? (await this.choose(t('Select the agent whose protocol log to export')));
    const place = agent && (await targetOf(target, whereTo(agent), this.deps.activity));
    if (!agent || !place || !(await saveText(place, () => linesOf(agent, this.deps.version), this.deps.activity))) {
      return;
    }
    const { uri } = place;
    const open = t('Open');
    const saved = t('Protocol log exported. Anything that looks like a secret was removed. Review the file before you share it.');
    void window.showInformationMessage(saved, open).then((button) => button === open && vscode.commands.executeCommand('vscode.open', uri));
  }

  dispose(): void {
    this.follower?.dispose();
    this.levels?.dispose();
    this.channel?.dispose();
    this.channel = undefined;
  }

  private follow(): void {
    const { channel, shown: agent } = this;
    this.follower?.dispose();
    if (!channel || !agent) {
      return;
    }
    const shown = agent.commandLine ?? agent.address;
    const about = { agent: inertLine(agent.agentName, 80), time: new Date(agent.startedAt).toLocaleString(vscode.env.language) };
    channel.info(
      shown === undefined
        ? t('{agent}, started {time}', about)
        : t('{agent}, started {time}: {command}', { ...about, command: inertLine(shown, 500) }),
    );
    channel.info(t('Only the first chunk of a streamed message is shown. Set the log level to Debug to show all.'));
    const sink = {
      line: (line: SummaryLine) => channel[line.level](visibleLine(line.text)),
      hidden: (count: number) => channel.warn(t("{count} entries aren't shown here. Export the conversation to see them.", { count })),
      ended: () => channel.info(t('The agent exited.')),
    };
    this.follower = new TraceFollower(agent, sink, this.deps.clock);
  }

  /** Returns the only agent, or the one that the user chooses. The list begins with the active session's agent, then the newest. */
  private async choose(placeHolder: InertText): Promise<AgentTrace | undefined> {
    const agents = inOrder(this.deps.traces.all, this.deps.active());
    if (agents.length === 0) {
      void window.showInformationMessage(t('No agent has run in this window yet.'));
    }
    if (agents.length < 2) {
      return agents[0];
    }
    const rows = agents.map((agent) => ({ ...traceRow(agent, t, vscode.env.language), agent }));
    const options = { placeHolder, matchOnDescription: true, matchOnDetail: true };
    return (await this.deps.activity.during(() => window.showQuickPick(rows, options)))?.agent;
  }
}

function whereTo(agent: AgentTrace): SaveDialogOptions {
  const name = agent.agentName.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40);
  const time = new Date(agent.startedAt).toISOString().slice(0, 19).replace(/[:T]/g, '-');
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? homedir();
  return {
    title: t('Export Protocol Log'),
    defaultUri: vscode.Uri.file(path.join(folder, `acp-${name}-${time}.ndjson`)),
    filters: { [t('Protocol logs')]: ['ndjson'] },
  };
}

function* linesOf(agent: AgentTrace, version: string): Iterable<string> {
  for (const line of exportLines(agent, version)) {
    yield line + '\n';
  }
}
