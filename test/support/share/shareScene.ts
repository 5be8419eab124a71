/** A session of the scripted agent that is shared, with clients and windows that attach. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Continued, continueSharing } from '../../../src/application/share/continueSharing';
import { sharedSessionOf } from '../../../src/application/share/sharedSessionOf';
import { Traces } from '../../../src/acp/trace/traces';
import { setupIn } from '../../../src/core/model/sessionSetup';
import type { ShareRight } from '../../../src/core/share/share';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { Sharing } from '../../../src/share/sharing';
import { SharingRecord } from '../../../src/share/sharingRecord';
import { systemClock } from '../../../src/util/clock';
import { connector } from '../../../src/workbench/agents/connector';
import type { Step } from '../../agent/scripted/steps';
import { englishVerbatim } from '../../unit/application/english';
import { fakeDependencies, quiet } from '../../unit/session/fakes';
import { Stage } from '../scenario/stage';
import { MemoryStorage } from './memoryStorage';
import { SharedClient, type SharedClientOptions } from './sharedClient';

/** A question of the agent. */
export const ASK: Step = {
  permission: {
    toolCall: { toolCallId: 'call', title: 'Run the tests', kind: 'execute' },
    options: [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
    ],
  },
};

export class ShareScene {
  /** Values that must not be sent. */
  readonly secrets: string[] = [];
  readonly clients: SharedClient[] = [];
  private readonly windows: Sessions[] = [];

  sharing!: Sharing;
  record!: SharingRecord;
  /** The storage of VS Code, which the windows before and after a reload share. */
  readonly storage: MemoryStorage;

  private constructor(
    readonly cwd: string,
    readonly stage: Stage,
  ) {
    this.storage = new MemoryStorage(path.join(cwd, 'sharings'));
    this.begin();
  }

  static async open(): Promise<ShareScene> {
    const cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'share-')));
    const stage = new Stage(cwd, { answer: () => undefined, setup: {} });
    await stage.ready();
    const scene = new ShareScene(cwd, stage);
    scene.sharing.add(sharedSessionOf(stage.session, englishVerbatim));
    await scene.sharing.start({ host: '127.0.0.1' });
    return scene;
  }

  /** The window closes, as for a reload. Its session goes on, as with a kept agent. */
  async leave(): Promise<void> {
    await Promise.all([this.record.leave(), this.sharing.stop()]);
  }

  /** The next window. @param keys the sessions that it has */
  async comeBack(keys: readonly string[] = [this.key]): Promise<Continued> {
    this.begin();
    return continueSharing({
      clock: systemClock,
      sharing: this.sharing,
      record: this.record,
      session: async (key) => (keys.includes(key) ? sharedSessionOf(this.stage.session, englishVerbatim) : undefined),
      ownCertificate: async () => undefined,
    });
  }

  private begin(): void {
    const redact = (text: string): string => this.secrets.reduce((rest, secret) => rest.replaceAll(secret, '••••'), text);
    const record = new SharingRecord({ ...this.storage.deps, clock: systemClock, log: quiet });
    const changed = (): void => record.save(sharing.stored);
    const sharing: Sharing = new Sharing({ clock: systemClock, log: quiet, version: '0', redact, secretStart: () => 0, changed });
    this.sharing = sharing;
    this.record = record;
  }

  get key(): string {
    return this.stage.session.key;
  }

  /** Attaches a client of the official SDK. */
  async attach(right: ShareRight, options: SharedClientOptions = {}): Promise<SharedClient> {
    const client = new SharedClient(options);
    this.clients.push(client);
    await client.open(this.sharing.url!, this.sharing.issue(right));
    await client.load(this.key);
    return client;
  }

  /** Opens the shared session, or a new one, in another window, through an agent at its address. */
  openWindow(right: ShareRight, reference: { readonly sessionId: string } | null = { sessionId: this.key }): Session {
    const { deps } = fakeDependencies();
    const headers = { Authorization: `Bearer ${this.sharing.issue(right)}` };
    const connect = connector({
      clock: systemClock,
      log: quiet,
      environment: process.env,
      launchFolders: (_, at) => ({ cwd: at }),
      demo: { agentId: 'D', agentName: 'D', command: 'none', args: ['none'], env: {} },
      version: '0',
      traces: new Traces(systemClock),
    });
    const sessions = new Sessions({ ...deps, clock: systemClock, connect });
    this.windows.push(sessions);
    const launch = { agentId: 'Shared', agentName: 'Shared', kind: 'websocket', url: this.sharing.url!, headers } as const;
    return sessions.create(launch, setupIn({ cwd: this.cwd, additionalDirectories: [] }), reference ?? undefined);
  }

  async close(): Promise<void> {
    this.clients.forEach((each) => each.close());
    this.windows.forEach((each) => each.dispose());
    await Promise.all([this.record.leave(), this.sharing.stop()]);
    await this.stage.close();
    await rm(this.cwd, { recursive: true, force: true });
  }
}
