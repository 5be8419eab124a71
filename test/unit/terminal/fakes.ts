import { mkdtempSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '../../../src/core/platform/log';
import { loadNodePty } from '../../../src/terminal/nodePty';
import type { LoadPty } from '../../../src/terminal/pty';
import { TerminalService, type TerminalDependencies } from '../../../src/terminal/terminalService';
import type { TerminalEvent } from '../../../src/terminal/terminal';
import { systemClock } from '../../../src/util/clock';
import { listProcesses } from '../../../src/util/processes/processList';
import { RootCheck } from '../../../src/util/roots';

export const brokenPty: LoadPty = () => Promise.reject(new Error('no binary'));

export interface TestRoom {
  readonly room: TerminalService;
  readonly cwd: string;
  readonly events: TerminalEvent[];
  readonly warnings: string[];
  /** The text of the card. */
  shown(terminalId: string): string;
  /** Runs a command to its end. Returns the output that the agent then reads. */
  run(command: string, args?: readonly string[]): Promise<string>;
}

/** A terminal service over real processes, in a new folder. */
export function testRoom(overrides: Partial<TerminalDependencies> = {}): TestRoom {
  const cwd = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-terminal-')));
  const events: TerminalEvent[] = [];
  const warnings: string[] = [];
  const log: Log = { debug: () => {}, info: () => {}, warn: (message) => void warnings.push(message), error: () => {} };
  const room = new TerminalService({
    clock: systemClock,
    log,
    cwd,
    roots: new RootCheck({ cwd, additionalDirectories: [] }),
    defaultShell: () => '/bin/sh',
    environment: process.env,
    loadPty: loadNodePty,
    emit: (event) => void events.push(event),
    ...overrides,
  });
  return {
    room,
    cwd,
    events: events,
    warnings,
    shown: (terminalId) =>
      events.map((each) => (each.type === 'terminal_output' && each.terminalId === terminalId ? each.text : '')).join(''),
    run: async (command, args) => {
      const terminalId = await room.create({ command, ...(args && { args }) });
      await room.waitForExit(terminalId);
      const { output } = room.output(terminalId);
      await room.release(terminalId);
      return output;
    },
  };
}

/** The `pids` that are still running. */
export async function alive(pids: readonly string[]): Promise<string[]> {
  const rows = await listProcesses();
  return pids.filter((pid) => rows.some((row) => row.pid === Number(pid) && !row.zombie));
}

/** Waits until `condition` holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
