/** What an agent's session gets of this window: its files through the editor, its commands on a terminal. */
import * as vscode from 'vscode';
import type { Clock, Log } from '../core/ports';
import { FileRoom } from '../fs/room';
import type { RoomPorts } from '../session/rooms';
import { loadNodePty } from '../terminal/pty';
import { TerminalRoom } from '../terminal/room';
import { RootCheck } from '../util/roots';
import type { EditorBuffers } from './buffers';

/** @param buffers the window's open files */
export function roomPorts(buffers: EditorBuffers, clock: Clock, log: Log): Pick<RoomPorts, 'files' | 'terminals'> {
  return {
    files: (roots) => new FileRoom(buffers, new RootCheck(roots)),
    terminals: (roots, emit) =>
      new TerminalRoom({ clock, log, cwd: roots.cwd, roots: new RootCheck(roots), defaultShell: () => vscode.env.shell, environment: process.env, loadPty: loadNodePty, emit }),
  };
}
