import assert from 'node:assert/strict';
import { parseAgents } from '../../../src/agent/parseAgents';

const parse = (proxies: unknown, more: object = {}) => parseAgents({ A: { command: 'a', ...more, proxies } }, 'acpHost.agents');
const problems = (proxies: unknown) =>
  parse(proxies).problems.map(({ params }) => `${String(params?.['field'])} ${String(params?.['expected'])}`);

describe('the proxies of an agent', () => {
  it('are command lines or objects', () => {
    const { agents, problems: none } = parse([
      'npx -y "@acme/context proxy@1.2.3"',
      { command: '/opt/proxies/filter.sh', args: ['--level', '2'], env: { TOKEN: 'x' } },
      { name: ' My Proxy ', command: 'node', args: ['/p/note.mjs', 'Be brief.'] },
      'node /p/note.mjs',
      'node /q/note.mjs',
    ]);
    assert.deepEqual(none, []);
    assert.deepEqual(agents[0]?.proxies, [
      { name: 'context proxy', command: 'npx', args: ['-y', '@acme/context proxy@1.2.3'], env: {} },
      { name: 'filter', command: '/opt/proxies/filter.sh', args: ['--level', '2'], env: { TOKEN: 'x' } },
      { name: 'My Proxy', command: 'node', args: ['/p/note.mjs', 'Be brief.'], env: {} },
      { name: 'note', command: 'node', args: ['/p/note.mjs'], env: {} },
      { name: 'note (2)', command: 'node', args: ['/q/note.mjs'], env: {} },
    ]);
  });

  it('may be absent, or come before an agent at an address', () => {
    assert.equal('proxies' in parse([]).agents[0]!, false);
    assert.equal('proxies' in parse(null).agents[0]!, false);
    const { agents } = parseAgents({ A: { url: 'wss://a.example/acp', proxies: ['p'] } }, 'acpHost.agents');
    assert.deepEqual(
      agents[0]?.proxies?.map(({ name }) => name),
      ['p'],
    );
  });

  it('are refused with the place of the mistake, and never with a value', () => {
    assert.deepEqual(problems('p'), ['proxies array']);
    assert.deepEqual(problems(['a | b', '', 'a "b']), ['proxies[0] commandLine', 'proxies[1] commandLine', 'proxies[2] commandLine']);
    assert.deepEqual(problems([7, null, ['a']]), ['proxies[0] proxy', 'proxies[1] proxy', 'proxies[2] proxy']);
    assert.deepEqual(problems([{}, { command: ' ' }]), ['proxies[0].command present', 'proxies[1].command string']);
    assert.deepEqual(problems([{ command: 'a', args: 'b', env: { 'A=B': 'x' }, name: 7 }]), [
      'proxies[0].args array',
      'proxies[0].env object',
      'proxies[0].name string',
    ]);
    assert.deepEqual(problems(Array(9).fill('p')), ['proxies fewProxies']);
    assert.deepEqual(parse(['a | b']).agents, []);
  });

  it('cannot be files of the project', () => {
    assert.deepEqual(problems(['./proxy', { command: 'bin/proxy' }, '~/proxy']), [
      'proxies[0].command program',
      'proxies[1].command program',
      'proxies[2].command program',
    ]);
  });
});
