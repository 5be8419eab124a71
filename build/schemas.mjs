// The protocol's schemas for the inspector, without their descriptions: 90 KB each instead of 400 KB.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Members that only people read. A property of such a name is an object. */
const PROSE = new Set(['description', 'title', '$schema', 'default']);

/**
 * @param {string} root of the project
 * @param {string} outdir
 */
export async function writeSchemas(root, outdir) {
  await mkdir(path.join(root, outdir), { recursive: true });
  for (const version of ['v1', 'v2']) {
    const file = path.join(root, 'node_modules/@agentclientprotocol/sdk/schema', version, 'schema.unstable.json');
    await writeFile(
      path.join(root, outdir, `${version}.json`),
      JSON.stringify({ $defs: withoutProse(JSON.parse(await readFile(file, 'utf8')).$defs) }),
    );
  }
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function withoutProse(value) {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => !(PROSE.has(name) && (typeof each !== 'object' || name === 'default')))
      .map(([name, each]) => [name, withoutProse(each)]),
  );
}
