/** Rooms whose code is loaded when somebody first asks for what they do: starting a session needs none of it. */
import type { Disposable } from '../core/model/ports';
import { DisposableStore } from '../util/disposable';
import type { AttachCommands, AttachCommandsDependencies } from './editor/attachCommands';
import type { ExportCommands, ExportCommandsDependencies } from './export/exportCommands';
import type { OpenHandlers } from './editor/openHandlers';
import type { Mentions, MentionsDependencies } from './mentions/mentions';
import type { ProtocolLog, ProtocolLogDependencies } from './export/protocolLog';
import type { ShownTerminals } from './terminal/terminalPanel';

export type LazyServicesDependencies = ExportCommandsDependencies &
  Omit<ProtocolLogDependencies, 'active'> &
  AttachCommandsDependencies &
  Omit<MentionsDependencies, 'openHandlers'>;

export class LazyServices implements Disposable {
  private readonly store = new DisposableStore();
  private log: Promise<ProtocolLog> | undefined;
  private commands: Promise<ExportCommands> | undefined;
  private shown: Promise<ShownTerminals> | undefined;
  private opened: Promise<OpenHandlers> | undefined;
  private mentioned: Promise<Mentions> | undefined;
  private attached: Promise<AttachCommands> | undefined;

  constructor(private readonly ports: LazyServicesDependencies) {}

  /** What was said on the wire; until somebody looks, the traces only gather. */
  protocolLog(): Promise<ProtocolLog> {
    const { ports } = this;
    const active = () =>
      ports.panels.active && {
        agentName: ports.panels.active.agentName,
        cwd: ports.panels.active.launch?.cwd ?? ports.panels.active.roots.cwd,
      };
    return (this.log ??= import('./export/protocolLog').then(({ ProtocolLog }) => this.store.add(new ProtocolLog({ ...ports, active }))));
  }

  /** A conversation as text, file or document. */
  exportCommands(): Promise<ExportCommands> {
    return (this.commands ??= import('./export/exportCommands').then(({ ExportCommands: ExportCommands }) =>
      this.store.add(new ExportCommands(this.ports)),
    ));
  }

  /** Commands of agents among the terminals of the window. */
  terminals(): Promise<ShownTerminals> {
    return (this.shown ??= import('./terminal/terminalPanel').then(({ ShownTerminals }) => this.store.add(new ShownTerminals())));
  }

  /** What an agent's text points at, opened. */
  openHandlers(): Promise<OpenHandlers> {
    return (this.opened ??= import('./editor/openHandlers').then(({ OpenHandlers: OpenHandlers }) =>
      this.store.add(new OpenHandlers(this.ports.activity)),
    ));
  }

  /** Files and problems beside the next message. */
  attachCommands(): Promise<AttachCommands> {
    return (this.attached ??= import('./editor/attachCommands').then(
      ({ AttachCommands: AttachCommands }) => new AttachCommands(this.ports),
    ));
  }

  /** What could be mentioned in a message, and what goes for it. */
  mentions(): Promise<Mentions> {
    return (this.mentioned ??= import('./mentions/mentions').then(({ Mentions }) =>
      this.store.add(new Mentions({ ...this.ports, openHandlers: () => this.openHandlers() })),
    ));
  }

  dispose(): void {
    this.store.dispose();
  }
}
