/** Rooms whose code is loaded when somebody first asks for what they do: starting a session needs none of it. */
import type { Disposable } from '../core/ports';
import { DisposableStore } from '../util/disposable';
import type { Conversations, ConversationsPorts } from './conversations';
import type { ProtocolLog, ProtocolLogPorts } from './protocolLog';
import type { ShownTerminals } from './terminalPanel';

export type LateRoomPorts = ConversationsPorts & Omit<ProtocolLogPorts, 'active'>;

export class LateRooms implements Disposable {
  private readonly store = new DisposableStore();
  private log: Promise<ProtocolLog> | undefined;
  private commands: Promise<Conversations> | undefined;
  private shown: Promise<ShownTerminals> | undefined;

  constructor(private readonly ports: LateRoomPorts) {}

  /** What was said on the wire; until somebody looks, the traces only gather. */
  protocolLog(): Promise<ProtocolLog> {
    const { ports } = this;
    const active = () => ports.panels.active && { agentName: ports.panels.active.agentName, cwd: ports.panels.active.launch?.cwd ?? ports.panels.active.roots.cwd };
    return (this.log ??= import('./protocolLog').then(({ ProtocolLog }) => this.store.add(new ProtocolLog({ ...ports, active }))));
  }

  /** A conversation as text, file or document. */
  conversations(): Promise<Conversations> {
    return (this.commands ??= import('./conversations').then(({ Conversations }) => this.store.add(new Conversations(this.ports))));
  }

  /** Commands of agents among the terminals of the window. */
  terminals(): Promise<ShownTerminals> {
    return (this.shown ??= import('./terminalPanel').then(({ ShownTerminals }) => this.store.add(new ShownTerminals())));
  }

  dispose(): void {
    this.store.dispose();
  }
}
