// A package registry on loopback, with a few packages, that records the requests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * @param packages `{name, version, bin: {command: file}, files: {path: text}}`
 * @returns {Promise<{url: string, requests: {url: string, headers: object}[], close(): Promise<void>}>}
 */
export async function startRegistry(packages) {
  const tarballs = packages.map((each) => ({ ...each, tarball: pack(each) }));
  const requests = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    const url = `http://${request.headers.host}`;
    const path = decodeURIComponent(request.url.replace(/\?.*$/, '')).slice(1);
    const found = tarballs.find(({ name, version }) => path === name || path === `${name}/-/${version}.tgz`);
    if (!found) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    } else if (path.endsWith('.tgz')) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.tarball);
    } else {
      const { name, version, bin, tarball } = found;
      const dist = {
        tarball: `${url}/${name}/-/${version}.tgz`,
        integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
      };
      const time = { [version]: '2020-01-01T00:00:00.000Z' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, time, versions: { [version]: { name, version, bin, dist } } }));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

function pack({ name, version, bin, files }) {
  const dir = mkdtempSync(join(tmpdir(), 'acp-host-pack-'));
  try {
    const all = { ...files, 'package.json': JSON.stringify({ name, version, bin }) };
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(dir, 'package', path)), { recursive: true });
      writeFileSync(join(dir, 'package', path), text, { mode: 0o755 });
    }
    const { status, stderr } = spawnSync('tar', ['-czf', join(dir, 'p.tgz'), '-C', dir, 'package']);
    if (status !== 0) throw new Error(`tar: ${stderr}`);
    return readFileSync(join(dir, 'p.tgz'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
