/** The files that an agent must not read or write without the user's consent: the defaults, changed by the user's setting. Pure. */
import type { FileAccess } from '../../core/model/roots';
import { parsePattern, reachOf, readingsOf, type PathPattern } from './pathPattern';

/** The operations that a rule asks about. `off` exempts its files from rules that match no deeper. */
export type Protection = FileAccess | 'readWrite' | 'off';

const PROTECTIONS: readonly Protection[] = ['read', 'write', 'readWrite', 'off'];

function all(protection: Protection, ...patterns: readonly string[]): Record<string, Protection> {
  return Object.fromEntries(patterns.map((pattern) => [pattern, protection]));
}

/** The default protection by pattern. `package.json` contains the same for the settings editor; `test/unit/manifest.test.ts` compares them. */
export const DEFAULT_PROTECTED_PATHS: Readonly<Record<string, Protection>> = {
  // Files that the editor, Git and the build server execute without asking.
  ...all(
    'write',
    '.git',
    '.vscode',
    '.devcontainer',
    '.devcontainer.json',
    '.husky',
    '.githooks',
    '.hg/hgrc',
    '.idea',
    '.zed',
    '.terraformrc',
    'terraform.rc',
    '.github/workflows',
    '.github/actions',
    '*.code-workspace',
  ),
  // Files that shells run when they start.
  ...all(
    'write',
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.bash_aliases',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
    '.zlogout',
  ),
  ...all('write', '.kshrc', '.cshrc', '.tcshrc', '.login', '.config/fish', '.config/powershell', 'Microsoft.PowerShell_profile.ps1'),
  // Files that tools run or load because of their location.
  ...all(
    'write',
    '.gitconfig',
    '.config/git',
    '.gitmodules',
    '.gitattributes',
    '.mcp.json',
    '.tool-versions',
    'mise.toml',
    '.mise.toml',
    'mise.*.toml',
    '.mise.*.toml',
    '.mise',
    'mise/config*.toml',
    '.config/mise',
    '.config/mise*.toml',
  ),
  ...all(
    'write',
    '.pre-commit-config.yaml',
    '.pre-commit-config.yml',
    '.lefthook.yml',
    'lefthook.yml',
    '.yarnrc',
    '.yarn/releases',
    '.yarn/plugins',
  ),
  ...all(
    'write',
    '.pnpmfile.cjs',
    'bunfig.toml',
    '.cargo/config',
    '.cargo/config.toml',
    'pip.conf',
    '.condarc',
    '.vimrc',
    '.exrc',
    '.nvimrc',
    '.tmux.conf',
  ),
  ...all('write', '.gdbinit', '.lldbinit', '.curlrc', '.wgetrc', '.config/systemd', '.config/autostart', 'Library/LaunchAgents'),
  // Files that agents read their own permissions, hooks and servers from.
  ...all(
    'write',
    '.claude',
    '.claude.json',
    '.codex',
    '.gemini',
    '.cursor',
    '.qwen',
    '.opencode',
    'opencode.json',
    'opencode.jsonc',
    '.continue',
    '.cline',
    '.roo',
  ),
  ...all(
    'write',
    '.windsurf',
    '.copilot',
    '.aider*',
    '.kiro',
    '.amazonq',
    '.goose',
    '.kimi',
    '.augment',
    '.junie',
    '.trae',
    '.crush',
    '.factory',
    '.agents',
    '.pi',
  ),
  ...all('write', '.config/opencode', '.config/goose', '.config/github-copilot', '.config/crush', '.config/zed'),
  // The editor's own settings and state, in which the user's permission rules are.
  ...all('write', 'User/settings.json', 'User/profiles', 'User/globalStorage', '.vscode-server'),
  // Instructions that agents follow in every session. With them, one session could give orders to the next.
  ...all(
    'write',
    'AGENTS.md',
    'AGENTS.override.md',
    'CLAUDE.md',
    'CLAUDE.local.md',
    'GEMINI.md',
    '.github/copilot-instructions.md',
    '.github/instructions',
    '.cursorrules',
  ),
  // Secrets in files that also control tools.
  ...all(
    'readWrite',
    '.envrc',
    '.npmrc',
    '.yarnrc.yml',
    '.pypirc',
    '.netrc',
    '_netrc',
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.kube',
    '.docker/config.json',
  ),
  ...all(
    'readWrite',
    '.git-credentials',
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.config/gcloud',
    '.config/gh',
    '.m2/settings.xml',
    '.gem/credentials',
  ),
  // Secrets.
  ...all(
    'read',
    '.env*',
    '*.pem',
    '*.key',
    '*.p12',
    '*.pfx',
    '*.jks',
    '*.keystore',
    '*.ppk',
    '*.kdbx',
    'id_rsa*',
    'id_dsa*',
    'id_ecdsa*',
    'id_ed25519*',
  ),
  ...all(
    'read',
    '*credentials*.json',
    '.pgpass',
    '.my.cnf',
    '.vault-token',
    '*.tfvars',
    '*.tfvars.json',
    '*.tfstate',
    '*.tfstate.backup',
    '.htpasswd',
    '.codex/auth.json',
    '.gemini/oauth_creds.json',
    '.qwen/oauth_creds.json',
  ),
  ...all('off', 'id_*.pub'),
};

interface Rule {
  readonly pattern: PathPattern;
  readonly protection: Protection;
  /** True for a default, which exempts no file from a rule about writing: it names public keys, and an agent can give a folder such a name. */
  readonly isDefault: boolean;
}

/** The rules in force. Created again when the setting changes. */
export class ProtectedRules {
  private readonly rules: readonly Rule[];

  /** @param setting the user's own `acpHost.protectedPaths`, unchecked. It overrides the defaults; invalid entries are ignored. */
  constructor(setting?: unknown) {
    const own = typeof setting === 'object' && setting !== null && !Array.isArray(setting) ? Object.entries(setting) : [];
    const valid = own.filter((entry): entry is [string, Protection] => (PROTECTIONS as readonly unknown[]).includes(entry[1]));
    const byPattern = new Map([...Object.entries(DEFAULT_PROTECTED_PATHS), ...valid]);
    const ownPatterns = new Set(valid.map(([text]) => text));
    this.rules = [...byPattern].flatMap(([text, protection]) => {
      const pattern = parsePattern(text);
      return pattern ? [{ pattern, protection, isDefault: !ownPatterns.has(text) }] : [];
    });
  }

  /**
   * Returns the pattern that protects a file, as written in the settings, or undefined. The pattern with the deepest match counts.
   * @param names the names of the path below its root
   */
  ruleFor(names: readonly string[], access: FileAccess): string | undefined {
    const path = names.map(readingsOf);
    let [deepest, free] = [0, 0];
    let found: string | undefined;
    for (const { pattern, protection, isDefault } of this.rules) {
      const applies = protection === 'off' ? access === 'read' || !isDefault : protection === access || protection === 'readWrite';
      const reach = applies ? reachOf(pattern, path) : 0;
      if (protection === 'off') {
        free = Math.max(free, reach);
      } else if (reach > deepest) {
        deepest = reach;
        found = pattern.text;
      }
    }
    return free >= deepest ? undefined : found;
  }
}
