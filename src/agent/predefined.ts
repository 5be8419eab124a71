/**
 * Agents that are available without any setting. Package runners name an exact version: a cached one starts without a network request, and the
 * version that runs is the one that was tested. Agents that are not npm packages are started by the command that their own installer puts on PATH.
 */
import type { ProcessLaunch } from '../core/model/agentLaunch';

/** The order of the list. */
export const PREDEFINED_AGENTS: readonly ProcessLaunch[] = [
  npx('Claude Code', '@agentclientprotocol/claude-agent-acp@0.100.0'),
  npx('Codex CLI', '@agentclientprotocol/codex-acp@2.6.0'),
  npx('Gemini CLI', '@google/gemini-cli@0.61.0', ['--acp']),
  npx('GitHub Copilot CLI', '@github/copilot@1.0.102', ['--acp']),
  npx('OpenCode', 'opencode-ai@1.18.33', ['acp']),
  npx('Qwen Code', '@qwen-code/qwen-code@0.24.4', ['--acp']),
  npx('Auggie CLI', '@augmentcode/auggie@0.36.0', ['--acp'], { AUGMENT_DISABLE_AUTO_UPDATE: '1' }),
  npx('Cline', 'cline@3.0.65', ['--acp']),
  npx('Kilo Code', '@kilocode/cli@7.7.7', ['acp']),
  // The adapter starts `pi`, so both packages are on its PATH.
  program('Pi', 'npx', ['--yes', '--package', 'pi-acp@0.0.34', '--package', '@earendil-works/pi-coding-agent@1.5.2', 'pi-acp']),
  program('Factory Droid', 'droid', ['exec', '--output-format', 'acp'], {
    DROID_DISABLE_AUTO_UPDATE: 'true',
    FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
  }),
  program('Goose', 'goose', ['acp']),
  program('Kimi CLI', 'kimi', ['acp']),
  program('Mistral Vibe', 'vibe-acp', []),
];

function npx(
  name: string,
  packageAtVersion: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ProcessLaunch {
  return program(name, 'npx', ['--yes', packageAtVersion, ...args], env);
}

function program(name: string, command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ProcessLaunch {
  return { agentId: name, agentName: name, command, args, env };
}
