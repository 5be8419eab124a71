/** The window's terminals for the tool that reads them. */
import * as vscode from 'vscode';
import { plainOutput } from '../../../context/commandText';
import type { TerminalsPort } from '../../../mcp/editor/tools/terminals';
import type { CommandOutputs } from '../../mentions/commandOutputs';

export function terminalsPort(outputs: CommandOutputs): TerminalsPort {
  return {
    list: () => {
      const commands = outputs.newest.toReversed();
      return vscode.window.terminals.map((terminal, index) => {
        const own = commands.filter((each) => each.terminal === terminal);
        return {
          number: index + 1,
          name: terminal.name,
          isActive: terminal === vscode.window.activeTerminal,
          hasShellIntegration: terminal.shellIntegration !== undefined || own.length > 0,
          commands: own.map(({ command, isRunning, exitCode, output }) => ({
            command,
            isRunning,
            exitCode,
            output: plainOutput(output),
          })),
        };
      });
    },
  };
}
