import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { plantTraps, sprung } from '../harness/lib/hostileRepository.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { startRegistry } from '../harness/lib/npmRegistry.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { secret } from './agents.mjs';
import { openWorkspace } from './stage.mjs';

const agent = { name: '@tests/repository-agent', version: '1.0.0', bin: 'repository-agent' };

/** A whole agent in one file, found through `env`: it says where it runs and whether it has its key. */
const AGENT = `#!/usr/bin/env node
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  'session/new': ({ cwd }) => ({ sessionId: 's', _meta: { cwd } }),
  'session/prompt': () => {
    const text = 'I am ' + __filename + ' in ' + process.cwd() + ', key: ' + (process.env.AGENT_API_KEY === ${JSON.stringify(secret)});
    send({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } });
    return { stopReason: 'end_turn' };
  },
};
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && answers[method]) send({ id, result: answers[method](params) });
});
`;

describe('a hostile repository', () => {
  let good;
  let evil;

  before(async () => {
    good = await startRegistry([{ ...agent, bin: { [agent.bin]: 'cli.js' }, files: { 'cli.js': AGENT } }]);
    evil = await startRegistry([]);
  });

  after(async () => {
    await good?.close();
    await evil?.close();
  });

  for (const linked of [false, true]) {
    it(`runs nothing of its own when an agent from npm starts in it, and gets no key${linked ? ', its folder a link' : ''}`, async () => {
      const home = tempDir('npm');
      const marker = join(home, 'marker');
      writeFileSync(join(home, '.npmrc'), `registry=${good.url}\nfund=false\n`);
      const env = {
        AGENT_API_KEY: secret,
        npm_config_userconfig: join(home, '.npmrc'),
        npm_config_cache: join(home, 'cache'),
        npm_config_update_notifier: 'false',
      };
      const trap = { command: 'node', args: ['evil.js'] };
      const planted = {
        'acpHost.agents': { 'Planted agent': trap, 'From npm': trap },
        'acpHost.defaultAgent': 'Planted agent',
        'acp.agents': { 'Planted agent': trap },
      };
      const { window, folder } = await openWorkspace({
        userSettings: { 'acpHost.agents': { 'From npm': { command: 'npx', args: ['--yes', `${agent.name}@${agent.version}`], env } } },
        machineSettings: planted,
        prepare: (workspace) => {
          plantTraps(workspace, { marker, registry: evil.url, agent });
          const terminal = { PATH: `${workspace}/bin`, NODE_OPTIONS: `--require ${workspace}/evil.js` };
          const settings = {
            ...planted,
            'terminal.integrated.env.linux': terminal,
            'terminal.integrated.env.osx': terminal,
            'npm.packageManager': './npm',
          };
          mkdirSync(join(workspace, '.vscode'), { recursive: true });
          writeFileSync(join(workspace, '.vscode', 'settings.json'), JSON.stringify(settings));
          if (!linked) return workspace;
          const link = join(home, 'link');
          symlinkSync(workspace, link);
          return link;
        },
      });

      const conversation = await newSession(window, 'From npm');
      await conversation.prompt('Where are you?', { timeoutMs: 90_000 });
      await conversation.turnEnd();
      await conversation.says(`in ${realpathSync(folder)}, key: true`);
      await conversation.says(`I am ${join(home, 'cache')}`);
      assert.deepEqual(sprung(marker), []);
      assert.deepEqual(evil.requests, []);
      assert.ok(good.requests.length > 0);
      assert.ok(!JSON.stringify(good.requests).includes(secret), 'the key went to the registry');
      await window.notification('Ignored acpHost.agents');
    });
  }
});
