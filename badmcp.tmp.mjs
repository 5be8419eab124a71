import { spawn } from 'node:child_process'; import { createInterface } from 'node:readline'; import { mkdtempSync } from 'node:fs'; import { join } from 'node:path';
import { settingsEntry, agents } from './test/real/agents.mjs';
const name = process.argv[2]; const cache='/root/.cache/acp-host/agents';
const dir = join(cache, `${name}-${agents[name].packages[0].split('@').at(-1)}`,'node_modules');
const home = mkdtempSync('/tmp/t-mcpoauth/h-'); const cwd = mkdtempSync('/tmp/t-mcpoauth/w-');
const nodeFolder = '/root/.cache/acp-host/vscode-1.139.1/node/bin';
import { existsSync, readdirSync } from 'node:fs';
const nf = process.env.NF;
const e = settingsEntry(name, { modules: dir, home, llm: 'http://127.0.0.1:9', nodeFolder: nf });
const p = spawn(e.command, e.args, { env: e.env, cwd });
p.stderr.on('data', (d) => process.stdout.write('ERR ' + d));
const send = (m) => p.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\n');
let http = false;
createInterface({ input: p.stdout }).on('line', (l) => {
  if (/bad|crash|gone/i.test(l) ) console.log('OUT', l.slice(0, 900)); else console.log('OUT', l.slice(0,160));
  let m; try { m = JSON.parse(l); } catch { return; }
  if (m.id === 1 && m.result) { const c = m.result.agentCapabilities?.mcpCapabilities;
    send({ id: 2, method: 'session/new', params: { cwd, mcpServers: [ { name: 'badone', command: '/nonexistent/mcp', args: [], env: [] }, { name: 'crashone', command: '/bin/sh', args: ['-c', 'echo boom >&2; exit 3'], env: [] }, ...(c?.http ? [{ type: 'http', name: 'goneone', url: 'http://127.0.0.1:9/mcp', headers: [] }] : []) ] } }); }
  else if (m.id !== undefined && m.method) send({ id: m.id, error: { code: -32601, message: 'no' } });
});
send({ id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: { fs: {}, terminal: false } } });
setTimeout(() => { p.kill('SIGKILL'); process.exit(); }, Number(process.argv[3] ?? 12000));
