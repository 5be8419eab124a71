/** What an agent's session gets of this window: its files through the editor, its commands on a terminal, and what is asked about first. */
import * as vscode from 'vscode';
import type { Clock, Log } from '../core/ports';
import { ProtectedRules } from '../fs/protectedRules';
import { DEFAULT_FILE_LIMITS, FileRoom } from '../fs/room';
import { commandAskingOf } from '../session/hostQuestions';
import type { RoomPorts } from '../session/rooms';
import { loadNodePty } from '../terminal/pty';
import { TerminalRoom } from '../terminal/room';
import { RootCheck } from '../util/roots';
import { readCommandAsking, readProtectedPaths } from './agentSettings';
import { questionWords } from './askWords';
import type { EditorBuffers } from './buffers';
import { verbatim } from './l10n';

/** @param buffers the window's open files */
export function roomPorts(buffers: EditorBuffers, clock: Clock, log: Log): Omit<RoomPorts, 'clock' | 'log' | 'permissions'> {
  return {
    files: (roots, guard) => new FileRoom(buffers, new RootCheck(roots), DEFAULT_FILE_LIMITS, guard),
    terminals: (roots, emit, guard) =>
      new TerminalRoom({
        clock,
        log,
        cwd: roots.cwd,
        roots: new RootCheck(roots),
        defaultShell: () => vscode.env.shell,
        environment: process.env,
        loadPty: loadNodePty,
        emit,
        guard,
      }),
    questionWords: questionWords(verbatim),
    protectedRules: () => new ProtectedRules(readProtectedPaths()),
    commandAsking: (agentName) => commandAskingOf(readCommandAsking(), agentName),
  };
}
