/** The places that known agents keep their state in, the places that only they may read, and the hosts of their models. Pure. */

export interface AgentState {
  /** Matches the agent's id, its name or its command line. */
  readonly match: RegExp;
  /** Folders and files that the agent writes. They are made when they are missing, except for files. */
  readonly state: readonly StatePlace[];
  /** Files inside them that stay read-only, because a start outside the sandbox runs what they name: hooks, servers, plugins. */
  readonly readOnly: readonly string[];
  readonly hosts: readonly string[];
}

interface StatePlace {
  /** Relative to the home folder. */
  readonly path: string;
  /** The variable that moves it. */
  readonly variable?: string;
  readonly isFile?: boolean;
}

function folder(path: string, variable?: string): StatePlace {
  return { path, ...(variable !== undefined && { variable }) };
}

function file(path: string): StatePlace {
  return { path, isFile: true };
}

export const AGENT_STATES: readonly AgentState[] = [
  {
    match: /claude/i,
    state: [folder('.claude', 'CLAUDE_CONFIG_DIR'), file('.claude.json'), file('.claude.json.backup')],
    readOnly: [
      'settings.json',
      'settings.local.json',
      'CLAUDE.md',
      'hooks',
      'plugins',
      'agents',
      'commands',
      'skills',
      'output-styles',
      'local',
    ],
    hosts: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai'],
  },
  {
    match: /codex/i,
    state: [folder('.codex', 'CODEX_HOME')],
    readOnly: ['config.toml', 'AGENTS.md', 'AGENTS.override.md', 'prompts', 'skills', 'rules', 'hooks.json', 'packages'],
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  },
  {
    match: /gemini/i,
    state: [folder('.gemini', 'GEMINI_CLI_HOME')],
    readOnly: ['settings.json', 'GEMINI.md', 'extensions', 'commands', 'trustedFolders.json', 'policies', 'hooks', 'skills', '.env'],
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com', 'www.googleapis.com'],
  },
  {
    match: /qwen/i,
    state: [folder('.qwen')],
    readOnly: ['settings.json', 'QWEN.md', 'extensions', 'commands', 'skills', '.env'],
    hosts: ['chat.qwen.ai', 'portal.qwen.ai', 'dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com'],
  },
  {
    match: /opencode/i,
    state: [folder('.local/share/opencode'), folder('.local/state/opencode'), folder('.cache/opencode')],
    readOnly: [],
    hosts: ['opencode.ai', 'api.opencode.ai', 'models.dev', 'api.anthropic.com', 'api.openai.com'],
  },
  {
    match: /copilot/i,
    state: [folder('.copilot', 'COPILOT_HOME')],
    readOnly: ['config.json', 'mcp-config.json', 'agents', 'skills', 'hooks', 'pkg'],
    hosts: ['api.github.com', '*.githubcopilot.com', 'github.com'],
  },
  {
    match: /goose/i,
    state: [folder('.local/share/goose'), folder('.local/state/goose')],
    readOnly: [],
    hosts: ['api.anthropic.com', 'api.openai.com', 'openrouter.ai'],
  },
  {
    match: /kimi/i,
    state: [folder('.kimi')],
    readOnly: ['config.toml', 'config.json', 'mcp.json'],
    hosts: ['api.moonshot.ai', 'api.moonshot.cn', 'api.kimi.com', 'auth.kimi.com'],
  },
  {
    match: /vibe|mistral/i,
    state: [folder('.vibe', 'VIBE_HOME')],
    readOnly: ['config.toml', 'agents', 'tools', 'skills'],
    hosts: ['api.mistral.ai'],
  },
  {
    match: /\bpi(?:-acp)?\b/i,
    state: [folder('.pi')],
    readOnly: ['agent/settings.json', 'agent/extensions', 'agent/skills', 'agent/models.json'],
    hosts: ['api.anthropic.com', 'api.openai.com'],
  },
  { match: /auggie|augment/i, state: [folder('.augment')], readOnly: ['settings.json', 'commands', 'rules'], hosts: ['*.augmentcode.com'] },
  { match: /cline/i, state: [folder('.cline')], readOnly: ['hooks', 'rules'], hosts: ['api.cline.bot', 'app.cline.bot'] },
  {
    match: /kilo/i,
    state: [folder('.local/share/kilo'), folder('.local/state/kilo'), folder('.cache/kilo')],
    readOnly: [],
    hosts: ['api.kilo.ai', 'kilo.ai', 'models.dev'],
  },
  {
    match: /droid|factory/i,
    state: [folder('.factory')],
    readOnly: ['settings.json', 'mcp.json', 'hooks', 'droids'],
    hosts: ['*.factory.ai'],
  },
];

export interface AgentPlaces {
  readonly write: readonly { readonly path: string; readonly isFile: boolean }[];
  readonly readOnly: readonly string[];
  /** The state of the other known agents, which this one cannot read. */
  readonly others: readonly string[];
  readonly hosts: readonly string[];
}

/** The start of an agent, as far as it names the agent. */
export interface NamedStart {
  readonly agentId: string;
  readonly agentName: string;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Returns the places of an agent.
 * @param environment of the agent; a variable may move its state
 */
export function placesOf(start: NamedStart, home: string, environment: Readonly<Record<string, string | undefined>>): AgentPlaces {
  const words = [start.agentId, start.agentName, start.command, ...start.args].join(' ');
  const own = AGENT_STATES.filter(({ match }) => match.test(words));
  const pathOf = ({ path, variable }: StatePlace): string => {
    const moved = variable === undefined ? undefined : environment[variable];
    return moved?.startsWith('/') ? moved : `${home}/${path}`;
  };
  const write = own.flatMap(({ state }) => state.map((place) => ({ path: pathOf(place), isFile: place.isFile === true })));
  const written = new Set(write.map(({ path }) => path));
  return {
    write,
    readOnly: own.flatMap(({ state, readOnly }) => readOnly.map((name) => `${pathOf(state[0]!)}/${name}`)),
    others: AGENT_STATES.filter((each) => !own.includes(each))
      .flatMap(({ state }) => state.map((place) => `${home}/${place.path}`))
      .filter((path) => !written.has(path)),
    hosts: own.flatMap(({ hosts }) => hosts),
  };
}

/** Returns the hosts of URLs in the environment that name the endpoint of a model, as `name:port`. */
export function endpointHosts(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (
      value === undefined ||
      !/_(?:BASE_?URL|ENDPOINT|API_BASE|HOST)$/i.test(name) ||
      !/^https?:\/\//i.test(value) ||
      !URL.canParse(value)
    ) {
      return [];
    }
    const { hostname, port, protocol } = new URL(value);
    return [`${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`];
  });
}
