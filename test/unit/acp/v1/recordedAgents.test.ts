/** Messages of real agents in recorded sessions, passed through connection and dialect. Nothing gets lost; the results are in test/golden/frames. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import type { EventInput } from '../../../../src/core/model/event';
import type { Dialect } from '../../../../src/acp/dialect';
import { assertGolden } from '../../../support/golden';
import { MessageLines } from '../../../support/messageLines';
import type { Connected } from '../support';
import { connecting, settle } from '../support';
import { LOGGED_V1 } from '../../../../src/acp/v1/clientFrames';

const FOLDER = path.join(__dirname, '../../../fixtures/frames');

interface Frame {
  readonly dir: 'a2c' | 'c2a' | 'note';
  readonly text?: string;
  readonly msg: { readonly id?: unknown; readonly method?: string; readonly params?: Record<string, unknown> };
}

/** Plays one recording: repeats the client's requests through the dialect, and feeds the agent's frames with the new ids. */
class Player {
  readonly lines: string[] = [];
  readonly events: EventInput[] = [];
  private shown = new MessageLines();
  private connection: Connected | undefined;
  private readonly ours = new Map<unknown, unknown>();
  private calls = 0;

  async play(frame: Frame): Promise<void> {
    if (frame.dir === 'note') {
      this.lines.push(`# ${frame.text ?? ''}`);
      this.connection?.dispose();
      this.connection = connecting({}, LOGGED_V1);
      this.shown = new MessageLines();
      this.connection.client.file = () => Promise.resolve('text');
      this.connection.client.permission = (ask) => Promise.resolve({ optionId: ask.options[0]!.optionId });
      this.ours.clear();
      this.calls = 0;
      return;
    }
    const { transport, client } = this.connection!;
    const { msg } = frame;
    if (frame.dir === 'c2a') {
      if (msg.method !== 'initialize' && !this.send(msg.method ?? '', msg.params ?? {})) {
        return;
      }
      this.lines.push(`> ${msg.method ?? ''}`);
      if (msg.id !== undefined) {
        this.ours.set(msg.id, transport.last.id);
      }
      return;
    }
    if (msg.method === undefined) {
      if (!this.ours.has(msg.id)) {
        return;
      }
      transport.feed({ ...msg, id: this.ours.get(msg.id) });
      client.ends.splice(0).forEach(({ events }) => this.note(events));
    } else {
      const before = client.events.length;
      const sent = transport.sent.length;
      const calls = client.calls.length;
      transport.feed(msg);
      await settle();
      if (msg.method === 'session/update') {
        assert.ok(client.events.length > before, `lost: ${JSON.stringify(msg)}`);
      } else if (msg.id !== undefined) {
        assert.equal(transport.sent.length, sent + 1, `not answered: ${JSON.stringify(msg)}`);
      } else if (!msg.method.startsWith('$/')) {
        assert.equal(client.calls.length, calls + 1, `lost: ${JSON.stringify(msg)}`);
      }
    }
    this.report();
  }

  /** Sends a request through the dialect. Returns false for a request that the dialect does not have. */
  private send(method: string, params: Record<string, unknown>): boolean {
    const outcome = this.connection!.outcome();
    assert.ok(outcome?.ok, 'initialize was answered');
    const dialect: Dialect = outcome.value;
    const { sessionId, configId, value, modeId } = params as Record<string, string>;
    switch (method) {
      case 'session/new':
        dialect.newSession({ cwd: params.cwd as string, additionalDirectories: [], mcpServers: [] }, (result) =>
          this.settled(method, result),
        );
        return true;
      case 'session/prompt':
        dialect.prompt(sessionId!, [{ type: 'text', text: 'go' }], (result) => this.settled(method, result));
        return true;
      case 'session/cancel':
        dialect.cancel(sessionId!);
        return true;
      case 'session/set_mode':
        dialect.setConfig(sessionId!, '$mode', modeId!, (result) => this.settled(method, result));
        return true;
      case 'session/set_config_option':
        dialect.setConfig(sessionId!, configId!, value!, (result) => this.settled(method, result));
        return true;
      default:
        return false;
    }
  }

  private settled(method: string, outcome: { readonly ok: boolean; readonly value?: unknown }): void {
    const events = Array.isArray(outcome.value) ? outcome.value : (outcome.value as { events?: readonly unknown[] } | undefined)?.events;
    this.lines.push(...this.shown.add(`< ${method}`, outcome.ok ? {} : outcome));
    this.note((events ?? []) as EventInput[]);
  }

  private note(events: readonly EventInput[]): void {
    for (const event of events) {
      const { type, ...rest } = event;
      this.events.push(event);
      this.lines.push(...this.shown.add(`  ${type}`, rest));
    }
  }

  private report(): void {
    const { calls } = this.connection!.client;
    for (const { name, args } of calls.slice(this.calls)) {
      if (name === 'onUpdate') {
        this.note(args as EventInput[]);
      } else {
        this.lines.push(...this.shown.add(`? ${name}`, args));
      }
    }
    this.calls = calls.length;
  }
}

describe('recorded agents', () => {
  for (const file of readdirSync(FOLDER).filter((name) => /^[^.]+\.ndjson$/.test(name))) {
    const name = path.basename(file, '.ndjson');
    it(name, async () => {
      const player = new Player();
      for (const line of readFileSync(path.join(FOLDER, file), 'utf8').split('\n')) {
        if (line !== '') {
          await player.play(JSON.parse(line) as Frame);
        }
      }
      assert.deepEqual(
        player.events.filter(({ type }) => type === 'unknown'),
        [],
        'these agents say nothing we do not know',
      );
      assertGolden(`frames/${name}.txt`, player.lines);
      player.events.reduce((state, event) => reduce(state, { ...event, at: 0 }), EMPTY_STATE);
    });
  }
});
