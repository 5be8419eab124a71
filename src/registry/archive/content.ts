/** Recognizes a downloaded file by its first bytes: a server may answer with another file than the manifest names. */
import { beginningOf } from '../../util/beginning';
import type { ArchiveFormat } from './unpack';

const HEAD_BYTES = 256;

/** The first bytes of the archives that can be unpacked. */
const SIGNATURES: readonly (readonly [signature: string, format: ArchiveFormat])[] = [
  ['\x1f\x8b\x08', 'tar.gz'],
  ['BZh', 'tar.bz2'],
  ['PK\x03\x04', 'zip'],
];
/** A page, or an answer in JSON. No script begins so. */
const DOCUMENT = /^(?:\xef\xbb\xbf)?\s*(?:<(?:!doctype|!--|\?xml|html|head|body)|\{\s*["}])/i;

/** Returns the format of the file. `raw`: it is no archive. */
export async function formatInside(file: string): Promise<ArchiveFormat | 'raw'> {
  const head = (await beginningOf(file, HEAD_BYTES)).toString('latin1');
  return SIGNATURES.find(([signature]) => head.startsWith(signature))?.[1] ?? 'raw';
}

/** False for an empty file and for a document, such as the page of a network that asks for a sign-in. */
export async function isProgram(file: string): Promise<boolean> {
  const head = (await beginningOf(file, HEAD_BYTES)).toString('latin1');
  return head !== '' && !DOCUMENT.test(head);
}
