import { createServer } from 'node:http';
import { scriptedAgent } from '../harness/lib/bundle.mjs';

/** A registry on loopback with one agent of this name, a program for this machine whose first argument has its version. */
export async function startRegistry(name) {
  const platform = `${{ darwin: 'darwin', win32: 'windows' }[process.platform] ?? 'linux'}-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;
  let version = '1.0.0';
  const broken = new Set();
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}`;
    if (broken.has(request.url)) {
      return void response.end('#!/bin/sh\necho "boom: libfoo.so.3 is missing" >&2\nexit 127\n');
    }
    if (request.url.startsWith('/program')) {
      return void response.end(`#!/bin/sh\nexec "${process.execPath}" "${scriptedAgent}" "$@"\n`);
    }
    const agent = {
      id: name.toLowerCase().replaceAll(' ', '-'),
      name,
      version,
      description: 'Answers what it is told to.',
      authors: ['Example Inc.'],
      license: 'MIT',
      distribution: {
        binary: { [platform]: { archive: `${url}/program-${version}`, cmd: './agent', args: [`installed-agent-${version}`] } },
      },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ version: '1.0.0', agents: [agent], extensions: [] }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/registry.json`,
    publish: (next) => void (version = next),
    /** Publishes a version whose program does not start. */
    publishBroken: (next) => void broken.add(`/program-${(version = next)}`),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}
