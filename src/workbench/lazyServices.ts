/** Services whose code is loaded on first use, because starting a session needs none of them. */
import { workingFolder } from '../core/agents/endpoint';
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

  /** The messages on the wire. Until the log is opened, traces are only collected. */
  protocolLog(): Promise<ProtocolLog> {
    const { ports } = this;
    const active = () => {
      const session = ports.panels.active;
      return (
        session && { agentId: session.agentId, cwd: session.launch ? workingFolder(session.launch, session.roots.cwd) : session.roots.cwd }
      );
    };
    return (this.log ??= import('./export/protocolLog').then(({ ProtocolLog }) => this.store.add(new ProtocolLog({ ...ports, active }))));
  }

  /** Copies and exports a conversation as text, file or document. */
  exportCommands(): Promise<ExportCommands> {
    return (this.commands ??= import('./export/exportCommands').then(({ ExportCommands: ExportCommands }) =>
      this.store.add(new ExportCommands(this.ports)),
    ));
  }

  /** The terminals in the panel that show agents' commands. */
  terminals(): Promise<ShownTerminals> {
    return (this.shown ??= import('./terminal/terminalPanel').then(({ ShownTerminals }) => this.store.add(new ShownTerminals())));
  }

  /** Opens the targets of links in an agent's text. */
  openHandlers(): Promise<OpenHandlers> {
    return (this.opened ??= import('./editor/openHandlers').then(({ OpenHandlers: OpenHandlers }) =>
      this.store.add(new OpenHandlers(this.ports.activity)),
    ));
  }

  /** Attaches files and problems to the next message. */
  attachCommands(): Promise<AttachCommands> {
    return (this.attached ??= import('./editor/attachCommands').then(
      ({ AttachCommands: AttachCommands }) => new AttachCommands(this.ports),
    ));
  }

  /** Finds what can be mentioned in a message, and its content. */
  mentions(): Promise<Mentions> {
    return (this.mentioned ??= import('./mentions/mentions').then(({ Mentions }) =>
      this.store.add(new Mentions({ ...this.ports, openHandlers: () => this.openHandlers() })),
    ));
  }

  dispose(): void {
    this.store.dispose();
  }
}
