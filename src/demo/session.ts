/** One conversation with the guide: its settings, permissions and running turn. */
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  NewSessionResponse,
  SessionConfigOption,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import { COMMANDS, configOptionsOf, INITIAL, modesOf, setOption } from './config';
import type { Settings } from './config';
import { answer } from './guide';
import { intentOf } from './intent';
import { Tools } from './tools';
import { Cancelled, Turn } from './turn';

/** Only for display; there is no context window behind it. */
const CONTEXT_SIZE = 32_000;
const CHARACTERS_PER_TOKEN = 4;
const TITLE_LENGTH = 48;

export class DemoSession {
  private readonly settings: Settings = { ...INITIAL };
  private readonly granted = new Set<string>();
  private running: AbortController | undefined;
  private characters = 0;
  private titled = false;

  constructor(
    readonly sessionId: string,
    private readonly cwd: string,
    private readonly client: AgentContext,
    private readonly capabilities: ClientCapabilities,
    /** The agent reads the disk instead of the client's documents. */
    private readonly readsDisk = false,
  ) {}

  get opening(): NewSessionResponse {
    return { sessionId: this.sessionId, modes: modesOf(this.settings), configOptions: this.configOptions };
  }

  get configOptions(): SessionConfigOption[] {
    // `{}` means yes; absent and null mean no.
    return configOptionsOf(this.settings, Boolean(this.capabilities.session?.configOptions?.boolean));
  }

  /** Sends the commands and the usage to a client that has just opened the session. */
  async announce(): Promise<void> {
    await this.update({ sessionUpdate: 'available_commands_update', availableCommands: COMMANDS });
    await this.sendUsage();
  }

  /** Handles `session/set_mode` and `session/set_config_option`. The client shows the errors. */
  async set(configId: string, value: unknown): Promise<void> {
    if (!setOption(this.settings, configId, value)) {
      throw RequestError.invalidParams({ configId, value }, 'no such option or value');
    }
    // A client reads either modes or config options, so both must be updated.
    if (configId === 'mode') {
      await this.update({ sessionUpdate: 'current_mode_update', currentModeId: this.settings.mode });
    }
  }

  async sendConfig(): Promise<void> {
    await this.update({ sessionUpdate: 'config_option_update', configOptions: this.configOptions });
  }

  /** @param signal the request's own: aborted when the client cancels it or disconnects */
  async prompt(prompt: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    if (this.running) {
      throw RequestError.invalidRequest(undefined, 'a turn is running');
    }
    const running = new AbortController();
    this.running = running;
    const turn = new Turn(this.client, this.sessionId, this.settings, AbortSignal.any([running.signal, signal]), (characters) => {
      this.characters += characters;
    });
    try {
      const intent = intentOf(prompt);
      this.characters += intent.text.length;
      await this.sendTitle(intent.text);
      await answer({ turn, tools: new Tools(turn, this.cwd, this.capabilities, this.granted, this.readsDisk), cwd: this.cwd }, intent);
      await this.sendUsage();
      return 'end_turn';
    } catch (error) {
      if (error instanceof Cancelled) {
        return 'cancelled';
      }
      throw error;
    } finally {
      await turn.end();
      this.running = undefined;
    }
  }

  cancel(): void {
    this.running?.abort();
  }

  private async sendTitle(prompt: string): Promise<void> {
    const line = prompt.split('\n')[0]?.trim() ?? '';
    if (this.titled || line === '') {
      return;
    }
    this.titled = true;
    const title = line.startsWith('/tour')
      ? 'A tour of ACP Host'
      : line.length > TITLE_LENGTH
        ? `${line.slice(0, TITLE_LENGTH).trimEnd()}…`
        : line;
    await this.update({ sessionUpdate: 'session_info_update', title, updatedAt: new Date().toISOString() });
  }

  private async sendUsage(): Promise<void> {
    const used = Math.min(CONTEXT_SIZE, Math.round(this.characters / CHARACTERS_PER_TOKEN));
    await this.update({ sessionUpdate: 'usage_update', used, size: CONTEXT_SIZE, cost: { amount: 0, currency: 'USD' } });
  }

  private async update(update: SessionUpdate): Promise<void> {
    await this.client.notify(methods.client.session.update, { sessionId: this.sessionId, update });
  }
}
