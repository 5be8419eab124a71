/**
 * Contents of files by their hash, each once: what was written is never changed, only added to. What comes at the same time is written at once, and a
 * crash costs at most what was being written: an index line counts only when its bytes are there, and bytes only when they have their hash.
 */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { StoreFolder } from './storeFolder';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const INDEX = 'objects.jsonl';
/** Bytes below which deflating costs more than the room that it saves. */
const MIN_DEFLATED = 16 * 1024;

interface Place {
  readonly pack: string;
  readonly offset: number;
  readonly length: number;
  readonly deflated: boolean;
}

interface Waiting {
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly deflated: boolean;
  done(): void;
  failed(error: unknown): void;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export class ObjectStore {
  private readonly places = new Map<string, Place>();
  private readonly pending = new Map<string, Promise<boolean>>();
  /** Of this window alone: another that has the same session writes into its own. */
  private pack = newPack();
  private packSize = 0;
  private stored = 0;
  private waiting: Waiting[] = [];
  private writing: Promise<void> | undefined;
  private readonly loaded: Promise<void>;

  /** @param maxBytes that it may take on disk */
  constructor(
    private readonly folder: StoreFolder,
    private readonly maxBytes: number,
  ) {
    this.loaded = this.load();
  }

  /** Bytes on disk. */
  get size(): number {
    return this.stored;
  }

  /** Its hash once it is kept; undefined when there is no room left. */
  async put(bytes: Uint8Array): Promise<string | undefined> {
    await this.loaded;
    const hash = hashOf(bytes);
    if (this.places.has(hash)) {
      return hash;
    }
    let added = this.pending.get(hash);
    if (!added) {
      added = this.add(hash, bytes).finally(() => this.pending.delete(hash));
      this.pending.set(hash, added);
    }
    return (await added) ? hash : undefined;
  }

  async has(hash: string): Promise<boolean> {
    await this.loaded;
    return this.places.has(hash);
  }

  /** Undefined when it is not kept, or damaged. */
  async get(hash: string): Promise<Uint8Array | undefined> {
    await this.loaded;
    const place = this.places.get(hash);
    const stored = place && (await this.folder.read(place.pack, place.offset, place.length));
    const bytes = stored && (place.deflated ? await inflate(stored).catch(() => undefined) : stored);
    return bytes && hashOf(bytes) === hash ? bytes : undefined;
  }

  /** All but these go. */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    await this.loaded;
    await this.writing;
    const kept = await Promise.all([...hashes].map((hash) => this.get(hash)));
    const old = [...new Set([...[...this.places.values()].map(({ pack }) => pack), this.pack])];
    this.places.clear();
    this.stored = 0;
    this.packSize = 0;
    this.pack = newPack();
    // A crash in between leaves what no line of the index names.
    await this.folder.remove(INDEX);
    await Promise.all(kept.map((bytes) => bytes && this.put(bytes)));
    await Promise.all(old.map((pack) => this.folder.remove(pack)));
  }

  private async add(hash: string, bytes: Uint8Array): Promise<boolean> {
    const small = bytes.length < MIN_DEFLATED ? undefined : await deflate(bytes, { level: 1 });
    const deflated = small !== undefined && small.length < bytes.length;
    const kept = deflated ? small : bytes;
    if (this.stored + kept.length > this.maxBytes) {
      return false;
    }
    this.stored += kept.length;
    await new Promise<void>((done, failed) => {
      this.waiting.push({ hash, bytes: kept, deflated, done, failed });
      this.writing ??= this.write().finally(() => (this.writing = undefined));
    });
    return true;
  }

  private async write(): Promise<void> {
    // What the same moment brings comes along.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.append(batch);
        batch.forEach(({ done }) => done());
      } catch (error) {
        batch.forEach(({ bytes, failed }) => {
          this.stored -= bytes.length;
          failed(error);
        });
      }
    }
  }

  private async append(batch: readonly Waiting[]): Promise<void> {
    const places = batch.map(({ hash, bytes, deflated }): [string, Place] => {
      const place = { pack: this.pack, offset: this.packSize, length: bytes.length, deflated };
      this.packSize += bytes.length;
      return [hash, place];
    });
    await this.folder.append(this.pack, Buffer.concat(batch.map(({ bytes }) => bytes)));
    const lines = places.map(([hash, place]) => `\n${JSON.stringify({ hash, ...place })}`).join('');
    await this.folder.append(INDEX, Buffer.from(lines));
    places.forEach(([hash, place]) => this.places.set(hash, place));
  }

  private async load(): Promise<void> {
    const index = await this.folder.readAll(INDEX);
    for (const line of index ? Buffer.from(index).toString().split('\n') : []) {
      const place = placeIn(line);
      if (place) {
        this.places.set(place.hash, place);
        this.stored += place.length;
      }
    }
  }
}

function newPack(): string {
  return `pack-${randomBytes(6).toString('hex')}`;
}

/** Undefined for a line that a crash cut. */
function placeIn(line: string): (Place & { readonly hash: string }) | undefined {
  try {
    const place = JSON.parse(line) as Partial<Place & { hash: string }>;
    const isPlace =
      typeof place.hash === 'string' &&
      /^pack-[0-9a-f]+$/.test(String(place.pack)) &&
      Number.isSafeInteger(place.offset) &&
      Number.isSafeInteger(place.length);
    return isPlace ? (place as Place & { hash: string }) : undefined;
  } catch {
    return undefined;
  }
}
