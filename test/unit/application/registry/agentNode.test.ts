import assert from 'node:assert/strict';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { agentNode as find, type AgentNodeDependencies } from '../../../../src/application/registry/agentNode';

describe('the Node.js of installed agents', () => {
  let folder: string;
  const agentNode = (deps: Pick<AgentNodeDependencies, 'services' | 'environment' | 'folder'>, engines?: string) =>
    find({ home: '/home/me', projects: [path.join(folder, 'project')], ...deps }, engines);
  beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'agent-node-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const PATH = path.dirname(process.execPath);
  const managed = { file: '/managed/node', version: [99, 0, 0], scripts: { npm: '/managed/npm-cli.js', npx: '' } } as never;

  it('is the one on the PATH, when it is in the range', async () => {
    const tools = await agentNode({ services: {}, environment: { PATH }, folder }, '>=18');
    assert.equal(path.basename(tools!.node), path.basename(process.execPath));
    assert.match(tools!.npm ?? '', /npm-cli\.js$/);
  });

  it('is the one of the storage, when the others are missing or too old', async () => {
    const services = { managedNode: async () => managed };
    const expected = { node: '/managed/node', npm: '/managed/npm-cli.js' };
    assert.deepEqual(await agentNode({ services, environment: { PATH }, folder }, '>=99'), expected);
    assert.deepEqual(await agentNode({ services, environment: { PATH: folder }, folder }), expected);
    assert.equal(await agentNode({ services: {}, environment: { PATH: folder }, folder }), undefined);
  });

  it('is not one that hangs, unless there is no other', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    this.timeout(20_000);
    const hanging = path.join(folder, 'node');
    await writeFile(hanging, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const environment = { PATH: folder };
    const services = { managedNode: async () => managed };
    assert.equal((await agentNode({ services, environment, folder }, '>=18'))?.node, '/managed/node');
    assert.equal((await agentNode({ services: {}, environment, folder }, '>=18'))?.node, hanging);
  });

  it("is the one of the user's shell, when VS Code's environment has none", async () => {
    const services = { shell: async () => ({ environment: { PATH } }) };
    assert.equal((await agentNode({ services, environment: { PATH: folder }, folder }))?.npm !== undefined, true);
  });

  it("is never a project's, although the shell has inherited its folder on the PATH", async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const bin = path.join(folder, 'project', 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, 'node'), `#!/bin/sh\ntouch '${folder}/ran'\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
    const services = { shell: async () => ({ environment: { PATH: `${bin}:${PATH}` } }) };
    const tools = await agentNode({ services, environment: { PATH: folder }, folder }, '>=18');
    assert.equal(tools?.node.startsWith(bin), false);
    await assert.rejects(access(path.join(folder, 'ran')));
  });
});
