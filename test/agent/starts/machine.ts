/**
 * A machine of its own for an agent's start: a home folder, a PATH and Node.js programs in a temporary folder. The agent is a real process that
 * reports its environment, started as in a window.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Traces } from '../../../src/acp/trace/traces';
import type { PinnedPackage } from '../../../src/agent/node/managedPins';
import type { StartServicesDependencies, WindowStartServices } from '../../../src/application/agents/startServices';
import { windowStartServices } from '../../../src/application/agents/startServices';
import type { Failure } from '../../../src/core/model/failure';
import type { ProcessLaunch } from '../../../src/core/model/agentLaunch';
import { systemClock } from '../../../src/util/clock';
import { connector } from '../../../src/workbench/agents/connector';
import { failureText } from '../../../webview/failures/failures';
import { builtPreload } from '../../support/preload';

const quiet = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const TOOLS = ['sh', 'env', 'cat', 'sed', 'ls', 'sleep', 'dirname', 'uname', 'basename', 'readlink'];

/** The report of an agent that started. */
export interface Started {
  /** The program that runs the agent. */
  readonly node: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The output of `node --version` in a command of the agent; empty when there is none. */
  readonly commandNode: string;
}

export type Outcome = { readonly started: Started } | { readonly sentence: string; readonly failure: Failure };

export interface Conditions {
  readonly environment: Readonly<Record<string, string>>;
  readonly launch?: Partial<ProcessLaunch>;
  readonly window?: Partial<StartServicesDependencies>;
  /** The session's folder. */
  readonly cwd?: string;
}

export class Machine {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  /** A folder with a few programs of the system, and without Node.js. */
  readonly tools: string;
  readonly storage: string;
  private readonly servers: Server[] = [];
  private readonly extension: string;

  /** @param name part of every path */
  constructor(name = 'machine') {
    this.root = realpathSync(mkdtempSync(path.join(tmpdir(), 'starts-')));
    const folder = (each: string): string => {
      const whole = path.join(this.root, name, each);
      mkdirSync(whole, { recursive: true });
      return whole;
    };
    this.home = folder('home');
    this.project = folder('project');
    this.storage = folder('storage');
    this.tools = folder('tools');
    this.extension = folder('extension');
    builtPreload(folder('extension/dist'));
    for (const tool of TOOLS) {
      const file = ['/usr/bin', '/bin'].map((each) => path.join(each, tool)).find((each) => existsSync(each));
      if (file !== undefined) {
        symlinkSync(realpathSync(file), path.join(this.tools, tool));
      }
    }
  }

  /** The environment of a desktop session. The shell has no startup files, because those of the system change the PATH. */
  environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const shell = this.program(path.join(this.root, 'shell'), '#!/bin/sh\nwhile [ "$1" != -c ]; do shift; done\nexec /bin/sh "$@"\n');
    return { HOME: this.home, PATH: this.tools, SHELL: shell, LANG: 'C.UTF-8', ...more };
  }

  /** Writes an executable file. */
  program(file: string, text: string): string {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return file;
  }

  /** A Node.js in a folder: this process's own, under the given version. An older one than `runs` cannot run an agent. */
  node(file: string, version: string, runs = true): string {
    const real = realpathSync(process.execPath);
    return this.program(
      file,
      `#!/bin/sh
case "$1" in
  --version) echo ${version}; exit 0;;
  -p) case "$2" in process.version*) printf '%s\\n%s\\n' ${version} '${file}'; exit 0;; esac;;
esac
${runs ? `exec '${real}' "$@"` : `echo "SyntaxError: Unexpected token '??='" >&2; exit 1`}
`,
    );
  }

  /** An agent as npm installs it: a script of a package that names its versions of Node.js. */
  agent(folder = path.join(this.root, 'agent'), engines = '>=20'): string {
    const modules = path.join(folder, 'node_modules', 'some-agent');
    mkdirSync(modules, { recursive: true });
    writeFileSync(path.join(modules, 'package.json'), JSON.stringify({ name: 'some-agent', version: '1.0.0', engines: { node: engines } }));
    return this.program(path.join(modules, 'agent.js'), `#!/usr/bin/env node\n${AGENT}`);
  }

  /** Starts an agent in these conditions, and ends it again. */
  async start({ environment, launch = {}, window = {}, cwd = this.project }: Conditions): Promise<Outcome> {
    const report = path.join(this.root, `report-${Math.random().toString(36).slice(2)}.json`);
    const { services } = this.window(environment, window);
    const whole: ProcessLaunch = { agentId: 'Test', agentName: 'Test', command: this.agent(), args: [], env: {}, ...launch };
    const started = { ...whole, env: { TEST_REPORT: report, ...whole.env } };
    const connect = connector({
      clock: systemClock,
      log: quiet,
      environment,
      launchFolders: () => ({
        cwd,
        projects: [cwd],
        runnerFolder: async () => {
          const folder = path.join(this.root, 'runner');
          mkdirSync(folder, { recursive: true });
          return { folder, preload: services.preload! };
        },
      }),
      demo: { ...whole, command: 'demo' },
      version: '1.0.0',
      traces: new Traces(systemClock),
      services: async () => services,
    });
    const client = new Proxy({}, { get: () => () => undefined }) as never;
    let connection: { dispose(): void } | undefined;
    const failure = await new Promise<Failure | undefined>((resolve) => {
      connection = connect(started, cwd)({ client, onProgress: () => undefined, onReady: () => resolve(undefined), onEnd: resolve });
    });
    connection?.dispose();
    return failure ? { sentence: failureText(failure), failure } : { started: JSON.parse(readFileSync(report, 'utf8')) as Started };
  }

  window(environment: Readonly<Record<string, string>>, more: Partial<StartServicesDependencies> = {}): WindowStartServices {
    return windowStartServices({
      log: quiet,
      environment,
      storage: this.storage,
      extensionPath: this.extension,
      fetch,
      now: () => Date.now(),
      projects: () => [this.project],
      usualNodes: [],
      ...more,
    });
  }

  /** A registry on this machine with a Node.js and an npm that are small. `bytes`: what it answers for an archive, to replace it. */
  async registry(version = 'v24.1.0', answer?: (archive: Buffer, send: (bytes: Buffer) => void, end: () => void) => void) {
    const build = path.join(this.root, 'build');
    const archive = (name: string, files: Readonly<Record<string, string>>): Buffer => {
      const folder = path.join(build, name, 'package');
      for (const [file, text] of Object.entries(files)) {
        this.program(path.join(folder, file), text);
      }
      return execFileSync('tar', ['czf', '-', '-C', path.join(build, name), 'package'], { maxBuffer: 1 << 26 });
    };
    const node = readFileSync(this.node(path.join(build, 'node'), version), 'utf8');
    const archives: Record<string, Buffer> = {
      'node-test': archive('node-test', { 'bin/node': node, 'include/unused.h': 'no' }),
      npm: archive('npm', { 'bin/npx-cli.js': NPX, 'bin/npm-cli.js': NPX, 'package.json': '{"name":"npm","engines":{"node":">=20"}}' }),
    };
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      const found = archives[/^\/([\w-]+)\/-\//.exec(request.url ?? '')?.[1] ?? ''];
      if (!found) {
        response.writeHead(404).end();
      } else if (answer) {
        answer(
          found,
          (bytes) => void response.write(bytes),
          () => response.end(),
        );
      } else {
        response.end(found);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.servers.push(server);
    const pin = (name: string): PinnedPackage => {
      const bytes = archives[name]!;
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      return { name, version: name === 'npm' ? '11.0.0' : version.slice(1), integrity, size: bytes.length };
    };
    const packages = { node: pin('node-test'), npm: pin('npm') };
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, packages, requests };
  }

  async dispose(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Answers `initialize`, and reports its environment and that of its commands. */
const AGENT = `
const { execSync } = require('child_process');
const version = () => { try { return execSync('node --version', { stdio: ['ignore', 'pipe', 'ignore'] }).toString().trim(); } catch { return ''; } };
const report = { node: process.execPath, cwd: process.cwd(), env: process.env, commandNode: version() };
require('fs').writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 1, agentCapabilities: {} } }));
});
`;

/** Starts the agent that TEST_AGENT names, as \`npx\` does: through a shell and by the script's first line. */
const NPX = `#!/usr/bin/env node
const child = require('child_process').spawn('sh', ['-c', '"' + process.env.TEST_AGENT + '"'], { stdio: 'inherit', env: process.env });
child.on('exit', (code) => process.exit(code));
process.stdin.on('end', () => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
`;
