/** Twelve and more agents that fail as they do on users' computers: npm, shells and Node.js print their own messages. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ProcessLaunch } from '../../../src/core/model/agentLaunch';
import type { Setup } from '../scripted/agent';
import type { Step } from '../scripted/steps';

export interface FailingAgent {
  readonly name: string;
  /**
   * Replaces the scripted agent.
   * @param folder the agent's own empty folder
   * @param address the address of a server that refuses everything
   */
  launch?(folder: string, address: string): Partial<ProcessLaunch>;
  readonly setup?: Setup;
  /** The agent starts, but this prompt fails. */
  readonly turn?: readonly Step[];
}

const PACKAGE = '@acme/agent@1.2.3';
/** The environment of npm: no settings of the machine, and no second attempt. */
const npm = (folder: string, env: Record<string, string>): Partial<ProcessLaunch> => ({
  // A package runner under its own name would start in a window's folder, which the stage does not have.
  ...program(folder, 'agent', `#!/bin/sh\nexec npx --yes ${PACKAGE}\n`),
  env: {
    npm_config_cache: path.join(folder, 'cache'),
    npm_config_userconfig: path.join(folder, 'npmrc'),
    npm_config_fetch_retries: '0',
    // The npm that runs this test may have a setting that silences npm.
    npm_config_loglevel: 'notice',
    npm_config_proxy: 'null',
    npm_config_https_proxy: 'null',
    npm_config_noproxy: '',
    ...env,
  },
});

/** Creates a program in the agent's folder. */
function program(folder: string, name: string, content: string | Buffer, mode = 0o755): Partial<ProcessLaunch> {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return { command: file, args: [] };
}

/** Prints a sample of test/fixtures/failures, for failures that no test can cause. */
function prints(folder: string, file: string, sample: string, exitCode: number): Partial<ProcessLaunch> {
  const texts = readFileSync(path.resolve('test/fixtures/failures', file), 'utf8').split(/^=== /m);
  const text = texts
    .find((each) => each.startsWith(`${sample}\n`))
    ?.split('\n')
    .slice(2)
    .join('\n');
  if (text === undefined) {
    throw new Error(`no sample ${sample} in ${file}`);
  }
  writeFileSync(path.join(folder, 'output'), text);
  return program(folder, 'agent', `#!/bin/sh\ncat '${path.join(folder, 'output')}' >&2\nexit ${exitCode}\n`);
}

export const FAILING_AGENTS: readonly FailingAgent[] = [
  { name: 'no network', launch: (folder) => npm(folder, { npm_config_registry: 'https://registry.acme.invalid/' }) },
  { name: 'a proxy that is not there', launch: (folder) => npm(folder, { npm_config_https_proxy: 'http://127.0.0.1:9' }) },
  { name: 'a proxy that wants a password', launch: (folder, address) => npm(folder, { npm_config_https_proxy: `${address}/` }) },
  { name: 'a registry that refuses', launch: (folder, address) => npm(folder, { npm_config_registry: `${address}/401/` }) },
  { name: 'a certificate nobody trusts', launch: (folder) => prints(folder, 'npm.txt', "npm 10: a company's certificate", 1) },
  { name: 'a package that is not there', launch: (folder) => prints(folder, 'npm.txt', 'npm 10: no such package at npmjs', 1) },
  { name: 'a private package', launch: (folder, address) => npm(folder, { npm_config_registry: `${address}/404/` }) },
  { name: 'a version that is not there', launch: (folder, address) => npm(folder, { npm_config_registry: `${address}/versions/` }) },
  {
    name: 'no Node.js',
    launch: (folder) => ({ ...program(folder, 'agent', '#!/usr/bin/env node\n'), env: { PATH: folder } }),
  },
  {
    name: 'an old Node.js',
    launch: (folder) => prints(folder, 'npm.txt', 'npm 10: a warning about the engine, then the program breaks', 1),
  },
  { name: 'a file that is no program', launch: (folder) => program(folder, 'agent', '#!/bin/sh\n', 0o644) },
  { name: 'a script whose interpreter is missing', launch: (folder) => program(folder, 'agent', '#!/opt/acme/bin/python3.9\n') },
  { name: 'a program for another processor', launch: (folder) => program(folder, 'agent', otherProcessor()) },
  { name: 'root', launch: (folder) => prints(folder, 'agents.txt', 'Claude Code as root', 1) },
  {
    name: 'a port in use',
    launch: (folder, address) =>
      program(folder, 'agent', `#!${process.execPath}\nrequire('net').createServer().listen(${new URL(address).port}, '127.0.0.1');\n`),
  },
  { name: 'no credit', turn: [{ error: { code: -32603, message: 'Internal error', data: { details: 'Credit balance is too low' } } }] },
  {
    name: 'too many requests',
    turn: [
      { error: { code: 429, message: '{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}' } },
    ],
  },
  { name: 'nobody is signed in', launch: (folder) => prints(folder, 'agents.txt', 'Copilot', 1) },
  {
    name: 'no key',
    setup: { beforeNew: [{ error: { code: -32603, message: 'OPENAI_API_KEY environment variable not found' } }] },
  },
  { name: 'something else', launch: (folder) => program(folder, 'agent', '#!/bin/sh\necho "panic: out of cheese" >&2\nexit 3\n') },
];

/** The header of a Linux executable for another processor, and nothing else. */
function otherProcessor(): Buffer {
  const header = Buffer.alloc(300);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(process.arch === 'arm64' ? 62 : 183, 18);
  header.writeUInt32LE(1, 20);
  return header;
}

/** Responds with the status in the first path segment of the URL. Used as a proxy, it requires a password. */
export async function refusingServer(): Promise<{ readonly address: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const status = /^\/(\d+)\//.exec(request.url ?? '')?.[1];
    response.writeHead(Number(status ?? 200), { 'content-type': 'application/json' });
    const versions = {
      '1.0.0': { name: '@acme/agent', version: '1.0.0', dist: { tarball: 'http://127.0.0.1:9/x.tgz', shasum: 'a'.repeat(40) } },
    };
    response.end(
      JSON.stringify(status === undefined ? { name: '@acme/agent', 'dist-tags': { latest: '1.0.0' }, versions } : { error: 'no' }),
    );
  });
  server.on('connect', (_, socket) =>
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="acme"\r\n\r\n'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export function folderOf(cwd: string, name: string): string {
  const folder = path.join(cwd, name.replaceAll(/\W+/g, '-'));
  // A retried test starts with an empty folder.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}
