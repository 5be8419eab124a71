/** Which files an agent may not write or read before the user has agreed: the defaults, and what the user's setting makes of them. Pure. */
import { parsePattern, reachOf, readingsOf, type PathPattern } from './pathPattern';

/** What would be done to a file. Deleting and moving are writes, of each path they name. */
export type FileAccess = 'read' | 'write';

/** What a rule asks about; `off` takes what it names out of the rules that reach no deeper. */
export type Protection = FileAccess | 'readWrite' | 'off';

const PROTECTIONS: readonly Protection[] = ['read', 'write', 'readWrite', 'off'];

function all(protection: Protection, ...patterns: readonly string[]): Record<string, Protection> {
  return Object.fromEntries(patterns.map((pattern) => [pattern, protection]));
}

/** By pattern. `package.json` says the same to the settings editor; `test/unit/manifest.test.ts` compares them. */
export const DEFAULT_PROTECTED_PATHS: Readonly<Record<string, Protection>> = {
  // What the editor, Git and the build server run without asking.
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
  // What shells run when they start.
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
  // What tools run or load because it lies there.
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
    '.config/mise',
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
  // What agents take their own permissions, hooks and servers from.
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
  // Instructions that agents follow in every session, so that one session could give orders to the next.
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
  // Secrets in files that also steer tools.
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
}

/** The rules that hold; made anew when the setting changes. */
export class ProtectedRules {
  private readonly rules: readonly Rule[];

  /** @param setting the user's own `acpHost.protectedPaths`, unchecked: laid over the defaults; what it holds of other shapes changes nothing. */
  constructor(setting?: unknown) {
    const own = typeof setting === 'object' && setting !== null && !Array.isArray(setting) ? Object.entries(setting) : [];
    const valid = own.filter((entry): entry is [string, Protection] => (PROTECTIONS as readonly unknown[]).includes(entry[1]));
    const byPattern = new Map([...Object.entries(DEFAULT_PROTECTED_PATHS), ...valid]);
    this.rules = [...byPattern].flatMap(([text, protection]) => {
      const pattern = parsePattern(text);
      return pattern ? [{ pattern, protection }] : [];
    });
  }

  /**
   * The pattern that protects a file, as it stands in the settings; undefined when none does. The one that reaches deepest counts.
   * @param names of the path below its root
   */
  ruleFor(names: readonly string[], access: FileAccess): string | undefined {
    const path = names.map(readingsOf);
    let [deepest, free] = [0, 0];
    let found: string | undefined;
    for (const { pattern, protection } of this.rules) {
      const reach = protection === 'off' || protection === access || protection === 'readWrite' ? reachOf(pattern, path) : 0;
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
