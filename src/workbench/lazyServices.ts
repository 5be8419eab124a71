/** Rooms whose code is loaded when somebody first asks for what they do: starting a session needs none of it. */
import type { Disposable } from '../core/model/ports';
import { DisposableStore } from '../util/disposable';
import type { Attaching, AttachingPorts } from './editor/attachCommands';
import type { Conversations, ConversationsPorts } from './export/exportCommands';
import type { Openers } from './editor/openHandlers';
import type { ProtocolLog, ProtocolLogPorts } from './export/protocolLog';
import type { ShownTerminals } from './editor/terminalPanel';

export type LateRoomPorts = ConversationsPorts & Omit<ProtocolLogPorts, 'active'> & AttachingPorts;

export class LateRooms implements Disposable {
  private readonly store = new DisposableStore();
  private log: Promise<ProtocolLog> | undefined;
  private commands: Promise<Conversations> | undefined;
  private shown: Promise<ShownTerminals> | undefined;
  private opened: Promise<Openers> | undefined;
  private attached: Promise<Attaching> | undefined;

  constructor(private readonly ports: LateRoomPorts) {}

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
  conversations(): Promise<Conversations> {
    return (this.commands ??= import('./export/exportCommands').then(({ Conversations }) => this.store.add(new Conversations(this.ports))));
  }

  /** Commands of agents among the terminals of the window. */
  terminals(): Promise<ShownTerminals> {
    return (this.shown ??= import('./editor/terminalPanel').then(({ ShownTerminals }) => this.store.add(new ShownTerminals())));
  }

  /** What an agent's text points at, opened. */
  openers(): Promise<Openers> {
    return (this.opened ??= import('./editor/openHandlers').then(({ Openers }) => this.store.add(new Openers(this.ports.activity))));
  }

  /** Files and problems beside the next message. */
  attaching(): Promise<Attaching> {
    return (this.attached ??= import('./editor/attachCommands').then(({ Attaching }) => new Attaching(this.ports)));
  }

  dispose(): void {
    this.store.dispose();
  }
}
