/**
 * The agents of earlier windows: connects to their keepers, and continues all sessions of an agent before it is heard again. Loaded when a journal
 * names a keeper.
 */
import { connectToKeeper, type KeptTransport } from '../../acp/transport/kept/keptTransport';
import { openSocket } from '../../acp/transport/remote/nodeSocket';
import { findKeeper, isAlive, removeStaleRecords } from '../../agent/keeper/startKeeper';
import type { AdoptedAgent } from '../../core/keeper/keptAgent';
import { KEEPER_PROTOCOL, type KeepLimits } from '../../core/keeper/messages';
import { failureOf } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { Log } from '../../core/platform/log';
import type { KeptNote } from '../../session/agent/keptFrames';
import { ProcessTree } from '../../util/processes/processTree';

export interface KeptAgentsDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the keepers' records. */
  readonly folder: string;
  readonly maxBytes: number;
  /** The limits of the setting; undefined when agents end with their window. */
  limits(): KeepLimits | undefined;
  /** Restores a session that the agent has open. */
  restore(key: string): Promise<unknown>;
}

/** ms between two attempts while the window before is still connected, and their number. */
const RETRY_MS = 250;
const ATTEMPTS = 20;
/** ms within which an agent may end by itself when its keeper was killed. */
const GRACE_MS = 1500;
/** ms in which all sessions of an agent are restored. Its frames wait for that. */
const RESTORE_MS = 10_000;

interface Found {
  readonly agent: AdoptedAgent;
  /** The sessions that still wait to be restored. */
  readonly waiting: ReadonlySet<string>;
}

export class KeptAgents {
  private readonly adopted = new Map<string, Promise<Found | undefined>>();
  private isSwept = false;

  constructor(private readonly deps: KeptAgentsDependencies) {}

  /** Connects to the agent that has the session open. Undefined when it has ended, does not have the session, or cannot be used. */
  async adopt(id: string, key: string): Promise<AdoptedAgent | undefined> {
    let adopted = this.adopted.get(id);
    if (!adopted) {
      adopted = this.connect(id, key).catch((error: unknown) => {
        this.deps.log.info(`The agent of an earlier window is not continued: ${failureOf(error).detail ?? ''}`);
        return undefined;
      });
      this.adopted.set(id, adopted);
    }
    const found = await adopted;
    // The agent's frames may be delivered already, so that another session would miss some.
    return found?.waiting.has(key) ? found.agent : undefined;
  }

  private async connect(id: string, first: string): Promise<Found | undefined> {
    const { clock, log, folder, maxBytes, limits } = this.deps;
    this.sweep();
    const record = await findKeeper(folder, id);
    // Where a killed keeper listened, another program may listen now.
    if (!record || !isAlive(record.pid)) {
      return undefined;
    }
    const description = {};
    let transport: KeptTransport | undefined;
    for (let attempt = 1; !transport; attempt++) {
      try {
        const onLost = (pid: number | undefined): void => void new ProcessTree(pid, record.mark).end({ graceMs: GRACE_MS });
        transport = await connectToKeeper({ ...record, maxBytes, description, onLost }, openSocket, clock);
      } catch (error) {
        // The window before may still be ending.
        if (attempt === ATTEMPTS || !/: 409$/.test(failureOf(error).detail ?? '')) {
          throw error;
        }
        await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
      }
    }
    const kept = transport;
    const { keys, secrets, servers } = read(kept.hello.note);
    const wanted = limits();
    if (kept.hello.protocol !== KEEPER_PROTOCOL || !kept.hello.isInitialized || keys.size === 0 || !wanted) {
      kept.read(NO_READER);
      kept.close();
      return undefined;
    }
    kept.limit(wanted);
    kept.servers = servers;
    let isUsed = false;
    const waiting = new Set(keys);
    const settled = (key: string, isAdopted: boolean): void => {
      isUsed ||= isAdopted;
      if (waiting.delete(key) && waiting.size === 0) {
        timer.dispose();
        this.begin(kept, isUsed);
      }
    };
    const timer = clock.after(RESTORE_MS, () => {
      log.warn(`Sessions of the agent were not restored in time: ${[...waiting].join(', ')}`);
      [...waiting].forEach((key) => settled(key, false));
    });
    for (const key of keys) {
      if (key !== first) {
        void this.deps.restore(key).catch(() => settled(key, false));
      }
    }
    return { agent: { kept, transport: kept, secrets, listen: (events) => kept.listen(events), settled }, waiting };
  }

  /** Receives the agent's frames, now that its sessions have. An agent that no session continues is ended. */
  private begin(kept: KeptTransport, isUsed: boolean): void {
    if (isUsed) {
      kept.attach();
    } else {
      kept.close();
    }
  }

  private sweep(): void {
    if (!this.isSwept) {
      this.isSwept = true;
      void removeStaleRecords(this.deps.folder);
    }
  }
}

const NO_READER = { message: () => undefined, skipped: () => undefined, closing: () => undefined, end: () => undefined };

interface Note {
  readonly keys: ReadonlySet<string>;
  readonly secrets: readonly string[];
  readonly servers: NonNullable<KeptNote['servers']>;
}

/** Reads the note of the window before; see `KeptNote`. */
function read(note: string | undefined): Note {
  try {
    const { keys, secrets, servers } = JSON.parse(note ?? '{}') as { keys?: unknown; secrets?: unknown; servers?: KeptNote['servers'] };
    return { keys: new Set(textsIn(keys)), secrets: textsIn(secrets), servers: servers ?? {} };
  } catch {
    return { keys: new Set(), secrets: [], servers: {} };
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
