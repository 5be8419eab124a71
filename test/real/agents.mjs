// Real agents as a user's `acpHost.agents` would name them, but with the scripted endpoint of llm/ as their model. Every key is made up,
// every address is loopback, every home is a temporary folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const KEY = 'sk-made-up-0000';
const models = ['scripted-model', 'scripted-model-2'];

/**
 * The agents and their differences. All are pinned: another version is another agent.
 *
 * - `packages`: from npm, exact.
 * - `run(at)`: command and arguments; `at(path)` is inside its node_modules.
 * - `serve(at, folder)`: the same of its own server for remote clients, without the port.
 * - `files(llm)`: written to its home first, relative path → text or JSON value.
 * - `env(llm, home, at)`: the variables that lead it to the endpoint and keep it off the network.
 * - `first`: label and choice of the option that makes it ask for permission.
 * - `writes`: label and choice of the option that lets its commands write.
 * - `option`: label and choice of an option to change later.
 * - `asks`: false if it never asks for permission.
 * - `reportsOutput`: false if it does not report the output of a command.
 * - `plans`: it has a tool for plans and shows them as one.
 * - `steers`: the newest version of the protocol in which it takes messages into a running turn.
 * - `sessions`: its capabilities for sessions: `list`, `load`, `fork`, `delete`.
 * - `team`: it has subagents. `names` are those of the script `team`. `plan` and `first` are choices, as above: it plans, and the second subagent asks
 *   `questions`. `output` and `stops` are the versions of the protocol in which a command in the background has its output and a Stop.
 * - `limit`: it names the time at which a limit of the account resets. `env` replaces variables, `text` is a part of its error, `refusal(at)` is the answer
 *   of its provider until `at`, in ms since the epoch.
 * - `remembers`: false if it claims that it can load a session and then fails.
 */
export const agents = {
  claude: {
    packages: ['@agentclientprotocol/claude-agent-acp@0.100.0'],
    run: (at) => ['node', at('@agentclientprotocol/claude-agent-acp/dist/index.js')],
    option: ['Model', 'Sonnet 5.5'],
    sessions: ['list', 'load', 'fork', 'delete'],
    steers: 1,
    team: { names: ['The reader', 'The writer'], plan: ['Mode', 'Plan'], first: ['Mode', 'Manual'], questions: 2, output: [], stops: [2] },
    // The agent reports the time only to subscribers.
    limit: {
      env: { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: `sk-ant-oat01-${KEY}` },
      text: /hit your 5-hour limit/,
      refusal: anthropicRefusal,
    },
    env: (llm, home) => ({
      ANTHROPIC_BASE_URL: llm,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_TMPDIR: join(home, 'tmp'),
      // The agent refuses to start as root without this assurance that it is in a sandbox.
      IS_SANDBOX: '1',
    }),
  },
  opencode: {
    packages: ['opencode-ai@1.18.33'],
    run: (at) => [at('.bin/opencode'), 'acp'],
    files: (llm) => ({ '.config/opencode/opencode.json': opencodeConfig(llm) }),
    plans: true,
    sessions: ['list', 'load', 'fork'],
    option: ['Model', 'Scripted/Scripted Model 2'],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  },
  gemini: {
    packages: ['@google/gemini-cli@0.61.0'],
    run: (at) => ['node', at('@google/gemini-cli/bundle/gemini.js'), '--acp'],
    files: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      },
    }),
    reportsOutput: false,
    remembers: false,
    option: ['Mode', 'Plan'],
    env: (llm) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: llm }),
  },
  'codex-acp': {
    packages: ['@agentclientprotocol/codex-acp@2.6.0'],
    run: (at) => ['node', at('@agentclientprotocol/codex-acp/dist/index.js')],
    files: (llm) => ({ '.codex/config.toml': codexConfig(llm) }),
    first: ['Mode', 'Read-only'],
    writes: ['Mode', 'Full access'],
    option: ['Model', '6.1 Sol'],
    sessions: ['list', 'load', 'fork', 'delete'],
    steers: 2,
    team: {
      names: ['Reader', 'Writer'],
      plan: ['Collaboration mode', 'Plan'],
      first: ['Mode', 'Read-only'],
      questions: 1,
      output: [1, 2],
      stops: [],
    },
    limit: { text: /hit your usage limit/, refusal: codexRefusal },
    env: (_llm, home) => ({ SCRIPTED_KEY: KEY, CODEX_HOME: join(home, '.codex') }),
  },
  copilot: {
    packages: ['@github/copilot@1.0.102'],
    run: (at) => ['node', at('@github/copilot/npm-loader.js'), '--acp'],
    option: ['Mode', 'Plan'],
    env: (llm) => ({
      COPILOT_PROVIDER_BASE_URL: `${llm}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: models[0],
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    }),
  },
  qwen: {
    packages: ['@qwen-code/qwen-code@0.24.4'],
    run: (at) => ['node', at('@qwen-code/qwen-code/cli-entry.js'), '--acp'],
    serve: (at, folder) => ['node', at('@qwen-code/qwen-code/cli-entry.js'), 'serve', '--no-web', '--workspace', folder],
    first: ['Mode', 'Default'],
    option: ['Mode', 'Plan'],
    files: () => ({
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai' } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        model: { name: models[0] },
      },
    }),
    env: (llm) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${llm}/v1`, OPENAI_MODEL: models[0] }),
  },
};

Object.assign(agents, {
  'codex-zed': {
    packages: ['@zed-industries/codex-acp@0.16.0'],
    run: (at) => ['node', at('@zed-industries/codex-acp/bin/codex-acp.js')],
    // The agent's sandbox does not start in every container.
    files: (llm) => ({
      '.codex/config.toml': codexConfig(llm)
        .replace('on-request', 'untrusted')
        .replace('workspace-write', 'danger-full-access')
        .replace('gpt-5.6-sol', 'gpt-5.4'),
    }),
    option: ['Model', 'gpt-5.2'],
    env: (_llm, home) => ({ SCRIPTED_KEY: KEY, CODEX_HOME: join(home, '.codex') }),
  },
  kilo: {
    packages: ['@kilocode/cli@7.7.7'],
    run: (at) => [at('.bin/kilo'), 'acp'],
    files: (llm) => ({ '.config/kilo/opencode.json': opencodeConfig(llm), '.config/kilo/kilo.json': opencodeConfig(llm) }),
    option: ['Model', 'Scripted/Scripted Model 2'],
    env: () => ({ KILO_DISABLE_AUTOUPDATE: '1', KILO_DISABLE_MODELS_FETCH: '1' }),
  },
  pi: {
    packages: ['pi-acp@0.0.34', '@earendil-works/pi-coding-agent@0.87.1'],
    run: (at) => ['node', at('pi-acp/dist/index.js')],
    files: (llm) => ({
      '.pi/agent/models.json': piConfig(llm),
      '.pi/agent/settings.json': { defaultProvider: 'scripted', defaultModel: models[0], quietStartup: true },
    }),
    asks: false,
    option: ['Model', 'scripted/Scripted Model 2'],
    env: (_llm, home, at) => ({
      PI_OFFLINE: '1',
      PI_SKIP_VERSION_CHECK: '1',
      PI_CODING_AGENT_DIR: join(home, '.pi/agent'),
      PI_ACP_PI_COMMAND: at('.bin/pi'),
    }),
  },
});

/** The next release of claude-agent-acp, which reports the output of background commands. It starts in the mode Auto, which asks for less. */
agents['claude-0.101'] = {
  ...agents.claude,
  first: ['Mode', 'Manual'],
  packages: ['@agentclientprotocol/claude-agent-acp@0.101.0'],
  team: { ...agents.claude.team, output: [2] },
  sessions: undefined,
};

/** A later pi behind the same adapter. */
agents['pi-1.5'] = { ...agents.pi, packages: ['pi-acp@0.0.34', '@earendil-works/pi-coding-agent@1.5.2'] };

/** The version of the protocol that a run proposes; undefined for that of the setting's default. */
export const protocol = process.env.ACP_HOST_REAL_PROTOCOL ? Number(process.env.ACP_HOST_REAL_PROTOCOL) : undefined;

/** Names of the agents of a short run, and of a full one. */
export const quick = ['claude', 'opencode'];
export const all = ['claude', 'opencode', 'gemini', 'codex-acp', 'copilot', 'qwen'];

/**
 * Prepares an agent's home and returns its entry for `acpHost.agents`.
 * @param name of {@link agents}.
 * @param places `modules`: its node_modules; `home`: an empty folder; `llm`: address of the endpoint; `nodeFolder`: folder of a new enough `node`;
 *   `env`: variables that replace those of the agent.
 * @param places.served the workspace, for the agent's own server.
 * @returns {{command: string, args: string[], protocol?: number, env: Record<string, string>}}
 */
export function settingsEntry(name, { modules, home, llm, nodeFolder, env, served }) {
  const agent = agents[name];
  const at = (path) => join(modules, path);
  for (const [path, content] of Object.entries(agent.files?.(llm) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  const temp = join(home, 'tmp');
  mkdirSync(temp, { recursive: true });
  const [command, ...args] = served ? agent.serve(at, served) : agent.run(at);
  return {
    command: command === 'node' ? join(nodeFolder, 'node') : command,
    args,
    ...(protocol && { protocol }),
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_STATE_HOME: join(home, '.local/state'),
      XDG_CACHE_HOME: join(home, '.cache'),
      TMPDIR: temp,
      // Child processes of the agent look for `node` by name.
      PATH: `${nodeFolder}:${process.env.PATH}`,
      ...agent.env(llm, home, at),
      ...env,
    },
  };
}

function opencodeConfig(llm) {
  const limit = { context: 128_000, output: 8_000 };
  const takes = { tool_call: true, attachment: true, modalities: { input: ['text', 'image'], output: ['text'] } };
  return {
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    model: `scripted/${models[0]}`,
    small_model: `scripted/${models[0]}`,
    enabled_providers: ['scripted'],
    permission: { edit: 'ask', bash: 'ask' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${llm}/v1`, apiKey: KEY },
        models: {
          [models[0]]: { name: 'Scripted Model', limit, ...takes },
          [models[1]]: { name: 'Scripted Model 2', limit, ...takes },
        },
      },
    },
  };
}

function piConfig(llm) {
  const named = (id, at) => ({ id, name: at === 0 ? 'Scripted Model' : 'Scripted Model 2', contextWindow: 128_000, maxTokens: 8_000 });
  return { providers: { scripted: { baseUrl: `${llm}/v1`, api: 'openai-completions', apiKey: KEY, models: models.map(named) } } };
}

function codexConfig(llm) {
  return `model = "gpt-5.6-sol"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
[model_providers.scripted]
name = "Scripted"
base_url = "${llm}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
`;
}

/** A subscriber's limit, as the provider answers it. */
function anthropicRefusal(at) {
  const seconds = Math.ceil((at - Date.now()) / 1000);
  const unified = (name) => `anthropic-ratelimit-unified-${name}`;
  return {
    status: 429,
    headers: {
      [unified('status')]: 'rejected',
      [unified('reset')]: String(at / 1000),
      [unified('representative-claim')]: 'five_hour',
      [unified('5h-status')]: 'rejected',
      [unified('5h-reset')]: String(at / 1000),
      [unified('5h-utilization')]: '1.0',
      'retry-after': String(seconds),
      'x-should-retry': 'false',
    },
    body: {
      type: 'error',
      error: { type: 'rate_limit_error', message: "This request would exceed your account's rate limit. Please try again later." },
    },
  };
}

function codexRefusal(at) {
  const seconds = Math.ceil((at - Date.now()) / 1000);
  const message = 'The usage limit has been reached';
  return {
    status: 429,
    body: { error: { type: 'usage_limit_reached', message, plan_type: 'plus', resets_at: at / 1000, resets_in_seconds: seconds } },
  };
}
