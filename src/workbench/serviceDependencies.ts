/** The services that this window gives to an agent's session: files through the editor, commands on a terminal, and the rules for asking first. */
import * as vscode from 'vscode';
import type { Clock } from '../core/platform/clock';
import type { Log } from '../core/platform/log';
import { askBeforeCommandsOf } from '../policy/askBeforeCommands';
import type { FileGuard } from '../fs/fileService';
import type { ClientServiceDependencies } from '../session/client/clientServices';
import type { WritePreviews } from '../session/questions/questionDependencies';
import type { SessionsDependencies } from '../session/sessions';
import type { CommandSandbox } from '../terminal/terminalService';
import { loadNodePty } from '../terminal/nodePty';
import { RootCheck } from '../util/roots';
import { readAskBeforeCommands, readProtectedPaths } from './settings/agentSettings';
import { questionStrings } from '../application/permission/questionStrings';
import type { WindowStartServices } from '../application/agents/startServices';
import type { Changes } from './changes/changes';
import type { EditorBuffers } from './editor/editorBuffers';
import type { CleanTexts } from './editor/cleanTexts';
import type { WindowRules } from './permission/rules/windowRules';
import type { ProtectedRules } from '../policy/protection/protectedRules';
import { verbatim } from './shared/l10n';
import { readSandboxMode } from './sandbox/sandboxSettings';
import type { WindowSandboxes } from './sandbox/windowSandboxes';

/** The patterns of the setting's value that was read last. Parsing all defaults takes longer than a decision. */
let parsed: { readonly setting: string; readonly rules: ProtectedRules } | undefined;

/** Resolves to the user's protected paths as they are now. */
export async function protectedRules(): Promise<ProtectedRules> {
  const { ProtectedRules: ProtectedRules } = await import('../policy/protection/protectedRules');
  const value = readProtectedPaths();
  const setting = JSON.stringify(value ?? null);
  parsed = parsed?.setting === setting ? parsed : { setting, rules: new ProtectedRules(value) };
  return parsed.rules;
}

/**
 * @param cleanTexts the unmodified texts of the window's documents @param changes the sessions' changes; undefined before the code that tracks
 * them is loaded
 */
export function serviceDependencies(
  cleanTexts: CleanTexts,
  clock: Clock,
  log: Log,
  changes: () => Changes | undefined,
  writePreviews: () => Promise<WritePreviews>,
  rules: Pick<WindowRules, 'sources' | 'observe'>,
  sandboxes: () => Promise<WindowSandboxes>,
  startServices: () => Promise<WindowStartServices>,
): Omit<ClientServiceDependencies, 'clock' | 'log' | 'permissions'> & Pick<SessionsDependencies, 'fileReader' | 'sandboxModeOf'> {
  // One instance for the whole window, because it keeps the order in which sessions write a file.
  let buffers: EditorBuffers | undefined;
  return {
    files: async (roots, guard, review, added) => {
      const [{ DEFAULT_FILE_LIMITS, FileService: FileService }, { EditorBuffers }] = await Promise.all([
        import('../fs/fileService'),
        import('./editor/editorBuffers'),
      ]);
      buffers ??= new EditorBuffers(cleanTexts, (path) => changes()?.writes(path));
      const copying: FileGuard = (operation, signal) => (changes()?.copying(roots, guard) ?? guard)(operation, signal);
      return new FileService(buffers, new RootCheck(roots), DEFAULT_FILE_LIMITS, copying, review, added);
    },
    terminals: async (roots, emit, guard, agent) => {
      const { TerminalService: TerminalService } = await import('../terminal/terminalService');
      let wrapper: Promise<CommandSandbox> | undefined;
      return new TerminalService({
        clock,
        log,
        cwd: roots.cwd,
        roots: new RootCheck(roots),
        defaultShell: () => vscode.env.shell,
        environment: process.env,
        commandEnvironment: async (folder) => (await startServices()).commandEnvironment(folder),
        loadPty: loadNodePty,
        emit,
        guard,
        sandbox: {
          wrap: async (...program) => {
            if (agent.sandboxMode() === 'off') {
              return undefined;
            }
            wrapper ??= sandboxes().then((all) => all.commandWrapper(agent, roots, emit));
            return (await wrapper).wrap(...program);
          },
          dispose: () => void wrapper?.then((sandbox) => sandbox.dispose()),
        },
      });
    },
    fileReader: (roots) => {
      const reader = import('./editor/fileText').then(({ fileReader }) => fileReader(roots));
      return async (path) => (await reader)(path);
    },
    questionWords: questionStrings(verbatim),
    protectedRules,
    ruleSources: rules.sources,
    observe: rules.observe,
    sandboxModeOf: readSandboxMode,
    refusalsIn: async (...output) => (await sandboxes()).refusalsIn(...output),
    writePreviews: async () => {
      const { readChangeSettings } = await import('./settings/changeSettings');
      return readChangeSettings().holdsWrites ? writePreviews() : undefined;
    },
    askBeforeCommands: (...agent) => askBeforeCommandsOf(readAskBeforeCommands(), ...agent),
  };
}
