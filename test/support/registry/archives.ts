/** Archives for tests, byte by byte, because no ordinary program makes hostile ones. */
import { deflateRawSync, gzipSync } from 'node:zlib';

export interface TestEntry {
  readonly path: string;
  readonly content?: string | Buffer;
  readonly mode?: number;
  /** The target of a link. */
  readonly target?: string;
  /** `0` file, `1` hard link, `2` symbolic link, `3` device, `5` folder. Default: 5 for a name that ends with a slash, else 0. */
  readonly type?: string;
}

const BLOCK = 512;

export function tar(entries: readonly TestEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    return [header(entry, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(BLOCK * 2)]);
}

export function tarGz(entries: readonly TestEntry[]): Buffer {
  return gzipSync(tar(entries));
}

function header({ path, mode = 0o755, target = '', type = path.endsWith('/') ? '5' : '0' }: TestEntry, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  block.write(path, 0, 100);
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(target, 157, 100);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

export function zip(entries: readonly TestEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content = '', mode = 0o755, target } of entries) {
    const bytes = Buffer.from(target ?? content);
    const packed = deflateRawSync(bytes);
    const name = Buffer.from(path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    files.push(Buffer.from('PK\x03\x04'), common, name, packed);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE((((target === undefined ? 0o100000 : 0o120000) | mode) << 16) >>> 0, 6);
    attributes.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), common, attributes, name);
    offset += 4 + common.length + name.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc >>> 0;
}
